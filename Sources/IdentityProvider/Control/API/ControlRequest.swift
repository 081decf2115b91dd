import HTTPMessages
import OAuth
import Primitives

/// A request that has come through the gate and found its operation.
struct ControlRequest: Sendable {
    let request: ServerRequest
    let issuer: PreparedIssuer
    let query: FormParameters
    /// What stands where the template has names in braces.
    let parameters: [String: String]

    /// A parameter that the template names.
    func parameter(_ name: String) -> String {
        guard let value = parameters[name] else { preconditionFailure("the template has no {\(name)}") }
        return value
    }

    /// The object in the body.
    func body() throws(ControlError) -> ControlMembers {
        guard !request.body.isEmpty else { throw .invalid(nil, "the body must be a JSON object") }
        return try optionalBody()
    }

    /// The object in the body, or an empty one when there is no body. That it is said to be JSON was checked before.
    func optionalBody() throws(ControlError) -> ControlMembers {
        let body = request.body
        guard !body.isEmpty else { return ControlMembers([:]) }
        let json: JSON
        do { json = try JSON(parsing: body.span) } catch { throw .invalid(nil, "\(error)") }
        guard let object = json.object else { throw .invalid(nil, "the body must be a JSON object") }
        return ControlMembers(object)
    }

    static let longestWait = Duration.seconds(60)

    /// How long the answer may wait for something; `nil`: not at all.
    func wait() throws(ControlError) -> Duration? {
        guard let text = query["wait"] else { return nil }
        guard let bound = DurationText.read(text), bound > .zero, bound <= Self.longestWait else {
            throw .invalid(nil, "wait must be a duration such as 10s, a minute at most")
        }
        return bound
    }

    /// Whether it names one of these media types before another (RFC 9110 section 12.5.1, without weights).
    func accepts(_ mediaTypes: [String], ratherThan other: String) -> Bool {
        let named = request.head.headerFields[values: .accept].flatMap { $0.split(separator: ",") }.map { range in
            range.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
        guard let first = named.firstIndex(where: mediaTypes.contains) else { return false }
        return named.firstIndex(of: other).map { first < $0 } ?? true
    }

    /// A number in the query.
    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .invalid(nil, "\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
