import CWebKitGTK
import WebKitGTKSurface

/// The HTTP server of libsoup, which is there wherever WebKitGTK is.
@GLibActor
final class GLibServer {
    nonisolated let port: Int
    private nonisolated(unsafe) let server: OpaquePointer
    private let handler: Site.Handler

    struct Failure: Error {
        let reason: String
    }

    init(certificate: String?, _ handler: @escaping Site.Handler) throws {
        self.handler = handler
        guard let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else {
            throw Failure(reason: "no server")
        }
        let server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
        self.server = OpaquePointer(server)
        var options = SOUP_SERVER_LISTEN_IPV4_ONLY
        if let certificate {
            guard let pair = g_tls_certificate_new_from_file(certificate, nil) else {
                throw Failure(reason: "no certificate in \(certificate)")
            }
            soup_server_set_tls_certificate(server, pair)
            g_object_unref(pair)
            options = SoupServerListenOptions(rawValue: options.rawValue | SOUP_SERVER_LISTEN_HTTPS.rawValue)
        }
        guard soup_server_listen_local(server, 0, options, nil) != 0, let uris = soup_server_get_uris(server) else {
            throw Failure(reason: "cannot listen")
        }
        port = Int(g_uri_get_port(OpaquePointer(uris.pointee.data)))
        g_slist_free_full(uris) { if let uri = $0 { g_uri_unref(OpaquePointer(uri)) } }
        let took: SoupServerCallback = { _, message, bytes, _, data in
            guard let message, let bytes, let data else { return }
            let path = String(cString: bytes)
            let server = Unmanaged<GLibServer>.fromOpaque(data).takeUnretainedValue()
            GLibActor.assumeIsolated { server.took(message, path) }
        }
        // It is kept until it is stopped.
        soup_server_add_handler(server, nil, took, Unmanaged.passRetained(self).toOpaque()) { data in
            if let data { Unmanaged<GLibServer>.fromOpaque(data).release() }
        }
    }

    func stop() {
        let server = UnsafeMutablePointer<SoupServer>(server)
        soup_server_disconnect(server)
        g_object_unref(server)
    }

    private func took(_ message: OpaquePointer, _ path: String) {
        let fields = soup_server_message_get_request_headers(message)
        let field = { (name: String) in soup_message_headers_get_list(fields, name).map { String(cString: $0) } }
        let request = Site.Request(
            method: soup_server_message_get_method(message).map { String(cString: $0) } ?? "",
            host: field("Host") ?? "", path: path, cookie: field("Cookie"))
        let exchange = Exchange(message)
        soup_server_message_pause(message)
        Task {
            let answer = await handler(request)
            exchange.finish(answer)
        }
    }

    /// One request that waits for its answer.
    private final class Exchange: Sendable {
        private nonisolated(unsafe) let message: OpaquePointer

        init(_ message: OpaquePointer) {
            self.message = message
            g_object_ref(UnsafeMutableRawPointer(message))
        }

        @GLibActor
        func finish(_ answer: Site.Answer) {
            let fields = soup_server_message_get_response_headers(message)
            soup_message_headers_append(fields, "Cache-Control", "no-store")
            for (name, value) in answer.fields { soup_message_headers_append(fields, name, value) }
            for cookie in answer.setCookies { soup_message_headers_append(fields, "Set-Cookie", cookie) }
            soup_server_message_set_status(message, answer.status, nil)
            answer.body.withCString { text in
                soup_server_message_set_response(
                    message, answer.type, SOUP_MEMORY_COPY, text, gsize(answer.body.utf8.count))
            }
            soup_server_message_unpause(message)
            g_object_unref(UnsafeMutableRawPointer(message))
        }
    }
}
