import HTTPMessages
import Primitives

/// A request of a browser, with what it means to a proxy.
struct ProxyRequest: Sendable {
    let server: ServerRequest
    let site: RequestSite

    var head: HTTPRequest { server.head }
    var fields: HTTPFields { server.head.headerFields }

    init(_ server: ServerRequest, at origin: PublicOrigin) {
        self.server = server
        site = RequestSite(server.head.headerFields, at: origin)
    }

    /// Path and query, as they came.
    var target: String { head.path ?? "" }

    var path: Substring { target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)] }

    var query: [UInt8] { Array(target.utf8.dropFirst(path.utf8.count + 1)) }

    /// RFC 9110 section 9.2.1: those that only read.
    var isSafe: Bool { [.get, .head, .options].contains(head.method) }

    /// Whether the browser goes there, so that it can be sent elsewhere: by Fetch Metadata, and where there are none by what the
    /// browser wants to see.
    var isNavigation: Bool {
        guard head.method == .get else { return false }
        guard let mode = fields[.secFetchMode] else {
            return fields[.accept]?.lowercased().utf8.contains(sequence: "text/html") ?? false
        }
        return sameText(mode, "navigate")
    }

    /// Whether it is shown inside another page.
    var isForAFrame: Bool { fields[.secFetchDest].map { !sameText($0, "document") } ?? false }

    /// Whether answering it with what the session may see, or doing what it asks for, is in the user's interest.
    ///
    /// What changes something comes from a page of this origin, and says so. What reads comes from wherever a user may follow a
    /// link; but what another page embeds or fetches comes with the session only on the same site, and from there it is not
    /// wanted either.
    var isWanted: Bool {
        switch site {
        case .own: true
        case .user, .unknown: isSafe
        case .foreign: isNavigation && !isForAFrame
        }
    }
}

extension String.UTF8View {
    fileprivate func contains(sequence: StaticString) -> Bool {
        let count = sequence.utf8CodeUnitCount
        return indices.contains { index in
            self[index...].prefix(count).elementsEqual(UnsafeBufferPointer(start: sequence.utf8Start, count: count))
        }
    }
}
