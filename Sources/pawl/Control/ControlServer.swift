import HTTPMessages
import IdentityProvider
import Networking
import Primitives

/// The control API of a server, over HTTP.
struct ControlServer: Sendable {
    let address: ControlAddress
    let secret: String?
    let client: HTTPClient

    /// The content of the answer, or why there is none.
    func send(_ call: ControlCall) async throws(CommandFailure) -> [UInt8] {
        let body = call.body.map { $0.serialised() } ?? []
        let (response, content): (HTTPResponse, [UInt8])
        do throws(NetworkingError) {
            (response, content) = try await client.send(
                request(call, hasBody: !body.isEmpty), body: body, to: address.connectAddress)
        } catch {
            throw noAnswer(error)
        }
        guard !(200...299).contains(response.status.code) else { return content }
        throw failure(response.status.code, content)
    }

    /// The content of an answer that has no end, as it comes.
    func stream(_ call: ControlCall) async throws(CommandFailure) -> ResponseStream {
        let (response, stream): (HTTPResponse, ResponseStream)
        do throws(NetworkingError) {
            (response, stream) = try await client.open(request(call, hasBody: false), to: address.connectAddress)
        } catch {
            throw noAnswer(error)
        }
        guard !(200...299).contains(response.status.code) else { return stream }
        var content: [UInt8] = []
        while content.count < Self.maximumRefusalBytes, let piece = try? await stream.next() { content += piece }
        stream.close()
        throw failure(response.status.code, content)
    }

    /// Bytes of a refusal; what is longer is none of ours.
    private static let maximumRefusalBytes = 64 << 10

    private func request(_ call: ControlCall, hasBody: Bool) -> HTTPRequest {
        var fields: HTTPFields = [.accept: call.accept]
        if hasBody { fields[.contentType] = "application/json" }
        if let secret { fields[.authorization] = "Bearer \(secret)" }
        return HTTPRequest(
            method: call.method, scheme: address.isEncrypted ? "https" : "http", authority: address.authority,
            path: address.path + ControlAPI.path + call.path, headerFields: fields)
    }

    private func noAnswer(_ error: NetworkingError) -> CommandFailure {
        .environment(
            "no answer from \(address.text): \(error.description)",
            hint: "is 'pawl serve' running there? --url or PAWL_URL says where it is")
    }

    private func failure(_ status: Int, _ content: [UInt8]) -> CommandFailure {
        let json = try? JSON(parsing: content.span)
        let place = json?["path"]?.string.map { "\($0): " } ?? ""
        guard let description = json?["error_description"]?.string else {
            return .refused(
                "\(address.text) answered \(status), and not as a control API does", hint: "is that the URL of a pawl?")
        }
        let message = place + description
        switch status {
        case 401:
            return .refused(
                message, hint: "give it by --control-secret-file, PAWL_CONTROL_SECRET_FILE or PAWL_CONTROL_SECRET")
        case 404 where description.hasPrefix("there is no such endpoint"):
            return .refused(message, hint: "a server with --no-control has no control API at all")
        default:
            return .refused(message)
        }
    }
}
