import Crypto
import IdentityProvider
import OAuth
import Primitives

/// Under which bytes something is kept.
enum StoreKey {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Others choose the parts, as long as they like.
    static func identifier(_ identifier: OneTimeIdentifier) -> [UInt8] {
        var writer = RecordWriter()
        writer.text(identifier.kind.rawValue)
        writer.text(identifier.owner)
        writer.text(identifier.name)
        return HashFunction.sha256.digest(writer.bytes.span)
    }

    static func consent(of userID: String, to clientID: String) -> [UInt8] {
        var writer = RecordWriter()
        writer.text(userID)
        writer.text(clientID)
        return writer.bytes
    }

    /// Whose consent it is, out of its key.
    static func parties(_ key: [UInt8]) throws(SQLiteFailure) -> (userID: String, clientID: String) {
        var reader = RecordReader(key)
        do throws(RecordError) {
            return (try reader.text(), try reader.text())
        } catch {
            throw .refused(.unavailable(reason: error.description))
        }
    }
}
