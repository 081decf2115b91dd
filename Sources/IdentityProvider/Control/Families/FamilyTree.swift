import OAuth
import Primitives

/// The refresh tokens of a family as a tree: each is the child of the one that it replaced. Numbers, no tokens.
package struct FamilyTree: Sendable, Hashable {
    /// A refresh token.
    package struct Node: Sendable, Hashable {
        package let number: UInt32
        /// The one that it replaced; `nil`: it is the first, or the family has forked and nobody remembers.
        package var parent: UInt32?
        package var state: State

        package init(_ number: UInt32, parent: UInt32?, _ state: State) {
            self.number = number
            self.parent = parent
            self.state = state
        }

        /// Whether it has replaced another, and nobody remembers which.
        package var isParentForgotten: Bool { parent == nil && number > 1 }
    }

    /// Whether a token is good.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case live
        /// It was replaced.
        case spent
        /// It would be good if its family, or that family's time, had not ended.
        case ended
    }

    /// In the order of their numbers. Of long lines the end.
    package let nodes: [Node]
    /// How many there were before those, of which nothing is told.
    package let earlierCount: Int

    /// Tokens that are told at most.
    package static let maximumNodeCount = 50

    package init(_ family: Family, at now: Timestamp) {
        let isOver = family.ended != nil || family.terms.expires.map { now >= $0 } == true
        let line = family.rotation.line(isOver ? .ended : .live)
        nodes = Array(line.nodes.suffix(Self.maximumNodeCount))
        earlierCount = line.count - nodes.count
    }

    /// The numbers of those that are good.
    package var live: [UInt32] { nodes.filter { $0.state == .live }.map(\.number) }
}
