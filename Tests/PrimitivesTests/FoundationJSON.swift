import Foundation
import Primitives

/// Compares a value of ours with what `JSONSerialization` made of the same text.
enum FoundationJSON {
    static func agrees(_ ours: JSON, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let value): return (theirs as? NSNumber)?.boolValue == value
        case .string(let value): return (theirs as? String).map { sameText($0, value) } ?? false
        case .number(let value):
            guard let number = theirs as? NSNumber else { return false }
            if let integer = value.int64 { return number.int64Value == integer }
            // Theirs goes through decimal arithmetic and loses the last bit of some.
            return value.double.map { abs(number.doubleValue - $0) <= abs($0) * 1e-15 } ?? true
        case .array(let elements):
            guard let theirs = theirs as? [Any], theirs.count == elements.count else { return false }
            return zip(elements, theirs).allSatisfy { agrees($0, $1) }
        case .object(let object):
            guard let theirs = theirs as? [String: Any] else { return false }
            // Theirs takes canonically equivalent names for one.
            guard theirs.count == Set(object.names).count else { return false }
            guard theirs.count == object.count else { return true }
            return object.allSatisfy { name, value in theirs[name].map { agrees(value, $0) } ?? false }
        }
    }
}
