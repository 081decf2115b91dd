import Synchronization

/// The connections of an ``OutboundClient`` that go through TLS, made when the first is wanted: reading the authorities
/// that a system trusts takes longer than all else that a server does at its start, and most never need them.
final class OutboundTrust: Sendable {
    private typealias Making = Task<Result<HTTPClient, NetworkingError>, Never>

    private let make: @Sendable () throws(NetworkingError) -> HTTPClient
    private let making = Mutex<Making?>(nil)

    init(_ make: @escaping @Sendable () throws(NetworkingError) -> HTTPClient) { self.make = make }

    /// Whoever asks while they are being made waits for the same.
    func client() async throws(NetworkingError) -> HTTPClient {
        let task = making.withLock { making in
            if let making { return making }
            let task = Making { [make] in
                do throws(NetworkingError) { return .success(try await BlockingWork.run(make)) } catch {
                    return .failure(error)
                }
            }
            making = task
            return task
        }
        return try await task.value.get()
    }
}
