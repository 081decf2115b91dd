import Primitives

/// Does what a flight says: the shell around the machine, with the store, the server and the time in it.
struct RefreshPilot: Sendable {
    let records: RecordStore
    let server: any SessionServer
    let clock: any WallClock
    let alarm: any Alarm
    /// After this the answer of a server is not waited for any more: sooner than the lease ends.
    let answerLimit: Duration

    func fly(_ flight: consuming RefreshFlight) async -> RefreshFlight.Outcome {
        var flight = flight
        var step = flight.next(.began, at: clock.now())
        while true {
            let event: RefreshFlight.Event
            switch step {
            case .finish(let outcome): return outcome
            case .read: event = await read()
            case .write(let record, let version): event = await write(record, over: version)
            case .present(let credential, let end):
                // The answer has to come within the lease too, or somebody else presents the same token meanwhile.
                event = clock.now() + answerLimit < end ? .answered(await present(credential)) : .waited
            case .wait(let duration):
                await alarm.pause(for: duration)
                event = .waited
            }
            step = flight.next(event, at: clock.now())
        }
    }

    private func read() async -> RefreshFlight.Event {
        do throws(SessionStoreError) { return .found(try await records.read()) } catch { return .storeFailed(error) }
    }

    private func write(_ record: SessionRecord, over version: UInt64) async -> RefreshFlight.Event {
        do throws(SessionStoreError) {
            switch try await records.write(record, over: version) {
            case .written(let version): return .written(version)
            case .conflict: return .conflict
            }
        } catch {
            return .storeFailed(error)
        }
    }

    /// R12: an answer that never comes is one that did not come.
    private func present(_ credential: Credential) async -> TokenAnswer {
        await alarm.first(within: answerLimit, or: .unavailable(Unavailability(.offline))) { [server] in
            await server.refresh(credential)
        }
    }
}

/// Reads and writes records by way of a store that knows bytes.
struct RecordStore: Sendable {
    let store: any SessionStore

    func read() async throws(SessionStoreError) -> StoredRecord? {
        guard let entry = try await store.read() else { return nil }
        return StoredRecord(version: entry.version, record: try SessionRecord(encoded: entry.payload))
    }

    func write(_ record: SessionRecord, over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
        try await store.write(record.encoded, over: version)
    }

    func writeOverDamage(_ record: SessionRecord) async throws(SessionStoreError) -> StoreOutcome {
        try await store.writeOverDamage(record.encoded)
    }
}
