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
        guard !request.body.isEmpty else { return ControlMembers([:]) }
        let json: JSON
        do { json = try JSON(parsing: request.body.span) } catch { throw .invalid(nil, "\(error)") }
        guard let object = json.object else { throw .invalid(nil, "the body must be a JSON object") }
        return ControlMembers(object)
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
