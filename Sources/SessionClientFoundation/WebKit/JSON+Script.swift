#if canImport(WebKit)
import Foundation
import Primitives
import WebKit

extension JSON {
    /// How deep what a page says may be nested.
    private static let depthLimit = 16

    /// What a page has said, as WebKit hands it over; `nil`: it holds something that JSON has not.
    init?(scriptValue: Any, depth: Int = 0) {
        guard depth <= Self.depthLimit else { return nil }
        switch scriptValue {
        case is NSNull: self = .null
        case let text as String: self = .string(text)
        case let number as NSNumber:
            guard let value = JSON(number) else { return nil }
            self = value
        case let elements as [Any]:
            var array: [JSON] = []
            for element in elements {
                guard let value = JSON(scriptValue: element, depth: depth + 1) else { return nil }
                array.append(value)
            }
            self = .array(array)
        case let members as [String: Any]:
            var object = JSONObject()
            for (name, member) in members {
                guard let value = JSON(scriptValue: member, depth: depth + 1) else { return nil }
                object[name] = value
            }
            self = .object(object)
        default: return nil
        }
    }

    private init?(_ number: NSNumber) {
        // A `true` of JavaScript is a number to Foundation, of one character.
        if String(cString: number.objCType) == "c" {
            self = .bool(number.boolValue)
        } else if let integer = Int64(exactly: number.doubleValue) {
            self = .number(JSONNumber(integer))
        } else if let number = JSONNumber(number.doubleValue) {
            self = .number(number)
        } else {
            return nil
        }
    }

    /// As WebKit takes it for an answer.
    var scriptValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let number): number.double ?? 0
        case .string(let text): text
        case .array(let elements): elements.map(\.scriptValue)
        case .object(let object):
            Dictionary(object.map { ($0.name, $0.value.scriptValue) }, uniquingKeysWith: { $1 })
        }
    }
}
#endif
