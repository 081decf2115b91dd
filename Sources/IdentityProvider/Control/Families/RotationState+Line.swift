extension RotationState {
    /// What is known of the tokens that were given, in the order of their numbers, and how many there were.
    ///
    /// Those that are good are always among them. Of those that nobody remembers it is known that they are not good any
    /// more, and the last of them are told.
    ///
    /// - Parameter leafState: what those are that were not replaced.
    func line(_ leafState: FamilyTree.State) -> (nodes: [FamilyTree.Node], count: Int) {
        var nodes = leaves.map { leaf in
            FamilyTree.Node(leaf.node, parent: leaf.parent > 0 ? leaf.parent : nil, leafState)
        }
        let parents = Dictionary(uniqueKeysWithValues: spent.map { ($0.node, $0.parent) })
        func parent(of node: UInt32) -> UInt32? {
            if isLine { return node > 1 ? node - 1 : nil }
            if let parent = parents[node], parent > 0 { return parent }
            return spent.first { $0.successor == node }?.node
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
}
