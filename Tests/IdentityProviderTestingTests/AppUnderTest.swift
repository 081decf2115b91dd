import Foundation
import IdentityProviderTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an app does: URLSession, and nothing of the project.
struct AppUnderTest {
    let idp: TestIdentityProvider
    private let session: URLSession

    init(_ idp: TestIdentityProvider) {
        self.idp = idp
        session = URLSession(configuration: .ephemeral)
    }

    struct Answer {
        let status: Int
        let body: Data

        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }

        func text(_ name: String) -> String { json[name] as? String ?? "" }
    }

    func get(_ path: String, bearer: String? = nil) async throws -> Answer {
        var request = URLRequest(url: url(path))
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        return try await send(request)
    }

    func delete(_ path: String) async throws -> Answer {
        var request = URLRequest(url: url(path))
        request.httpMethod = "DELETE"
        return try await send(request)
    }

    func post(
        _ path: String, _ form: String, basic: String? = nil, label: String? = nil
    ) async throws -> Answer {
        var request = URLRequest(url: url(path))
        request.httpMethod = "POST"
        request.httpBody = Data(form.utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        if let label { request.setValue(label, forHTTPHeaderField: "Pawl-Label") }
        if let basic {
            request.setValue("Basic \(Data(basic.utf8).base64EncodedString())", forHTTPHeaderField: "Authorization")
        }
        return try await send(request)
    }

    func refresh(_ token: String?, client: String = "web", label: String? = nil) async throws -> Answer {
        try await post(
            "/token", "grant_type=refresh_token&client_id=\(client)&refresh_token=\(token ?? "")", label: label)
    }

    private func url(_ path: String) -> URL { URL(string: idp.url(path))! }

    private func send(_ request: URLRequest) async throws -> Answer {
        let (body, response) = try await session.data(for: request)
        return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, body: body)
    }
}
