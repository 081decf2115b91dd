import Primitives

/// Where a family stands in the line of its refresh tokens: the least that has to be remembered, however old it is.
///
/// Tokens have numbers from one on. Those that are good are the leaves of a tree in which each token is the child of the
/// one that it replaced; mostly there is one. Of those that were replaced, some are remembered, as long as a policy may do
/// anything with them but refuse them. Every other number that was given was replaced before that: it needs no record.
package struct RotationState: Hashable, Sendable {
    /// How many tokens were given. The last one has this number.
    package private(set) var count: UInt32 = 0
    /// Apart from the others, so that a family with one good token has no array.
    private var newest: Leaf?
    private var older: [Leaf] = []
    /// In the order in which they were replaced.
    package private(set) var spent: [Spent] = []
    /// Whether no token has ever had two successors, so that each has replaced the one before it.
    package private(set) var isLine = true
    /// When a token took the place of another, the last time.
    package private(set) var rotatedAt: Timestamp?
    /// When somebody got something for a token, the last time.
    package private(set) var lastUsedAt: Timestamp?

    /// A replay gets no new successor while as many tokens of the family are good: it is refused, and nothing ends.
    package static let maximumLeafCount = 16
    /// When more were replaced within the window, the oldest is forgotten; its replay counts as one outside.
    package static let maximumSpentCount = 32

    package init() {}

    /// A token that is good.
    package struct Leaf: Hashable, Sendable {
        package let node: UInt32
        /// The one that it replaced; zero: it is the first.
        package let parent: UInt32
        package let given: Timestamp

        init(node: UInt32, parent: UInt32, given: Timestamp) {
            self.node = node
            self.parent = parent
            self.given = given
        }
    }

    /// A token that was replaced.
    package struct Spent: Hashable, Sendable {
        package let node: UInt32
        /// The last one that was given in its place.
        package fileprivate(set) var successor: UInt32
        package let at: Timestamp
        /// How often it was presented and accepted since.
        package fileprivate(set) var replays: UInt16 = 0
        /// Whether somebody has presented one of its successors.
        package fileprivate(set) var isSuccessorUsed = false
        /// Whether one of its successors is replaced itself.
        package fileprivate(set) var isSuccessorSpent = false
        /// The one that it had replaced itself; zero: it is the first, or nobody knows.
        package let parent: UInt32

        init(node: UInt32, parent: UInt32, successor: UInt32, at moment: Timestamp) {
            self.node = node
            self.parent = parent
            self.successor = successor
            at = moment
        }
    }
}

// MARK: - What there is

extension RotationState {
    /// The newest token that is good; zero: none is.
    package var current: UInt32 { newest?.node ?? 0 }

    /// In the order of their numbers.
    package var leaves: [Leaf] { newest.map { older.isEmpty ? [$0] : older + [$0] } ?? [] }

    /// In the same order, without an array of them.
    func forEachLeaf(_ body: (Leaf) -> Void) {
        for leaf in older { body(leaf) }
        if let newest { body(newest) }
    }

    package var leafCount: Int { newest == nil ? 0 : older.count + 1 }

    package func leaf(_ node: UInt32) -> Leaf? {
        if let newest, newest.node == node { return newest }
        return older.first { $0.node == node }
    }

    package func isLive(_ node: UInt32) -> Bool { leaf(node) != nil }

    package func record(of node: UInt32) -> Spent? { spent.last { $0.node == node } }

    /// Numbers are not given twice, so that they can come to an end.
    var canGive: Bool { count < UInt32.max }
}

// MARK: - What happens

extension RotationState {
    /// Gives the first token.
    package mutating func begin(at now: Timestamp) {
        precondition(count == 0, "a line begins once")
        give(parent: 0, at: now)
    }

    private mutating func give(parent: UInt32, at now: Timestamp) {
        precondition(canGive, "who gives has looked whether there are numbers left")
        count += 1
        if let newest { older.append(newest) }
        newest = Leaf(node: count, parent: parent, given: now)
    }

    private mutating func remove(_ node: UInt32) {
        if newest?.node == node {
            newest = older.popLast()
        } else {
            older.removeAll { $0.node == node }
        }
    }

    /// Notes that a good token was presented and accepted.
    mutating func use(_ leaf: Leaf, at now: Timestamp) {
        lastUsedAt = now
        change(leaf.parent) { $0.isSuccessorUsed = true }
    }

    /// Replaces a good token by its successor, and remembers it if that matters.
    mutating func spend(_ leaf: Leaf, at now: Timestamp, remembering isRemembered: Bool) {
        remove(leaf.node)
        give(parent: leaf.node, at: now)
        rotatedAt = now
        change(leaf.parent) { $0.isSuccessorSpent = true }
        guard isRemembered else { return }
        spent.append(Spent(node: leaf.node, parent: leaf.parent, successor: count, at: now))
        if spent.count > Self.maximumSpentCount { spent.removeFirst() }
    }

    /// Notes that a token that was replaced was presented and accepted.
    mutating func replay(_ node: UInt32, at now: Timestamp) {
        lastUsedAt = now
        change(node) { $0.replays = $0.replays == .max ? .max : $0.replays + 1 }
    }

    /// Gives another successor to a token that was replaced.
    mutating func giveSuccessor(of record: Spent, replacing isReplacing: Bool, at now: Timestamp) {
        isLine = false
        if isReplacing { remove(record.successor) }
        give(parent: record.node, at: now)
        rotatedAt = now
        let successor = count
        change(record.node) { $0.successor = successor }
    }

    mutating func revokeNewest() { newest = older.popLast() }

    mutating func forget(where isMeant: (Spent) -> Bool) {
        if !spent.isEmpty { spent.removeAll(where: isMeant) }
    }

    private mutating func change(_ node: UInt32, by body: (inout Spent) -> Void) {
        guard let index = spent.lastIndex(where: { $0.node == node }) else { return }
        body(&spent[index])
    }
}

// MARK: - As it was kept

extension RotationState {
    /// Everything of it; `nil` when that is no state that a line can be in.
    init?(
        count: UInt32, isLine: Bool, newest: Leaf?, older: [Leaf], spent: [Spent], rotatedAt: Timestamp?,
        lastUsedAt: Timestamp?
    ) {
        self.isLine = isLine
        self.count = count
        self.older = older
        self.newest = newest
        self.spent = spent
        self.rotatedAt = rotatedAt
        self.lastUsedAt = lastUsedAt
        guard isSound else { return nil }
    }

    private var isSound: Bool {
        // Most families have one token that is good, and remember none of those before it.
        guard !(older.isEmpty && spent.isEmpty) else { return newest.map(isPossible) ?? true }
        let leaves = leaves
        guard leaves.count <= Self.maximumLeafCount, spent.count <= Self.maximumSpentCount else { return false }
        guard zip(leaves, leaves.dropFirst()).allSatisfy({ $0.node < $1.node }) else { return false }
        guard leaves.allSatisfy(isPossible) else { return false }
        guard spent.allSatisfy({ $0.node >= 1 && $0.node < $0.successor && $0.successor <= count }),
            spent.allSatisfy({ $0.parent < $0.node })
        else { return false }
        // Leaves alone are in order already.
        guard !spent.isEmpty else { return true }
        let nodes = (leaves.map(\.node) + spent.map(\.node)).sorted()
        return zip(nodes, nodes.dropFirst()).allSatisfy(<)
    }

    private func isPossible(_ leaf: Leaf) -> Bool { leaf.node <= count && leaf.parent < leaf.node }
}

extension RotationState.Spent {
    /// As it was kept.
    init(
        node: UInt32, parent: UInt32, successor: UInt32, at moment: Timestamp, replays: UInt16, isSuccessorUsed: Bool,
        isSuccessorSpent: Bool
    ) {
        self.init(node: node, parent: parent, successor: successor, at: moment)
        self.replays = replays
        self.isSuccessorUsed = isSuccessorUsed
        self.isSuccessorSpent = isSuccessorSpent
    }
}
