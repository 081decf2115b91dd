import Primitives

extension DeviceAuthorization: KeptRecord {
    package var forgettable: Timestamp? { expires + Self.retention }

    package func isMeant(by isMeant: (_ userID: String?, _ clientID: String) -> Bool) -> Bool {
        isMeant(approvedTerms?.userID, clientID)
    }
}
