import Primitives

/// The `error` of an answer (RFC 6749 section 5.2).
enum RefusalText {
    static func code(in body: [UInt8]) -> String? {
        (try? JSON(parsing: String(decoding: body, as: UTF8.self)))?["error"]?.string
    }
}
