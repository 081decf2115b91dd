/// What came of a look at something that only who is signed in may see.
enum Visit: Hashable {
    case shown
    /// It was shown after a refresh: there are new cookies.
    case refreshed
    case refused
}
