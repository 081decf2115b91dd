import CWebKitGTK
import Primitives

/// A web view in a window of its own.
@GLibActor
package final class WebKitView {
    /// How a navigation went on.
    package enum Navigation: Hashable, Sendable {
        case committed(String)
        case finished(String)
        case failed(String, reason: String)
    }

    package let store: WebKitStore
    let contentManager: GLibObject
    private let view: GLibObject
    private nonisolated(unsafe) let window: UnsafeMutablePointer<GtkWindow>
    private var signals: [GLibSignal] = []
    private var lastURL: String?

    package var onNavigation: ((Navigation) -> Void)?
    var onTermination: (() -> Void)?

    package init(_ store: WebKitStore) {
        self.store = store
        guard let manager = webkit_user_content_manager_new(),
            let view = webkitgtk_view_new(OpaquePointer(store.session.pointer), manager), let widget = gtk_window_new()
        else { preconditionFailure("no web view") }
        contentManager = GLibObject(gpointer(manager))
        self.view = GLibObject(g_object_ref(gpointer(view)))
        window = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_default_size(window, 640, 480)
        gtk_window_set_child(window, UnsafeMutableRawPointer(view).assumingMemoryBound(to: GtkWidget.self))
        gtk_window_present(window)
        connect()
    }

    isolated deinit {
        for signal in signals { signal.disconnect() }
        gtk_window_destroy(window)
    }

    private var pointer: UnsafeMutablePointer<WebKitWebView> {
        view.pointer.assumingMemoryBound(to: WebKitWebView.self)
    }

    // MARK: Navigation

    /// `nil`: no page stands there, or its process is gone.
    package var url: String? {
        guard let text = webkit_web_view_get_uri(pointer), text.pointee != 0 else { return nil }
        return String(cString: text)
    }

    package func load(_ url: String) {
        lastURL = url
        webkit_web_view_load_uri(pointer, url)
    }

    /// After the content process has ended, the view does not know any more where it was.
    package func reload() {
        if url != nil { webkit_web_view_reload(pointer) } else if let lastURL { load(lastURL) }
    }

    /// Has the engine end the process with the page in it.
    package func terminateContentProcess() { webkit_web_view_terminate_web_process(pointer) }

    private func connect() {
        let changed: @convention(c) (gpointer?, WebKitLoadEvent, gpointer?) -> Void = { _, event, data in
            GLibActor.assumeIsolated { Weak.owner(data, WebKitView.self)?.loadChanged(event) }
        }
        let failed:
            @convention(c) (
                gpointer?, WebKitLoadEvent, UnsafePointer<CChar>?, UnsafeMutablePointer<GError>?, gpointer?
            ) -> gboolean = { _, _, url, error, data in
                let url = url.map { String(cString: $0) } ?? ""
                let reason = error.map { String(cString: $0.pointee.message) } ?? ""
                GLibActor.assumeIsolated {
                    Weak.owner(data, WebKitView.self)?.onNavigation?(.failed(url, reason: reason))
                }
                return 0
            }
        let terminated: @convention(c) (gpointer?, WebKitWebProcessTerminationReason, gpointer?) -> Void = {
            _, _, data in
            GLibActor.assumeIsolated { Weak.owner(data, WebKitView.self)?.onTermination?() }
        }
        signals = [
            GLibSignal(view, "load-changed", changed, self), GLibSignal(view, "load-failed", failed, self),
            GLibSignal(view, "web-process-terminated", terminated, self),
        ]
    }

    private func loadChanged(_ event: WebKitLoadEvent) {
        switch event {
        case WEBKIT_LOAD_COMMITTED:
            lastURL = url ?? lastURL
            onNavigation?(.committed(url ?? ""))
        case WEBKIT_LOAD_FINISHED: onNavigation?(.finished(url ?? ""))
        default: break
        }
    }

    // MARK: Scripts

    /// Runs the body of an asynchronous function in the page, and gives what it returns.
    package func call(_ body: String) async throws(ScriptFailure) -> JSON {
        let result: Result<JSON, ScriptFailure> = await withCheckedContinuation { continuation in
            webkit_web_view_call_async_javascript_function(
                pointer, body, -1, nil, nil, nil, nil,
                { source, result, data in
                    let continuation = Box<CheckedContinuation<Result<JSON, ScriptFailure>, Never>>.taken(data).value
                    guard let source else { return continuation.resume(returning: .failure(ScriptFailure("no view"))) }
                    var error: UnsafeMutablePointer<GError>?
                    let view = UnsafeMutableRawPointer(source).assumingMemoryBound(to: WebKitWebView.self)
                    let value = webkit_web_view_call_async_javascript_function_finish(view, result, &error)
                    if let error {
                        continuation.resume(returning: .failure(ScriptFailure(String(cString: error.pointee.message))))
                        g_error_free(error)
                    } else {
                        continuation.resume(returning: .success(value.flatMap { JSON(scriptValue: $0) } ?? .null))
                    }
                    if let value { g_object_unref(UnsafeMutableRawPointer(value)) }
                }, Box.retained(continuation))
        }
        return try result.get()
    }
}

/// Why a script gave nothing: it threw, or its page is gone.
package struct ScriptFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension JSON {
    /// `nil`: it is nothing that JSON has.
    init?(scriptValue: OpaquePointer) {
        guard let text = jsc_value_to_json(scriptValue, 0) else { return nil }
        defer { g_free(text) }
        guard let json = try? JSON(parsing: String(cString: text)) else { return nil }
        self = json
    }
}
