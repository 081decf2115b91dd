import Primitives

/// What the system knows of a file.
package struct FileStatus: Hashable, Sendable {
    /// What has the name.
    package enum Kind: Hashable, Sendable {
        case file, directory, other
    }

    package let kind: Kind
    package let identity: FileIdentity
    package let isOwn: Bool
    /// The nine bits.
    package let permissions: UInt32
    package let byteCount: Int
    package let modified: Timestamp

    package init(
        kind: Kind, identity: FileIdentity, isOwn: Bool, permissions: UInt32, byteCount: Int, modified: Timestamp
    ) {
        self.kind = kind
        self.identity = identity
        self.isOwn = isOwn
        self.permissions = permissions
        self.byteCount = byteCount
        self.modified = modified
    }

    var isReadOnly: Bool { permissions & 0o200 == 0 }

    /// Why nothing in it is to be believed; `nil`: nobody but its owner can have read or written it.
    func refusal(of path: String, wanted: Kind) -> SessionStoreError? {
        guard kind == wanted else {
            return .failed(reason: "\(path) is no \(wanted == .file ? "file" : "directory")")
        }
        guard isOwn else { return .failed(reason: "\(path) belongs to another user") }
        guard permissions & 0o077 == 0 else {
            let mode = wanted == .file ? "600" : "700"
            return .failed(
                reason: "\(path) is open to others (mode \(String(permissions, radix: 8))); "
                    + "if nobody else has used it, chmod \(mode) \(path)")
        }
        return nil
    }
}

/// Tells a file from another that has had or will have its name. A number of a file that is gone can be given again, the
/// moment it was written at is not.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64
    package let modifiedSeconds: Int64
    package let modifiedNanoseconds: Int64

    package init(device: UInt64, number: UInt64, modifiedSeconds: Int64, modifiedNanoseconds: Int64) {
        self.device = device
        self.number = number
        self.modifiedSeconds = modifiedSeconds
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}
