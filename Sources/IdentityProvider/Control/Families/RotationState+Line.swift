extension RotationState {
    /// What is known of the tokens that were given, in the order of their numbers, and how many there were.
    ///
    /// Those that are good are always among them. Of those that nobody remembers it is known that they are not good any
    /// more, and the last of them are told.
    ///
    /// - Parameters:
    ///   - leafState: what those are that were not replaced.
    ///   - isLine: whether each has replaced the one before it.
    func line(_ leafState: FamilyTree.State, isLine: Bool) -> (nodes: [FamilyTree.Node], count: Int) {
        var nodes = leaves.map { leaf in
            FamilyTree.Node(leaf.node, parent: leaf.parent > 0 ? leaf.parent : nil, leafState)
        }
        func parent(of node: UInt32) -> UInt32? {
            rememberedParent(of: node) ?? (isLine && node > 1 ? node - 1 : nil)
        }
        nodes += spent.map { FamilyTree.Node($0.node, parent: parent(of: $0.node), .spent) }
        let remembered = Set(nodes.map(\.number))
        var number = count
        while number > 0, nodes.count < FamilyTree.maximumNodeCount {
            if !remembered.contains(number) {
                nodes.append(FamilyTree.Node(number, parent: parent(of: number), .spent))
            }
            number -= 1
        }
        return (nodes.sorted { $0.number < $1.number }, Int(count))
    }

    private func rememberedParent(of node: UInt32) -> UInt32? { spent.first { $0.successor == node }?.node }
}
