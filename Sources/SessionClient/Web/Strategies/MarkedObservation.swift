import Cookies
import Primitives

/// Has each side follow the other, and knows whose change it was and which came later: what the web view shows that is
/// older than what was written there is on its way out, and what it shows that was never known is new (S7, S12).
struct MarkedObservation: MirrorRule {
    /// What it means that a cookie is not in the web view which was there.
    enum Missing: Hashable, Sendable {
        /// Somebody has deleted it. A store that loses cookies signs the user out.
        case isDeletion
        /// It is lost, and comes back. Only the app deletes.
        case isLoss
    }

    private struct Record {
        /// `nil`: it was deleted, which is as much a state as any.
        var newest: Cookie?
        /// Whether the web view was seen to have it so.
        var isSeen = false
        /// The values that it had before, the last first. One that comes again is late, whatever life it is given.
        var past: [String] = []

        func wasBefore(_ cookie: Cookie) -> Bool { past.contains { sameText($0, cookie.value) } }

        mutating func replace(with cookie: Cookie?, isSeen: Bool) {
            if let newest { past = [newest.value] + past.prefix(MarkedObservation.pastLimit - 1) }
            // What the app sets again is new again.
            if let cookie { past.removeAll { sameText($0, cookie.value) } }
            newest = cookie
            self.isSeen = isSeen
        }
    }

    /// Values of one cookie that are known to be old.
    private static let pastLimit = 32

    private let missing: Missing
    private var records: [Cookie.Identity: Record] = [:]

    init(missing: Missing) {
        self.missing = missing
    }

    mutating func nativeChanged(_ changes: [CookieChange], by writer: NativeCookies.Writer) -> [CookieChange] {
        // What the web view has brought about, it has.
        guard writer == .app else { return [] }
        for change in changes {
            let cookie: Cookie? = if case .set(let cookie) = change { cookie } else { nil }
            records[change.identity, default: Record()].replace(with: cookie, isSeen: false)
        }
        return changes
    }

    mutating func webShows(_ view: WebCookies, native: [Cookie]) -> MirrorChanges {
        // Not loaded is not empty (S9).
        guard case .loaded(let cookies) = view else { return MirrorChanges() }
        var changes = MirrorChanges()
        for cookie in cookies { show(cookie, &changes) }
        let shown = Set(cookies.map(\.identity))
        for identity in records.keys.sorted(by: { $0.name < $1.name }) where !shown.contains(identity) {
            miss(identity, &changes)
        }
        return changes
    }

    private mutating func show(_ cookie: Cookie, _ changes: inout MirrorChanges) {
        var record = records[cookie.identity] ?? Record(isSeen: true)
        defer { records[cookie.identity] = record }
        if let newest = record.newest, newest.isShown(as: cookie) {
            record.isSeen = true
        } else if record.wasBefore(cookie) {
            // Not there yet; or there, and overwritten by something that was late.
            guard record.isSeen else { return }
            record.isSeen = false
            changes.web.append(record.newest.map { .set($0) } ?? .expire(cookie.identity))
        } else {
            record.replace(with: cookie, isSeen: true)
            changes.native.append(.set(cookie))
        }
    }

    private mutating func miss(_ identity: Cookie.Identity, _ changes: inout MirrorChanges) {
        guard let record = records[identity] else { return }
        guard let newest = record.newest else {
            records[identity]?.isSeen = true
            return
        }
        guard record.isSeen else { return }
        switch missing {
        case .isDeletion:
            records[identity]?.replace(with: nil, isSeen: true)
            changes.native.append(.expire(identity))
        case .isLoss:
            records[identity]?.isSeen = false
            changes.web.append(.set(newest))
        }
    }

    /// What was under way has gone with the process.
    mutating func webRestarted() -> [CookieChange] {
        records.filter { !$0.value.isSeen }.sorted { $0.key.name < $1.key.name }.map { identity, record in
            record.newest.map { .set($0) } ?? .expire(identity)
        }
    }

    var looksBeforePages: Bool { true }
    var isPageWelcome: Bool { records.values.allSatisfy(\.isSeen) }
}
