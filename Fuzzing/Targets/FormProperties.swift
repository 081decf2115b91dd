import OAuth
import Primitives

/// A form that is read is written and reads back the same, and what its parameters mean is written and read the same.
enum FormProperties {
    private static let wide = FormLimits(parameterCount: .max, nameByteCount: .max, valueByteCount: .max)

    static func check(_ input: Span<UInt8>) {
        guard let form = read(input) else { return }
        require(form.count <= FormLimits.standard.parameterCount, "a form has an end")
        let text = Array(form.encoded.utf8)
        require(
            text.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"#"'<>\"#.utf8.contains($0) },
            "a written form is safe anywhere")
        guard let again = try? FormParameters(parsing: text.span, limits: wide) else {
            return require(false, "a written form is read")
        }
        require(
            again.elementsEqual(form) { sameText($0.name, $1.name) && sameText($0.value, $1.value) },
            "a written form reads back the same")
        require(sameText(again.encoded, form.encoded), "a form is written the same again")
        checkNames(of: form)
        for (_, value) in form { checkMeanings(of: value) }
    }

    private static func read(_ input: Span<UInt8>) -> FormParameters? {
        do throws(FormError) {
            return try FormParameters(parsing: input)
        } catch {
            require((0...input.count).contains(error.offset), "a fault lies within the form")
            return nil
        }
    }

    private static func checkNames(of form: FormParameters) {
        var seen: Set<ExactText> = []
        var isRepeated = false
        for (name, _) in form {
            require(!name.isEmpty, "a parameter has a name")
            isRepeated = !seen.insert(ExactText(name)).inserted || isRepeated
            let values = form.filter { sameText($0.name, name) && !$0.value.isEmpty }.map(\.value)
            require(form[values: name].elementsEqual(values, by: sameText), "every value is found under its name")
        }
        require((form.firstRepeatedName != nil) == isRepeated, "a name that comes twice is noticed")
        require(!form.description.contains("=") || form.description.contains("<redacted>"), "values are not shown")
    }

    /// What parameters of authorization requests are read as.
    private static func checkMeanings(of text: String) {
        if let scope = try? Scope(parsing: text) {
            require((try? Scope(parsing: scope.text)) == scope, "a written scope reads back the same")
            require(Set(scope.tokens).count == scope.tokens.count, "a scope names each token once")
            require(scope.isSubset(of: scope) && scope.union(scope) == scope, "a scope is within itself")
        }
        if let type = try? ResponseType(parsing: text) {
            require(!type.isEmpty, "a response has something in it")
            require((try? ResponseType(parsing: type.text)) == type, "a written response type reads back the same")
            for mode in ResponseMode.allCases where type.returnsTokens {
                require(mode.isAllowed(for: type) == (mode != .query), "no token stands in a query")
            }
        }
        if let age = try? MaxAge(parsing: text) {
            require((0...MaxAge.longest).contains(age.seconds), "an age has an end")
            require((try? MaxAge(parsing: "\(age.seconds)")) == age, "a written age reads back the same")
        }
        if let prompt = try? Prompt(parsing: text) {
            require(!prompt.contains(.none) || prompt == .none, "prompt=none stands alone")
        }
        if let list = try? SpaceSeparatedList(parsing: text, of: "acr_values") {
            let again = try? SpaceSeparatedList(parsing: list.values.joined(separator: " "), of: "acr_values")
            require(again == list, "a written list reads back the same")
        }
    }
}
