/// It ends with the process: so do the clients that registered themselves and everybody's stays, and there is nothing to keep.
extension MemoryStore {
    package func keep(_: [StayRecord], forgetting _: [StayRecord]) async throws(StoreError) {}
    package func stays() async throws(StoreError) -> [StayRecord] { [] }
    package func keep(_: Registration) async throws(StoreError) {}
    package func update(_: Registration) async throws(StoreError) {}
    package func removeRegistration(of _: String) async throws(StoreError) {}
    package func registrations() async throws(StoreError) -> [Registration] { [] }
}
