import CWebKitGTK
import Primitives
import SessionClient

/// A promise in a page that waits for the app.
final class WaitingReply: Sendable {
    private nonisolated(unsafe) let reply: OpaquePointer
    private nonisolated(unsafe) let context: OpaquePointer?

    @GLibActor
    init(_ reply: OpaquePointer, in context: OpaquePointer?) {
        self.reply = webkit_script_message_reply_ref(reply)
        self.context = context
        if let context { g_object_ref(UnsafeMutableRawPointer(context)) }
    }

    deinit {
        nonisolated(unsafe) let (reply, context) = (reply, context)
        GLibThread.shared.post {
            webkit_script_message_reply_unref(reply)
            if let context { g_object_unref(UnsafeMutableRawPointer(context)) }
        }
    }

    @Sendable
    func end(_ answer: ScriptReply) {
        GLibThread.shared.post { [self] in
            switch answer {
            case .value(let json):
                let value = jsc_value_new_string(context, json.text())
                webkit_script_message_reply_return_value(reply, value)
                if let value { g_object_unref(UnsafeMutableRawPointer(value)) }
            case .failure(let text): webkit_script_message_reply_return_error_message(reply, text)
            }
        }
    }
}
