/// Ends the run as a finding unless the rule holds for this input.
func require(_ holds: Bool, _ rule: StaticString) {
    guard !holds else { return }
    fatalError("broken: \(rule)")
}

extension Span<UInt8> {
    /// A copy.
    func array() -> [UInt8] {
        withUnsafeBufferPointer { Array($0) }
    }
}
