extension Judgement {
    /// What a policy has said of a token that was presented.
    init(_ verdict: RotationPolicy.Verdict, of family: Family, presenting node: UInt32) {
        let successor: UInt32? = if case .granted(let given, _, _) = verdict { given } else { nil }
        let causes = verdict.replay?.causes ?? []
        self.init(
            family: family.id, clientID: family.terms.clientID, node: node, isGranted: verdict.isAccepted,
            successor: successor,
            cause: verdict.refusal?.cause.rawValue ?? (causes.isEmpty ? nil : causes.joined(separator: ",")))
    }
}
