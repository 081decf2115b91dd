import OAuth
import Primitives

extension Client {
    /// Reads a client as a configuration writes it.
    ///
    /// - Parameter id: that of the path, if it is there; the body need not repeat it, and must not contradict it.
    convenience init(
        _ members: ControlMembers, id: String? = nil, legacy: Set<LegacyFeature>
    ) throws(ControlError) {
        var object = members.object
        object.writeLifetimesOfClientAsSeconds()
        if let id {
            if let named = try members.text("client_id"), !sameText(named, id) {
                throw .invalid(members.place["client_id"], "is not the client that the path names")
            }
            object["client_id"] = .string(id)
        }
        do throws(ClientMetadataError) {
            try self.init(
                json: object, by: ClientMetadataRules(.configuration, legacy: legacy), at: members.place)
        } catch {
            throw .invalid(error.path, error.problem)
        }
    }

    /// Without the secret.
    package var controlJSON: JSON {
        var json = registrationJSON
        json["has_secret"] = .bool(secret != nil)
        return .object(json)
    }
}
