/// Why a text was refused as JSON, and where. Never quotes the text, which may hold a secret.
///
///     do throws(JSONError) { _ = try JSON(parsing: "[1,]") } catch {
///         print(error)                                // byte that cannot stand here at line 1, column 4 (byte 3)
///     }
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong at that place.
    public enum Kind: String, Hashable, Sendable {
        /// The text stops in the middle of a value, or holds none.
        case endOfText
        /// A byte that cannot stand here (RFC 8259 sections 2 to 7).
        case unexpectedByte
        /// Something other than white space after the value.
        case trailingBytes
        /// A number that breaks the grammar of RFC 8259 section 6: `01`, `1.`, `.5`, `+1`.
        case malformedNumber
        /// A control character that is not escaped (RFC 8259 section 7).
        case controlCharacter
        /// An escape that RFC 8259 section 7 does not know.
        case malformedEscape
        /// Half of a surrogate pair, which is no character (RFC 8259 section 8.2).
        case loneSurrogate
        /// Bytes that are not UTF-8: overlong forms, surrogates, cut characters (RFC 3629 section 3).
        case malformedUTF8
        /// RFC 8259 section 8.1 lets a reader refuse a byte order mark.
        case byteOrderMark
        /// Two members of one object with the same name, however spelled (RFC 7519 section 4, RFC 7515 section 4).
        case duplicateName
        /// More than is read of one text.
        case tooManyBytes, tooDeep, stringTooLong, numberTooLong, tooManyMembers
    }

    /// What is wrong.
    public let kind: Kind
    /// Bytes before the fault.
    public let offset: Int
    /// From 1.
    public let line: Int
    /// In characters (Unicode scalars), from 1.
    public let column: Int
}

extension JSONError: CustomStringConvertible {
    /// The fault and its place, for a log.
    public var description: String { "\(kind.description) at line \(line), column \(column) (byte \(offset))" }
}

extension JSONError.Kind: CustomStringConvertible {
    /// The fault in a few words.
    public var description: String {
        switch self {
        case .endOfText: "text ends too early"
        case .unexpectedByte: "byte that cannot stand here"
        case .trailingBytes: "bytes after the value"
        case .malformedNumber: "malformed number"
        case .controlCharacter: "control character that is not escaped"
        case .malformedEscape: "malformed escape"
        case .loneSurrogate: "lone surrogate"
        case .malformedUTF8: "malformed UTF-8"
        case .byteOrderMark: "byte order mark"
        case .duplicateName: "member named twice"
        case .tooManyBytes: "text too long"
        case .tooDeep: "arrays and objects nested too deep"
        case .stringTooLong: "string too long"
        case .numberTooLong: "number too long"
        case .tooManyMembers: "too many members"
        }
    }
}
