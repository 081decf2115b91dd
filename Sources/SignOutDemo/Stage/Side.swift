/// The two who share a login.
enum Side: String, Hashable, Sendable, CaseIterable {
    case app = "app"
    case webView = "web-view"

    var name: String {
        switch self {
        case .app: "app"
        case .webView: "web view"
        }
    }

    var other: Side { self == .app ? .webView : .app }
}
