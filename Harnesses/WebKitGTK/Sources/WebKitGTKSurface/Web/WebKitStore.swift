import CWebKitGTK
import Cookies
import Primitives

/// The cookies and caches of web views: a network session of WebKitGTK. Views that are to share a login share it.
@GLibActor
package final class WebKitStore {
    /// Where it keeps what it has.
    package enum Place: Hashable, Sendable {
        /// Nowhere: it ends with the last web view that has it (S17).
        case memory
        /// A directory, out of which the next start of the app has it again.
        case directory(String)
    }

    let session: GLibObject
    let manager: GLibObject
    private let clock: any WallClock

    package init(_ place: Place, clock: any WallClock) {
        self.clock = clock
        let session: OpaquePointer? =
            switch place {
            case .memory: webkit_network_session_new_ephemeral()
            case .directory(let path): webkit_network_session_new(path + "/data", path + "/cache")
            }
        guard let session, let manager = webkit_network_session_get_cookie_manager(session) else {
            preconditionFailure("no network session")
        }
        self.session = GLibObject(gpointer(session))
        // It does not outlive its session, whoever has a reference.
        self.manager = GLibObject(gpointer(manager), partOf: self.session)
        if case .directory(let path) = place {
            webkit_cookie_manager_set_persistent_storage(
                manager, path + "/cookies.sqlite", WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
        }
    }

    /// Takes certificates of servers as they come: for tests, which sign their own.
    package func acceptAnyCertificate() {
        webkit_network_session_set_tls_errors_policy(
            OpaquePointer(session.pointer), WEBKIT_TLS_ERRORS_POLICY_IGNORE)
    }

    // MARK: Reading

    /// Everything that is there, what is HttpOnly included; `nil`: there was no answer.
    package func readCookies(_ completion: @escaping @Sendable ([Cookie]?) -> Void) {
        readWithNetwork { completion(self.cookies($0)) }
    }

    /// The first answer, whoever gives it: for showing what comes of that.
    package func readCookiesAtOnce(_ completion: @escaping @Sendable ([Cookie]?) -> Void) {
        readNative { completion(self.cookies($0)) }
    }

    private func cookies(_ cookies: [SoupCookieReference]?) -> [Cookie]? {
        cookies?.compactMap { Cookie($0.pointer, at: clock.now()) }
    }

    /// After the network process has ended, WebKit answers without one that there are no cookies (S9): whatever is on the disk, and
    /// is sent with the next page. So an answer that is empty counts when the network process has said something.
    private func readWithNetwork(_ completion: @escaping @GLibActor ([SoupCookieReference]?) -> Void) {
        readNative { cookies in
            guard let cookies, cookies.isEmpty else { return completion(cookies) }
            self.hearNetwork { self.readNative(completion) }
        }
    }

    /// A question that cannot be answered without it, so that it is started where it is not there.
    private func hearNetwork(_ completion: @escaping @GLibActor () -> Void) {
        webkit_cookie_manager_get_accept_policy(
            OpaquePointer(manager.pointer), nil,
            { source, result, data in
                GLibActor.assumeIsolated {
                    _ = webkit_cookie_manager_get_accept_policy_finish(OpaquePointer(source), result, nil)
                    Box<@GLibActor () -> Void>.taken(data).value()
                }
            }, Box.retained(completion))
    }

    private func readNative(_ completion: @escaping @GLibActor ([SoupCookieReference]?) -> Void) {
        webkit_cookie_manager_get_all_cookies(
            OpaquePointer(manager.pointer), nil,
            { source, result, data in
                GLibActor.assumeIsolated {
                    let completion = Box<@GLibActor ([SoupCookieReference]?) -> Void>.taken(data).value
                    var error: UnsafeMutablePointer<GError>?
                    let list = webkit_cookie_manager_get_all_cookies_finish(OpaquePointer(source), result, &error)
                    guard error == nil else {
                        g_error_free(error)
                        return completion(nil)
                    }
                    var cookies: [SoupCookieReference] = []
                    var next = list
                    while let link = next {
                        if let cookie = link.pointee.data { cookies.append(SoupCookieReference(OpaquePointer(cookie))) }
                        next = link.pointee.next
                    }
                    g_list_free(list)
                    completion(cookies)
                }
            }, Box.retained(completion))
    }

    // MARK: Writing

    /// Makes changes, one after the other.
    package func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        apply(changes[...], completion)
    }

    private func apply(_ changes: ArraySlice<CookieChange>, _ completion: @escaping @Sendable () -> Void) {
        guard let change = changes.first else { return completion() }
        let next: @GLibActor () -> Void = { self.apply(changes.dropFirst(), completion) }
        switch change {
        case .set(let cookie):
            guard let cookie = SoupCookieReference(cookie) else { return next() }
            add(cookie, next)
        case .expire(let identity): remove(identity, next)
        }
    }

    private func add(_ cookie: SoupCookieReference, _ completion: @escaping @GLibActor () -> Void) {
        webkit_cookie_manager_add_cookie(
            OpaquePointer(manager.pointer), cookie.pointer, nil,
            { source, result, data in
                GLibActor.assumeIsolated {
                    _ = webkit_cookie_manager_add_cookie_finish(OpaquePointer(source), result, nil)
                    Box<@GLibActor () -> Void>.taken(data).value()
                }
            }, Box.retained(completion))
    }

    private func delete(_ cookies: ArraySlice<SoupCookieReference>, _ completion: @escaping @GLibActor () -> Void) {
        guard let cookie = cookies.first else { return completion() }
        let next: @GLibActor () -> Void = { self.delete(cookies.dropFirst(), completion) }
        webkit_cookie_manager_delete_cookie(
            OpaquePointer(manager.pointer), cookie.pointer, nil,
            { source, result, data in
                GLibActor.assumeIsolated {
                    _ = webkit_cookie_manager_delete_cookie_finish(OpaquePointer(source), result, nil)
                    Box<@GLibActor () -> Void>.taken(data).value()
                }
            }, Box.retained(next))
    }

    /// The engine deletes only what has the same value too: so it is read before.
    private func remove(_ identity: Cookie.Identity, _ completion: @escaping @GLibActor () -> Void) {
        readWithNetwork { cookies in
            let doomed = (cookies ?? []).filter { Cookie($0.pointer, at: self.clock.now())?.identity == identity }
            self.delete(doomed[...], completion)
        }
    }

    /// Removes every cookie, as the browser's own "clear data" does it.
    package func clear(_ completion: @escaping @Sendable () -> Void) {
        webkit_website_data_manager_clear(
            webkit_network_session_get_website_data_manager(OpaquePointer(session.pointer)),
            WEBKIT_WEBSITE_DATA_COOKIES, 0, nil,
            { source, result, data in
                _ = webkit_website_data_manager_clear_finish(OpaquePointer(source), result, nil)
                Box<@Sendable () -> Void>.taken(data).value()
            }, Box.retained(completion))
    }
}
