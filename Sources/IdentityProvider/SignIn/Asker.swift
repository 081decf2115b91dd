import HTTPMessages

/// Who makes an attempt, as far as browsers tell. Attempts are counted apart for each.
///
/// On loopback everybody has the same address, and every page that a browser there shows may post a form to us (Fetch section
/// 4.8: nobody is asked ahead of it). Were its wrong secrets counted with those of programs, it could shut a client out without
/// reading a single answer. What a browser says of a page, the page cannot change (`Origin`, Fetch section 3.2; Fetch Metadata
/// section 2.2). Whoever tries secrets by all three ways has three times as many attempts, which is nothing to one that nobody
/// guesses.
enum Asker: String, Sendable {
    /// No page at all, or one of our own, which ``FormGuard`` tells from others.
    case program
    /// A page that may read the answer.
    case page
    /// A page that may not.
    case stranger

    /// - Parameter policy: which pages may read the answer.
    init(of request: ServerRequest, readersBy policy: CrossOriginPolicy) {
        let fields = request.head.headerFields
        let origins = fields[values: .origin]
        guard origins.isEmpty else {
            self = origins.allSatisfy { CrossOrigin(policy: policy).admits($0) } ? .page : .stranger
            return
        }
        // Some browsers send no origin with a form, and none with a link.
        self = fields[values: .secFetchSite].contains("cross-site") ? .stranger : .program
    }
}
