import HTTPMessages

/// Writes the pieces of one streamed response; for others, and after its end, it throws.
struct StreamedBodyWriter: ServerBodyWriter {
    let connection: ServerConnection
    let number: Int

    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await withCheckedThrowingContinuation { waiter in
            connection.server.loop.execute {
                connection.writePiece(bytes, number: number, waiter: waiter)
            }
        }
    }
}
