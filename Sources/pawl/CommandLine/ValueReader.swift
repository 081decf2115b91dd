/// How the text of one kind of value is read, and how help and errors speak of it.
struct ValueReader<Value: Sendable>: Sendable {
    /// Stands for the value in the help: `HOST:PORT`.
    let placeholder: String
    /// Completes "is not …": `a duration such as 90s, 15m or 1h30m`.
    let expectation: String
    let completion: ValueCompletion
    /// A secret is not repeated in an error.
    let isSecret: Bool
    /// `nil` unless the text is what is expected.
    let read: @Sendable (String) -> Value?
    /// Why a text is not what is expected, where more can be said of it.
    var explain: @Sendable (String) -> String? = { _ in nil }

    init(
        _ placeholder: String, expecting expectation: String, completion: ValueCompletion = .nothing,
        isSecret: Bool = false, read: @escaping @Sendable (String) -> Value?
    ) {
        self.placeholder = placeholder
        self.expectation = expectation
        self.completion = completion
        self.isSecret = isSecret
        self.read = read
    }
}
