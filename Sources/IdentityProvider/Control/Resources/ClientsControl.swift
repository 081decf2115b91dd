import HTTPMessages
import OAuth
import Primitives

/// The applications that may ask for tokens.
struct ClientsControl: ControlResource {
    let context: ProviderContext

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/clients",
                .control("listClients", "The clients.").answeringJSON(
                    .object([("clients", .array(of: .reference("Client")))], required: ["clients"])),
                { _ in .json(["clients": .array(context.clients.clients.map(\.controlJSON))]) }),
            ControlRoute(
                .get, "/clients/{client_id}",
                .control("getClient", "One client.").with(Self.clientID).answeringJSON(.reference("Client"))
                    .refusing((404, "There is no such client.")),
                { (request) throws(ControlError) in .json(try client(request).controlJSON) }),
            ControlRoute(
                .put, "/clients/{client_id}",
                .control(
                    "putClient", "Add a client, or put one in the place of another.",
                    details: "Metadata as RFC 7591 section 2 writes it, with `client_secret` for a confidential client."
                ).with(Self.clientID).takingJSON(.reference("ClientMetadata")).answeringJSON(.reference("Client"))
                    .answering(201, "It is new.", .json(.reference("Client")))
                    .refusing((409, "There are too many.")), put),
            ControlRoute(
                .delete, "/clients/{client_id}",
                .control("deleteClient", "Remove a client, and end what it was authorised to.").with(Self.clientID)
                    .answeringNothing().refusing((404, "There is no such client.")), remove),
        ]
    }

    private static let clientID = OperationDescription.Parameter("client_id", in: .path)

    private func client(_ request: ControlRequest) throws(ControlError) -> Client {
        guard let client = context.clients[request.parameter("client_id")] else {
            throw .notFound("there is no such client")
        }
        return client
    }

    private func put(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let id = request.parameter("client_id")
        let client = try Client(try request.body(), id: id, legacy: context.configuration.legacy)
        do throws(KeySupplyError) {
            try await context.prepareKeys(for: client.algorithms)
        } catch {
            throw ControlError(error, "the client could not be added")
        }
        let isNew: Bool
        do { isNew = try context.clients.put(client) } catch { throw .conflict(error.description) }
        try await context.keepStaysOrFail()
        return isNew ? .created(client.controlJSON) : .json(client.controlJSON)
    }

    private func remove(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let sessions = SessionDirectory(context: context)
        let removed = context.clients.remove(request.parameter("client_id"))
        let isDone: Bool
        do throws(OAuthError) {
            if let removed {
                try await sessions.forget(clients: [removed.id])
                isDone = true
            } else {
                // What the store could not do when it was removed is done now.
                isDone = try await sessions.finishForgetting()
            }
        } catch {
            throw ControlError(error)
        }
        try await context.keepStaysOrFail()
        guard isDone else { throw .notFound("there is no such client") }
        return .none
    }
}
