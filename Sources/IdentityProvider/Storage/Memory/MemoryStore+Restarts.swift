/// It ends with the process: so do the clients that registered themselves and everybody's stays, and there is nothing to keep.
extension MemoryStore {
    package func keep(_: [StayRecord], forgetting _: [StayRecord]) throws(StoreError) {}
    package func stays() throws(StoreError) -> [StayRecord] { [] }
    package func keep(_: Registration) throws(StoreError) {}
    package func update(_: Registration) throws(StoreError) {}
    package func removeRegistration(of _: String) throws(StoreError) {}
    package func registrations() throws(StoreError) -> [Registration] { [] }
}
