import Primitives

/// Policies as people write them: the name of a profile, and the knobs that are turned. What is written is the shortest
/// text that reads as the policy.
///
///     okta
///     okta,window=5s
extension RotationPolicy {
    /// Why a text is no policy. It tells what would have been one.
    package enum TextError: Error, Hashable, Sendable {
        case unknownProfile(suggestion: String?)
        case unknownKnob(suggestion: String?)
        case badValue(knob: String, allowed: String)
        case knobGivenTwice(String)
        case notASCII
        case tooLong
    }

    /// Bytes of a text.
    package static let maximumTextByteCount = 1024

    package init(parsing text: String) throws(TextError) {
        guard text.utf8.count <= Self.maximumTextByteCount else { throw .tooLong }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let named = Self.named(parts[0]) else {
            throw .unknownProfile(suggestion: Suggestion.nearest(to: parts[0].lowercased(), among: Self.profileNames))
        }
        self = named
        var turned: Set<String> = []
        for part in parts.dropFirst() { try turn(part, &turned) }
    }

    private mutating func turn(_ part: String, _ turned: inout Set<String>) throws(TextError) {
        let equals = part.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = Self.trimmed(part[..<(equals ?? part.endIndex)])
        guard let knob = RotationKnob.named(name) else {
            let names = RotationKnob.all.map(\.name)
            throw .unknownKnob(suggestion: Suggestion.nearest(to: name.lowercased(), among: names))
        }
        guard turned.insert(knob.name).inserted else { throw .knobGivenTwice(knob.name) }
        guard let equals, knob.read(Self.trimmed(part[part.utf8.index(after: equals)...]), &self) else {
            throw .badValue(knob: knob.name, allowed: knob.values)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.utf8.first == 0x20 { text.removeFirst() }
        while text.utf8.last == 0x20 { text.removeLast() }
        return String(text)
    }

    package static let profileNames = RotationProfile.all.map(\.name)

    /// Those that it has other than its profile.
    package var turnedKnobs: [RotationKnob] {
        guard let profile = Self.named(profile) else { return [] }
        return RotationKnob.all.filter { $0.write(self) != $0.write(profile) }
    }

    package var text: String {
        ([profile] + turnedKnobs.map { "\($0.name)=\($0.write(self))" }).joined(separator: ",")
    }
}

extension RotationPolicy.TextError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownProfile(let suggestion):
            "there is no rotation profile of this name; "
                + (suggestion.map { "did you mean \($0)?" }
                    ?? "there are: \(RotationPolicy.profileNames.joined(separator: ", "))")
        case .unknownKnob(let suggestion):
            "there is no rotation knob of this name; "
                + (suggestion.map { "did you mean \($0)?" }
                    ?? "there are: \(RotationKnob.all.map(\.name).joined(separator: ", "))")
        case .badValue(let knob, let allowed): "\(knob) takes: \(allowed)"
        case .knobGivenTwice(let knob): "\(knob) is given twice"
        case .notASCII: "a rotation policy is made of ASCII"
        case .tooLong: "a rotation policy is no longer than \(RotationPolicy.maximumTextByteCount) bytes"
        }
    }
}
