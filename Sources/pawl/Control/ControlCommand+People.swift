import HTTPMessages
import Primitives

/// Who is known: users, clients, tenants, keys.
extension ControlCommand {
    static let users = Command(
        "users", "Look at users, add and remove them",
        subcommands: [
            listing("List the users", "/users", ControlTable("users", "username", "id", "has_password", "claims")),
            leaf(
                "put", "Add a user, or change one",
                examples: [
                    .init(
                        line: #"pawl ctl users put carol '{"claims":{"roles":["admin"]}}'"#, meaning: "an administrator"
                    )
                ],
                operands: [username, members]
            ) { (arguments, operands) throws(CommandFailure) in
                ControlCall(.put, "/users/\(operands[0])", try object(arguments))
            },
            showing("One user", "/users", username), removal("Remove a user", "/users", username),
        ])

    static let clients = Command(
        "clients", "Look at clients, add and remove them",
        subcommands: [
            listing(
                "List the clients", "/clients",
                ControlTable("clients", "client_id", "token_endpoint_auth_method", "grant_types", "redirect_uris")),
            leaf(
                "put", "Register a client, or change one",
                operands: [clientID, members]
            ) { (arguments, operands) throws(CommandFailure) in
                ControlCall(.put, "/clients/\(operands[0])", try object(arguments))
            },
            showing("One client, without its secret", "/clients", clientID),
            removal("Remove a client", "/clients", clientID),
        ])

    static let tenants = Command(
        "tenants", "Look at tenants, make, reset and remove them",
        subcommands: [
            listing("List the tenants", "/tenants", ControlTable("tenants", "name", "issuer")),
            leaf("put", "Make a tenant, or have it begin anew", operands: [tenant, members]) {
                (arguments, operands) throws(CommandFailure) in
                ControlCall(.put, "/tenants/\(operands[0])", try object(arguments))
            },
            leaf("reset", "Forget everything that has happened in a tenant", operands: [tenant]) { _, operands in
                ControlCall(.post, "/tenants/\(operands[0])/reset")
            },
            removal("Remove a tenant", "/tenants", tenant),
        ])

    static let keys = Command(
        "keys", "Look at the signing keys, rotate and withdraw them",
        subcommands: [
            listing("List the keys", "/keys", ControlTable("keys", "kid", "alg", "role", "created")),
            leaf(
                "rotate", "Sign with a new key", options: [algorithm.row],
                list: ControlTable("keys", "kid", "alg", "role", "created")
            ) { arguments, _ in
                var body: JSONObject = [:]
                if let name = arguments[algorithm] { body["alg"] = .string(name) }
                return ControlCall(.post, "/keys/rotate", .object(body))
            },
            leaf(
                "withdraw", "Take a key away at once, as after it was stolen",
                examples: [
                    .init(
                        line: "pawl ctl keys withdraw KID",
                        meaning: "no token that it signed is good; if it signs, another takes its place")
                ],
                operands: [Operand("KID", "The identifier of the key, as 'keys list' shows it.")],
                list: ControlTable("keys", "kid", "alg", "role", "created")
            ) { _, operands in
                ControlCall(.delete, "/keys/\(operands[0])")
            },
        ])

    private static let username = Operand("NAME", "The username.")
    private static let clientID = Operand("ID", "The client's identifier.")
    private static let tenant = Operand("NAME", "Of the tenant.")
    private static let algorithm = Option.optional("alg", .text("ALG"), "For this algorithm.")
    private static let members = Operand(
        "JSON", "What there is to say of it, as a JSON object; '-' reads it from standard input.", isRequired: false)

    /// Errors do not repeat it: there may be a password in it.
    static func object(_ arguments: Arguments, at index: Int = 1) throws(CommandFailure) -> JSON {
        guard arguments.operands.count > index else { return [:] }
        return try object(arguments.operands[index], in: "JSON")
    }

    /// - Parameter place: what the object was given as.
    static func object(_ text: String, in place: String) throws(CommandFailure) -> JSON {
        var bytes = Array(text.utf8)
        if text == "-" {
            do throws(FileError) { bytes = try FileSystem.read("-") } catch { throw error.failure }
        }
        guard let json = try? JSON(parsing: bytes.span), json.object != nil else {
            throw .usage(
                "\(place) must be an object", hint: "in a shell, put it into single quotes: '{\"name\": \"value\"}'")
        }
        return json
    }
}
