import Primitives

/// The parameters of a request: `application/x-www-form-urlencoded`, from a body or a query.
///
///     let form = try FormParameters(parsing: request.body.span)
///     form["grant_type"]
///
/// It prints the names alone, because the values may be secrets.
package struct FormParameters: Sendable {
    private var parameters: [Parameter] = []

    fileprivate struct Parameter: Sendable {
        let name: String
        let value: String
    }

    /// Room for those of most requests.
    private static let usualCount = 8

    package init() {}

    /// From pairs that are decoded already. None may lack its name.
    package init(_ pairs: [(name: String, value: String)]) {
        parameters = pairs.map { name, value in
            precondition(!name.isEmpty, "a parameter has a name")
            return Parameter(name: name, value: value)
        }
    }

    /// Reads the form in one pass. Nothing between two `&` is nothing, and no `=` means an empty value.
    package init(parsing form: Span<UInt8>, limits: FormLimits = .standard) throws(FormError) {
        var start = 0
        parameters.reserveCapacity(form.isEmpty ? 0 : Self.usualCount)
        while start < form.count {
            let (name, value) = Self.parameter(of: form, from: start)
            if value.upperBound > start {
                guard parameters.count < limits.parameterCount else {
                    throw FormError(kind: .tooManyParameters(limit: limits.parameterCount), offset: start)
                }
                try append(form, name: name, value: value, limits)
            }
            start = value.upperBound + 1
        }
    }

    /// Where the name and the value are that begin there. The value ends with the parameter.
    private static func parameter(of form: Span<UInt8>, from start: Int) -> (name: Range<Int>, value: Range<Int>) {
        form.withUnsafeBufferPointer { form in
            let endOfName = form.firstIndex(from: start) {
                $0.equal(to: UInt8(ascii: "=")) | $0.equal(to: UInt8(ascii: "&"))
            }
            let hasValue = endOfName < form.count && form[endOfName] == UInt8(ascii: "=")
            let startOfValue = hasValue ? endOfName + 1 : endOfName
            let end = form.firstIndex(from: startOfValue) { $0.equal(to: UInt8(ascii: "&")) }
            return (start..<endOfName, startOfValue..<end)
        }
    }

    private mutating func append(
        _ form: Span<UInt8>, name: Range<Int>, value: Range<Int>, _ limits: FormLimits
    ) throws(FormError) {
        guard !name.isEmpty else { throw FormError(kind: .missingName, offset: name.lowerBound) }
        guard name.count <= limits.nameByteCount else {
            throw FormError(kind: .nameTooLong(limit: limits.nameByteCount), offset: name.lowerBound)
        }
        guard value.count <= limits.valueByteCount else {
            throw FormError(kind: .valueTooLong(limit: limits.valueByteCount), offset: value.lowerBound)
        }
        parameters.append(
            Parameter(
                name: try FormText.decode(form.extracting(name), at: name.lowerBound),
                value: try FormText.decode(form.extracting(value), at: value.lowerBound)))
    }

    /// The value under a name, the first where there are several.
    ///
    /// RFC 6749 section 3.2: a parameter sent without a value counts as one that was not sent.
    package subscript(name: String) -> String? {
        for index in parameters.indices where isNamed(index, name) {
            return parameters[index].value.isEmpty ? nil : parameters[index].value
        }
        return nil
    }

    /// By the index, for an iterator would take hold of every name and value that it passes; and first by the length, in
    /// which most names differ.
    private func isNamed(_ index: Int, _ name: String) -> Bool {
        parameters[index].name.utf8.count == name.utf8.count && sameText(parameters[index].name, name)
    }

    /// Every value under a name, in their order, for the names that may come several times: `resource` (RFC 8707
    /// section 2), `audience` (RFC 8693 section 2.1). Those without a value count as not sent.
    package subscript(values name: String) -> [String] {
        parameters.filter { sameText($0.name, name) && !$0.value.isEmpty }.map(\.value)
    }

    package var isEmpty: Bool { parameters.isEmpty }
    package var count: Int { parameters.count }

    /// Whether a name is there more than once, with a value or without.
    package func has(severalOf name: String) -> Bool {
        var count = 0
        for index in parameters.indices where isNamed(index, name) { count += 1 }
        return count > 1
    }

    /// The first name that occurs a second time. RFC 6749 section 3.2: parameters must not be included more than
    /// once, and that holds for those sent without a value and for those nobody knows.
    package var firstRepeatedName: String? { firstRepeatedName(except: []) }

    /// The first name that occurs a second time and is none of those that may.
    package func firstRepeatedName(except repeatable: [String]) -> String? {
        for index in parameters.indices.dropFirst() {
            let name = parameters[index].name
            guard (0..<index).contains(where: { isNamed($0, name) }) else { continue }
            guard repeatable.contains(where: { sameText($0, name) }) else { return name }
        }
        return nil
    }

    /// `application/x-www-form-urlencoded`, as a body or a query (RFC 6749 appendix B).
    package var encoded: String { FormText.encode(self) }
}

extension FormParameters: Sequence {
    /// Goes through the parameters as they were sent, those without a value too.
    package struct Iterator: IteratorProtocol {
        private var rest: IndexingIterator<[Parameter]>

        fileprivate init(_ parameters: [Parameter]) { rest = parameters.makeIterator() }

        package mutating func next() -> (name: String, value: String)? {
            rest.next().map { ($0.name, $0.value) }
        }
    }

    package func makeIterator() -> Iterator { Iterator(parameters) }
    package var underestimatedCount: Int { parameters.count }
}

extension FormParameters: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "FormParameters(\(parameters.map { $0.name + "=<redacted>" }.joined(separator: " ")))"
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
