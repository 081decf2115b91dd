import Primitives

extension RotationPolicy {
    /// Judges a refresh token that is shown and not redeemed: it stays as good as it was. One that was spent tells as
    /// much of a theft as it does when somebody redeems it.
    func inspect(
        _ family: inout Family, showing node: UInt32, at now: Timestamp,
        _ presentation: Presentation = Presentation()
    ) -> Verdict {
        var tried = family
        let verdict = judge(&tried, presenting: node, at: now, presentation)
        guard verdict.isAccepted else {
            family = tried
            return verdict
        }
        return .granted(node: node, isRotated: false, replay: verdict.replay)
    }
}
