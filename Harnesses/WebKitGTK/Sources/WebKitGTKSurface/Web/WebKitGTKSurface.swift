import CWebKitGTK
import Cookies
import Primitives
import SessionClient

/// A web view of WebKitGTK for a bridge.
///
///     let store = WebKitStore(.memory, clock: clock)
///     let view = WebKitView(store)
///     let bridge = WebSessionBridge(
///         session: pages, surface: WebKitGTKSurface(view), configuration: configuration, clock: clock, alarm: GLibAlarm())
@GLibActor
package final class WebKitGTKSurface: WebSurface {
    private weak var view: WebKitView?
    private let store: WebKitStore
    private let messageName: String
    private var handler: (@Sendable (WebEvent) -> Void)?
    private var cookieSignal: GLibSignal?
    private var messageSignal: GLibSignal?

    /// - Parameter messageName: under which pages find the app in `webkit.messageHandlers`.
    package init(_ view: WebKitView, messageName: String = "session") {
        self.view = view
        self.messageName = messageName
        store = view.store
        view.onTermination = { [weak self] in self?.handler?(.contentProcessTerminated) }
        register(at: view)
    }

    isolated deinit {
        cookieSignal?.disconnect()
        messageSignal?.disconnect()
    }

    private nonisolated func later(_ body: @escaping @GLibActor @Sendable (WebKitGTKSurface) -> Void) {
        GLibThread.shared.post { GLibActor.assumeIsolated { body(self) } }
    }

    // MARK: WebSurface

    package nonisolated func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) {
        later { surface in
            surface.store.readCookies { completion($0.map(WebCookies.loaded) ?? .notLoaded) }
        }
    }

    package nonisolated func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        later { $0.store.apply(changes, completion) }
    }

    package nonisolated func connect(_ handler: (@Sendable (WebEvent) -> Void)?) {
        later { surface in
            surface.handler = handler
            guard handler == nil else { return }
            surface.cookieSignal?.disconnect()
            surface.cookieSignal = nil
        }
    }

    package nonisolated func observeCookies() {
        later { surface in
            surface.cookieSignal?.disconnect()
            let changed: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in
                GLibActor.assumeIsolated { Weak.owner(data, WebKitGTKSurface.self)?.handler?(.cookiesChanged) }
            }
            surface.cookieSignal = GLibSignal(surface.store.manager, "changed", changed, surface)
        }
    }

    package nonisolated func load(_ url: String) { later { $0.view?.load(url) } }

    package nonisolated func reload() { later { $0.view?.reload() } }

    // MARK: Messages

    private func register(at view: WebKitView) {
        let manager = OpaquePointer(view.contentManager.pointer)
        let received: @convention(c) (gpointer?, OpaquePointer?, OpaquePointer?, gpointer?) -> gboolean = {
            _, value, reply, data in
            guard let value, let reply else { return 0 }
            GLibActor.assumeIsolated { Weak.owner(data, WebKitGTKSurface.self)?.received(value, reply) }
            return 1
        }
        // Before the handler is registered: a page may be faster.
        messageSignal = GLibSignal(
            view.contentManager, "script-message-with-reply-received::\(messageName)", received, self)
        _ = webkit_user_content_manager_register_script_message_handler_with_reply(
            manager, messageName, PageScripts.world)
        for script in [
            webkit_user_script_new_for_world(
                PageScripts.app(messageName), WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES,
                WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, PageScripts.world, nil, nil),
            webkit_user_script_new(
                PageScripts.page(messageName), WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES,
                WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, nil, nil),
        ] {
            webkit_user_content_manager_add_script(manager, script)
            webkit_user_script_unref(script)
        }
    }

    private func received(_ value: OpaquePointer, _ reply: OpaquePointer) {
        let waiting = WaitingReply(reply, in: jsc_value_get_context(value))
        guard let handler, let text = jsc_value_to_string(value) else { return waiting.end(.failure("closed")) }
        defer { g_free(text) }
        guard let said = try? JSON(parsing: String(cString: text)), let body = said["body"],
            let isMainFrame = said["isMainFrame"]?.bool
        else { return waiting.end(.failure("not understood")) }
        handler(
            .message(
                ScriptMessage(
                    origin: said["origin"]?.string.flatMap(WebOrigin.init), isMainFrame: isMainFrame, body: body,
                    reply: waiting.end)))
    }
}
