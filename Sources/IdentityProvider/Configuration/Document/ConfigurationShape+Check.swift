import Primitives

/// Compares values with their shapes.
extension ConfigurationShape {
    /// Adds everything that is wrong with a value to `problems`.
    func check(_ json: JSON, at path: JSONPath, into problems: inout ConfigurationProblems) {
        switch self {
        case .anything: return
        case .refused(let reason): problems.add(reason, at: path, part: .name)
        case .named(_, let shape), .also(let shape, _): shape.check(json, at: path, into: &problems)
        case .flag, .text, .choice, .integer, .duration, .object:
            if !isFit(json) { problems.add("must be \(expectation)" + hint(for: json), at: path) }
        case .list(let element, let count):
            guard let elements = json.array else { return mismatch(at: path, &problems) }
            Self.check(count: elements.count, in: count, of: "elements", at: path, &problems)
            for (index, value) in elements.enumerated() { element.check(value, at: path[index], into: &problems) }
        case .record(let fields):
            guard let object = json.object else { return mismatch(at: path, &problems) }
            Self.check(object, fields, at: path, &problems)
        case .taggedRecord(let fields, let tagged, let shape):
            guard let object = json.object else { return mismatch(at: path, &problems) }
            var rest = object
            for (name, value) in object where tagged.fits(name) {
                shape.check(value, at: path[name], into: &problems)
                rest[name] = nil
            }
            Self.check(rest, fields, at: path, &problems)
        case .map(let names, let shape, let most):
            guard let object = json.object else { return mismatch(at: path, &problems) }
            Self.check(count: object.count, in: 0...most, of: "members", at: path, &problems)
            for (name, value) in object {
                if !names.fits(name) {
                    problems.add("the name must be \(names.expectation)", at: path[name], part: .name)
                }
                shape.check(value, at: path[name], into: &problems)
            }
        case .either(let shapes):
            guard let shape = Self.meant(by: json, among: shapes) else { return mismatch(at: path, &problems) }
            shape.check(json, at: path, into: &problems)
        }
    }

    private func mismatch(at path: JSONPath, _ problems: inout ConfigurationProblems) {
        problems.add("must be \(expectation)", at: path)
    }

    private static func check(
        count: Int, in range: ClosedRange<Int>, of what: String, at path: JSONPath,
        _ problems: inout ConfigurationProblems
    ) {
        if count < range.lowerBound { problems.add("must not be empty", at: path) }
        if count > range.upperBound { problems.add("has more than \(range.upperBound) \(what)", at: path) }
    }

    private static func check(
        _ object: JSONObject, _ fields: [ConfigurationField], at path: JSONPath, _ problems: inout ConfigurationProblems
    ) {
        for (name, value) in object {
            if let field = fields.first(where: { sameText($0.name, name) }) {
                field.shape.check(value, at: path[name], into: &problems)
            } else {
                problems.add(unknown(name, among: fields), at: path[name], part: .name)
            }
        }
        for field in fields where field.isRequired && !object.contains(field.name) {
            problems.add("\(field.name) is missing", at: path)
        }
    }

    /// Longer ones are no slip of the hand, and comparing takes time.
    private static let longestNameCompared = 64

    private static func unknown(_ name: String, among fields: [ConfigurationField]) -> String {
        let names = fields.filter { if case .refused = $0.shape { false } else { true } }.map(\.name)
        guard name.utf8.count <= longestNameCompared,
            let near = Suggestion.nearest(to: name.lowercased(), among: names)
        else { return "there is no such member" }
        return "there is no such member; did you mean \(near)?"
    }

    /// A simple value.
    private func isFit(_ json: JSON) -> Bool {
        switch self {
        case .flag: json.bool != nil
        case .text(let text): json.string.map(text.fits) ?? false
        case .choice(let choices): json.string.map { text in choices.contains { sameText($0, text) } } ?? false
        case .integer(let range): json.int64.map(range.contains) ?? false
        case .duration:
            switch json {
            case .string(let text): ConfigurationText.duration.fits(text)
            default: Self.duration(of: json) != nil
            }
        case .object: json.object != nil
        default: true
        }
    }

    /// What stands there is not repeated: it may be a secret in the wrong place.
    private func hint(for json: JSON) -> String {
        guard case .choice(let choices) = self, let text = json.string, text.utf8.count <= Self.longestNameCompared,
            let near = Suggestion.nearest(to: text.lowercased(), among: choices)
        else { return "" }
        return "; did you mean \(near)?"
    }

    /// Of several shapes the one that somebody had in mind: of the same kind of value, and, among objects, with the
    /// members that it must have.
    private static func meant(by json: JSON, among shapes: [ConfigurationShape]) -> ConfigurationShape? {
        let fitting = shapes.filter { $0.isOfKind(json) }
        guard fitting.count > 1, let object = json.object else { return fitting.first }
        return fitting.first { shape in
            guard case .record(let fields) = shape else { return false }
            return fields.allSatisfy { !$0.isRequired || object.contains($0.name) }
        } ?? fitting.first
    }

    private func isOfKind(_ json: JSON) -> Bool {
        switch (self, json) {
        case (.flag, .bool), (.text, .string), (.choice, .string), (.integer, .number), (.list, .array),
            (.record, .object), (.taggedRecord, .object), (.map, .object), (.object, .object), (.duration, .string),
            (.duration, .number), (.anything, _):
            true
        case (.either(let shapes), _): shapes.contains { $0.isOfKind(json) }
        case (.named(_, let shape), _), (.also(let shape, _), _): shape.isOfKind(json)
        default: false
        }
    }
}
