import JOSE
import OAuth
import Primitives

/// The reading of one configuration file: what was found wrong, and the way to secrets that are kept elsewhere.
struct ConfigurationReading: Sendable {
    var problems = ConfigurationProblems()
    let resolve: SecretResolver

    /// A secret as a text, or where it is kept. `nil` where that is malformed, which its shape has told, or where there
    /// is none, which is told here.
    mutating func secret(_ json: JSON, at path: JSONPath) -> Secret? {
        switch json {
        case .string(let text) where !text.isEmpty: return Secret(utf8: text)
        case .object(let object) where object.count == 1:
            if let name = object["env"]?.string { return resolved(.environment(name), at: path["env"]) }
            if let name = object["file"]?.string { return resolved(.file(name), at: path["file"]) }
            return nil
        default: return nil
        }
    }

    private mutating func resolved(_ reference: SecretReference, at path: JSONPath) -> Secret? {
        do throws(SecretReferenceError) {
            let secret = try resolve(reference)
            if secret.count == 0 { problems.add("there is nothing in it", at: path) }
            return secret.count == 0 ? nil : secret
        } catch {
            problems.add(error.description, at: path)
            return nil
        }
    }
}
