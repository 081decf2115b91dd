import Cookies
import Foundation
import HTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPRequest {
    /// `nil` where the URL is none of `http` or `https`, or a field is none of HTTP.
    init?(_ request: URLRequest) {
        guard let url = request.url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = parts.percentEncodedHost, !host.isEmpty, parts.user == nil, parts.password == nil,
            let method = Method(request.httpMethod ?? "GET")
        else { return nil }
        var path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        if let query = parts.percentEncodedQuery { path += "?" + query }
        self.init(
            method: method, scheme: scheme, authority: parts.port.map { "\(host):\($0)" } ?? host, path: path)
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            guard let name = HTTPField.Name(name), value.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else {
                return nil
            }
            headerFields.append(name: name, value: value)
        }
    }
}

extension URLRequest {
    /// `nil` where there is no URL in it. Foundation is told to leave cookies alone.
    init?(_ request: HTTPRequest, body: [UInt8]) {
        guard let scheme = request.scheme, scheme == "https" || scheme == "http", let authority = request.authority,
            let url = URL(string: "\(scheme)://\(authority)\(request.path ?? "/")")
        else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        httpShouldHandleCookies = false
        for field in request.headerFields { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        if !body.isEmpty { httpBody = Data(body) }
    }
}

extension HTTPResponse {
    /// Foundation has the fields in a dictionary, several `Set-Cookie` in one line: they are taken apart again.
    init(_ response: HTTPURLResponse) {
        self.init(status: Status(code: min(max(response.statusCode, 100), 999), reasonPhrase: ""))
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap(HTTPField.Name.init), let value = value as? String else {
                continue
            }
            headerFields[values: name] = name == .setCookie ? SetCookie.fields(folded: value) : [value]
        }
    }
}

extension HTTPURLResponse {
    /// As Foundation has it: each name once, with its values in one line.
    convenience init?(_ response: HTTPResponse, to url: URL) {
        var fields: [String: String] = [:]
        for field in response.headerFields where fields[field.name.rawName] == nil {
            fields[field.name.rawName] = response.headerFields[field.name]
        }
        self.init(url: url, statusCode: response.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
