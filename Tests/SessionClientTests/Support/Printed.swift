import Testing

/// Everything that a value tells of itself to whoever prints it, also by accident.
func printed(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), "\(value)", dumped, mirrored(value)]
}

private func mirrored(_ value: Any, depth: Int = 12) -> String {
    guard depth > 0 else { return "" }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { "\($0.label ?? ""): \($0.value) " + mirrored($0.value, depth: depth - 1) }
    return parts.joined(separator: "\n")
}

/// Whether neither the text nor its bytes are in what is printed of a value.
func expectNoSecret(_ secret: String, in value: Any, _ name: String, at place: SourceLocation = #_sourceLocation) {
    let bytes = Array(secret.utf8).map(String.init).joined(separator: ", ")
    for text in printed(value) {
        let isTold = text.contains(secret) || text.contains(bytes)
        #expect(!isTold, "\(name) prints its secret", sourceLocation: place)
    }
}
