import OAuth

/// What a client sent, as far as it can say who the client is.
struct ClientRequest: Sendable {
    /// The value of the `Authorization` field.
    let authorization: String?
    let form: FormParameters
}
