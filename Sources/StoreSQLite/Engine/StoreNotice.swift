/// What whoever runs the server is told of the database, besides what those hear who ask something of it.
package enum StoreNotice: Hashable, Sendable {
    /// An older program wrote it, and it is being brought up to date, which takes a while where there is much in it.
    case updating(from: Int, to: Int)
    /// It does not work any more.
    case failing(reason: String)
    /// It works again.
    case working
    /// Records are not as they were written. Whoever looks for one of them is refused, and who looks at all passes over them.
    case damaged(count: Int, table: String, tenant: String)
}
