import OAuth
import Primitives
import SessionClient

/// Whatever a store has kept: it is a record, which is written as it was read, or it is damaged; and no record, by whatever clock and
/// with whatever numbers it was written, stops the program that reads it.
///
/// The input is what was stored.
enum SessionRecordProperties {
    private static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

    static func check(_ input: Span<UInt8>) {
        let record: SessionRecord
        do throws(SessionStoreError) { record = try SessionRecord(encoded: input.array()) } catch {
            guard case .corrupt = error else { fatalError("broken: what cannot be read is damaged, and not \(error)") }
            return
        }
        let encoded = record.encoded
        guard let again = try? SessionRecord(encoded: encoded) else {
            fatalError("broken: what is written can be read")
        }
        require(again == record && again.encoded == encoded, "a record is written as it was read")
        for goal in [RefreshFlight.Goal.due, .replacing(CredentialMark(epoch: 1, generation: 1))] {
            for answer in answers { fly(over: record, goal, answer) }
        }
        checkSuccession(of: record)
    }

    private static let answers: [TokenAnswer] = [
        .granted(
            TokenGrant(
                accessToken: Secret(utf8: "a"), tokenType: "Bearer", expiresIn: .seconds(300), receivedAt: now,
                serverTime: now)),
        .incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r"))),
        .refused(TokenRefusal(code: "invalid_grant")), .refused(TokenRefusal(code: "invalid_client")),
        .unavailable(Unavailability(.offline, retryAfter: .seconds(1))),
    ]

    /// A refresh to its end, where nobody else is.
    private static func fly(over record: SessionRecord, _ goal: RefreshFlight.Goal, _ answer: TokenAnswer) {
        var stored = StoredRecord(version: 1, record: record)
        var flight = RefreshFlight(goal, holder: "fuzz", rules: RefreshRules(), ahead: RefreshAhead())
        var (now, step) = (now, flight.next(.began, at: now))
        var presented = 0
        for _ in 0..<mostSteps {
            switch step {
            case .finish: return checkEnd(record, stored, presented)
            case .read: step = flight.next(.found(stored), at: now)
            case .write(let next, let version):
                require(version == stored.version, "what is written goes over what was read")
                stored = StoredRecord(version: version + 1, record: next)
                step = flight.next(.written(version + 1), at: now)
            case .present(let credential, let end):
                require(credential.refreshToken != nil, "nothing is presented where there is nothing")
                require(now < end, "a lease has a time to come")
                presented += 1
                step = flight.next(.answered(answer), at: now)
            case .wait(let duration):
                require(duration > .zero, "whoever waits lets time pass")
                now = now + duration
                step = flight.next(.waited, at: now)
            }
        }
        fatalError("broken: a refresh has an end")
    }

    /// A lease of five minutes, looked at every 50 milliseconds, and some more.
    private static let mostSteps = 20_000

    private static func checkEnd(_ before: SessionRecord, _ after: StoredRecord, _ presented: Int) {
        require(presented <= 1, "a token is presented once")
        require(after.record.epoch >= before.epoch, "epochs grow")
        require(presented == 1 || after.record == before, "who has not asked has nothing to write")
        guard let old = before.credential, let new = after.record.credential else { return }
        require(new.generation >= old.generation, "generations grow")
    }

    private static func checkSuccession(of record: SessionRecord) {
        guard let next = record.written(over: record), let credential = next.credential else { return }
        require(next.epoch == record.epoch, "nothing goes into another login")
        require(credential.generation > record.credential?.generation ?? 0, "generations grow")
    }
}
