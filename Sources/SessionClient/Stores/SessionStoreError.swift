/// Why a store has no answer. None of these means that nobody is signed in.
///
///     do throws(SessionStoreError) {
///         use(try await store.read())
///     } catch {
///         switch error {
///         case .locked: waitForTheDevice()
///         case .corrupt: showLogin()                               // which writes over it
///         case .failed: report("\(error)")
///         }
///     }
public enum SessionStoreError: Error, Hashable, Sendable {
    /// It cannot be opened now, and can later: the device was not unlocked yet, or a file may not be read.
    case locked(reason: String)
    /// It is there and cannot be read: cut off, changed by somebody, written with another key or by a newer program; or its
    /// key is gone.
    case corrupt(reason: String)
    /// It could not be written or looked at: a full disk, a directory without permission.
    case failed(reason: String)
}

extension SessionStoreError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .locked(let reason): "the session store is locked: \(reason)"
        case .corrupt(let reason): "the session store is damaged: \(reason)"
        case .failed(let reason): "the session store cannot be used: \(reason)"
        }
    }
}
