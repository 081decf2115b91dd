import Crypto
import JOSE
import OAuth
import Primitives

extension Client {
    /// A client as a configuration writes it: its metadata, with `client_id` and perhaps `client_secret`.
    ///
    ///     try Client(json: ["client_id": "app", "redirect_uris": ["http://localhost:3000/callback"]],
    ///                by: ClientMetadataRules(.configuration))
    package convenience init(
        json: JSONObject, by rules: ClientMetadataRules, at path: JSONPath = .root
    ) throws(ClientMetadataError) {
        guard let id = json["client_id"]?.string else {
            throw ClientMetadataError("must be a string", at: path["client_id"])
        }
        var secret: Secret?
        if let value = json["client_secret"], value != .null {
            guard let text = value.string else {
                throw ClientMetadataError("must be a string", at: path["client_secret"])
            }
            secret = Secret(utf8: text)
        }
        let metadata = try ClientMetadata(json: json, by: rules, at: path)
        try metadata.check(secret, at: path)
        do {
            try self.init(id: id, secret: secret, metadata: metadata)
        } catch {
            let member =
                switch error {
                case .badClientID: "client_id"
                case .badClientSecret: "client_secret"
                default: "default_scope"
                }
            throw ClientMetadataError(error.description, at: path[member])
        }
    }

    /// The client as RFC 7591 section 3.2.1 writes it: its identifier and its metadata, without secrets.
    package var registrationJSON: JSONObject {
        var json: JSONObject = ["client_id": .string(id)]
        if case .registered(_, let moment, _) = origin {
            json["client_id_issued_at"] = .number(JSONNumber(moment.secondsSinceEpoch))
        }
        for (name, value) in metadata.json { json[name] = value }
        return json
    }
}

extension ClientMetadata {
    /// RFC 7518 section 3.2: a key for HMAC is at least as long as the output of the hash.
    fileprivate func check(_ secret: Secret?, at path: JSONPath) throws(ClientMetadataError) {
        for (member, algorithm) in algorithmsOfSecret {
            let least = algorithm.hash.byteCount
            guard let secret, secret.count >= least else {
                throw ClientMetadataError(
                    "\(algorithm) needs a client_secret of at least \(least) bytes", at: path[member])
            }
        }
        // Without an algorithm any will do, and HS256 is the one that takes the shortest.
        let least = SignatureAlgorithm.hs256.hash.byteCount
        guard authenticationMethod != "client_secret_jwt" || (secret?.count ?? 0) >= least else {
            throw ClientMetadataError(
                "client_secret_jwt needs a client_secret of at least \(least) bytes, and HS384 and HS512 longer ones",
                at: path["token_endpoint_auth_method"])
        }
    }
}
