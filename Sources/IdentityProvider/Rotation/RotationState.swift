import Primitives

/// Where a family stands in the line of its refresh tokens: the least that has to be remembered.
package struct RotationState: Hashable, Sendable {
    /// The number of the refresh token that is good; those below it are spent. Zero: none was given yet.
    package var current: UInt32 = 0
    package var rotatedAt: Timestamp?
    package var lastUsedAt: Timestamp?

    package init() {}
}
