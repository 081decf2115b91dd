import HTTPMessages
import Primitives

/// Finds the operation of a path in which some segments are parameters.
struct ControlRouter: Sendable {
    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
    }

    private struct Place: Sendable {
        let segments: [Segment]
        var routes: [ControlRoute]
    }

    /// Where a path leads.
    struct Match {
        let routes: [ControlRoute]
        let parameters: [String: String]

        func route(for method: HTTPRequest.Method) -> ControlRoute? {
            routes.first { $0.method == (method == .head ? .get : method) }
        }

        /// For `Allow` (RFC 9110 section 10.2.1).
        var allowed: String {
            var methods = routes.map(\.method)
            if methods.contains(.get) { methods.append(.head) }
            return (methods + [.options]).map(\.rawValue).joined(separator: ", ")
        }
    }

    private var places: [Place] = []

    init(_ routes: [ControlRoute]) {
        var indices: [String: Int] = [:]
        for route in routes {
            if let index = indices[route.template] {
                places[index].routes.append(route)
            } else {
                indices[route.template] = places.count
                places.append(Place(segments: Self.segments(of: route.template), routes: [route]))
            }
        }
    }

    private static func segments(of template: String) -> [Segment] {
        template.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
    }

    /// - Parameter path: below `/_pawl`, without the query. A literal segment goes before a parameter.
    func match(_ path: Substring) -> Match? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var found: Match?
        for place in places where place.segments.count == segments.count {
            guard let parameters = Self.parameters(of: place.segments, in: segments) else { continue }
            if parameters.isEmpty { return Match(routes: place.routes, parameters: parameters) }
            found = found ?? Match(routes: place.routes, parameters: parameters)
        }
        return found
    }

    private static func parameters(of template: [Segment], in segments: ArraySlice<Substring>) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (expected, segment) in zip(template, segments) {
            switch expected {
            case .literal(let text):
                guard segment.utf8.elementsEqual(text.utf8) else { return nil }
            case .parameter(let name):
                guard let value = decode(segment), !value.isEmpty else { return nil }
                parameters[name] = value
            }
        }
        return parameters
    }

    /// RFC 3986 section 2.1. Here a plus is a plus.
    private static func decode(_ segment: Substring) -> String? {
        guard segment.utf8.contains(UInt8(ascii: "%")) else { return String(segment) }
        var bytes: [UInt8] = []
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
