import OAuth
import Primitives

extension Scope: RecordValue {
    package func write(to writer: inout RecordWriter) { writer.text(text) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let text = try reader.text()
        guard !text.isEmpty else {
            self = .empty
            return
        }
        // One that came together from several may be longer than any that a request names.
        guard let scope = (try? Scope(parsing: text)) ?? Self.joined(text), sameText(scope.text, text) else {
            throw .malformed
        }
        self = scope
    }

    private static func joined(_ text: String) -> Scope? {
        var scope = Scope.empty
        for token in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard let next = try? Scope(parsing: String(token)) else { return nil }
            scope = scope.union(next)
        }
        return scope
    }
}

extension CodeChallenge: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.text(method.rawValue)
        writer.text(value)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        guard let method = CodeChallengeMethod(exactly: try reader.text()),
            let challenge = Self(method: method, value: try reader.text())
        else { throw .malformed }
        self = challenge
    }
}

extension ClaimsRequest: RecordValue {
    package func write(to writer: inout RecordWriter) {
        let json: JSON = ["userinfo": Self.json(userinfo), "id_token": Self.json(idToken)]
        json.write(to: &writer)
    }

    private static func json(_ requests: ClaimRequests) -> JSON {
        var members = JSONObject()
        for claim in requests.claims {
            members[claim.name] = ["essential": .bool(claim.isEssential), "values": .array(claim.values)]
        }
        return .object(members)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let json = try JSON(from: &reader)
        do throws(OAuthError) { self = try ClaimsRequest(json) } catch { throw .malformed }
    }
}

extension FormParameters: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.number(UInt64(count))
        for (name, value) in self {
            writer.text(name)
            writer.text(value)
        }
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        var pairs: [(name: String, value: String)] = []
        for _ in 0..<(try reader.number(UInt16.self)) {
            let name = try reader.text()
            guard !name.isEmpty else { throw .malformed }
            pairs.append((name, try reader.text()))
        }
        self.init(pairs)
    }
}
