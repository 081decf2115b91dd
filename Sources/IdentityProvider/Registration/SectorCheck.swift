import HTTPMessages
import OAuth
import Primitives

/// Looks whether the clients of a sector say that they belong together (OpenID Connect Core section 8.1, OpenID Connect
/// Registration section 5).
struct SectorCheck: Sendable {
    let outbound: any OutboundRequests

    /// The document at `sector_identifier_uri` is an array of redirect URIs, and holds every one of the client's.
    func check(_ metadata: ClientMetadata) async throws(ClientMetadataError) {
        guard let uri = metadata.sectorIdentifierURI else { return }
        let listed = try await redirectURIs(at: uri)
        for (index, redirect) in metadata.redirectURIs.enumerated() {
            guard listed.contains(where: { sameText($0, redirect.text) }) else {
                throw ClientMetadataError(
                    "is not in the document at sector_identifier_uri", at: .root["redirect_uris"][index],
                    kind: .redirectURI)
            }
        }
    }

    private func redirectURIs(at uri: String) async throws(ClientMetadataError) -> [String] {
        let response: HTTPResponse
        let body: [UInt8]
        do throws(OutboundFailure) {
            guard let request = HTTPRequest(getting: uri, accepting: "application/json") else {
                throw OutboundFailure.invalidRequest
            }
            (response, body) = try await outbound.send(request, body: [])
        } catch {
            throw Self.refused("cannot be fetched: \(error)")
        }
        guard response.status == .ok else { throw Self.refused("answers with the status \(response.status.code)") }
        guard let list = try? JSON(parsing: body.span).array, case let texts = list.compactMap(\.string),
            texts.count == list.count
        else { throw Self.refused("answers with something else than a JSON array of strings") }
        return texts
    }

    private static func refused(_ problem: String) -> ClientMetadataError {
        ClientMetadataError(problem, at: .root["sector_identifier_uri"])
    }
}
