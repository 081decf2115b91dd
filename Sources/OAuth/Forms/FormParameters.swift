/// The parameters of a request: `application/x-www-form-urlencoded`, from a body or a query.
///
///     let form = try FormParameters(parsing: request.body.span)
///     form["grant_type"]
///
/// It prints the names alone, because the values may be secrets.
package struct FormParameters: Sendable {
    private var parameters: [Parameter] = []

    private struct Parameter: Sendable {
        let name: String
        let value: String
    }

    package init() {}

    /// Reads the form in one pass. Nothing between two `&` is nothing, and no `=` means an empty value.
    package init(parsing form: Span<UInt8>, limits: FormLimits = .standard) throws(FormError) {
        var start = 0
        while start < form.count {
            var separator: Int?
            var end = start
            while end < form.count, form[end] != UInt8(ascii: "&") {
                if separator == nil, form[end] == UInt8(ascii: "=") { separator = end }
                end += 1
            }
            if end > start {
                guard parameters.count < limits.parameterCount else {
                    throw FormError(kind: .tooManyParameters(limit: limits.parameterCount), offset: start)
                }
                try append(
                    form, name: start..<(separator ?? end), value: (separator.map { $0 + 1 } ?? end)..<end, limits)
            }
            start = end + 1
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
        for parameter in parameters where parameter.name == name {
            return parameter.value.isEmpty ? nil : parameter.value
        }
        return nil
    }

    package var isEmpty: Bool { parameters.isEmpty }

    /// The first name that occurs a second time. RFC 6749 section 3.2: parameters must not be included more than
    /// once, and that holds for those sent without a value and for those nobody knows.
    package var firstRepeatedName: String? {
        for index in parameters.indices.dropFirst()
        where parameters[..<index].contains(where: { $0.name == parameters[index].name }) {
            return parameters[index].name
        }
        return nil
    }
}

extension FormParameters: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "FormParameters(\(parameters.map { $0.name + "=<redacted>" }.joined(separator: " ")))"
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
