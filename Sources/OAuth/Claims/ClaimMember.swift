/// A name and what it is set to.
struct ClaimMember: Hashable, Sendable {
    let name: String
    let value: ClaimExpression
}
