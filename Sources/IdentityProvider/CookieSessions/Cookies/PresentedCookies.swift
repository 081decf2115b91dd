/// The cookies of one name in a request.
struct PresentedCookies: Sendable {
    let name: String
    /// Each once.
    let values: [String]
    /// The clients whose cookie has this name.
    let clientIDs: [String]
}
