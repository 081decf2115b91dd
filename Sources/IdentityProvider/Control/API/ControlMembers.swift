import Primitives

/// Reads the members of an object in a body; what does not fit is refused by its place.
struct ControlMembers: Sendable {
    let object: JSONObject
    let place: JSONPath

    init(_ object: JSONObject, at place: JSONPath = .root) {
        self.object = object
        self.place = place
    }

    /// Whether the member is there and not null.
    func has(_ name: String) -> Bool { object[name].map { $0 != .null } ?? false }

    /// A name that nobody knows is a mistake: it would be passed over in silence, and the test would not test.
    func allow(_ names: [String]) throws(ControlError) {
        for (name, _) in object where !names.contains(where: { sameText($0, name) }) {
            throw .invalid(place[name], "there is no such member; there are \(names.joined(separator: ", "))")
        }
    }

    func text(_ name: String) throws(ControlError) -> String? {
        try value(name, expecting: "a text") { $0.string }
    }

    func requiredText(_ name: String) throws(ControlError) -> String {
        guard let text = try text(name), !text.isEmpty else { throw .invalid(place[name], "must be there: a text") }
        return text
    }

    func flag(_ name: String) throws(ControlError) -> Bool? {
        try value(name, expecting: "true or false") { $0.bool }
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        try value(name, expecting: "a whole number from \(range.lowerBound) to \(range.upperBound)") { json in
            json.int64.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func object(_ name: String) throws(ControlError) -> JSONObject? {
        try value(name, expecting: "an object") { $0.object }
    }

    func members(_ name: String) throws(ControlError) -> ControlMembers? {
        try object(name).map { ControlMembers($0, at: place[name]) }
    }

    func texts(_ name: String) throws(ControlError) -> [String]? {
        try value(name, expecting: "an array of texts") { json in
            guard let elements = json.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    /// The objects in an array, each with its place.
    func list(_ name: String) throws(ControlError) -> [ControlMembers]? {
        guard let elements = try value(name, expecting: "an array of objects", { $0.array }) else { return nil }
        var list: [ControlMembers] = []
        for (index, element) in elements.enumerated() {
            guard let object = element.object else { throw .invalid(place[name][index], "must be an object") }
            list.append(ControlMembers(object, at: place[name][index]))
        }
        return list
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type = Choice.self
    ) throws(ControlError) -> Choice? where Choice.RawValue == String {
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return try value(name, expecting: "one of \(names)") { $0.string.flatMap { Choice(rawValue: $0) } }
    }

    /// Seconds, or a text such as `1h30m`.
    func duration(_ name: String) throws(ControlError) -> Duration? {
        try value(name, expecting: ControlTime.durationHint) { ControlTime.duration($0) }
    }

    /// RFC 3339, or seconds since 1970.
    func moment(_ name: String) throws(ControlError) -> Timestamp? {
        try value(name, expecting: ControlTime.momentHint) { ControlTime.moment($0) }
    }

    /// `nil` when the member is not there or null.
    func value<Value>(
        _ name: String, expecting hint: String, _ read: (JSON) -> Value?
    ) throws(ControlError) -> Value? {
        guard let json = object[name], json != .null else { return nil }
        guard let value = read(json) else { throw .invalid(place[name], "must be \(hint)") }
        return value
    }
}
