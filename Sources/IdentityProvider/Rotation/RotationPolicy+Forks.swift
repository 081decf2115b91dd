extension RotationPolicy {
    /// Whether one token can get two successors: where a replay within the window gets a new one.
    package var canFork: Bool { replay == .newSuccessor && acceptsReplays }
}
