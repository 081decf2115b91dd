import Primitives

/// The ways in which apps keep themselves and their web views signed in alike, as values: to be chosen, and to be compared.
///
/// | | page before cookies | deletion | old over new | early read | loss | newer in the web |
/// |---|---|---|---|---|---|---|
/// | naive copying | fails | fails | holds | holds | fails | holds |
/// | two-way observation | fails | holds | fails | fails | fails | holds |
/// | marked observation | holds | holds | holds | holds | fails | holds |
/// | web store as the truth | fails | holds | holds | fails | fails | holds |
/// | native backup | holds | holds | holds | holds | holds | holds |
/// | native-owned | holds | holds | holds | holds | holds | put back |
///
/// A test holds this table to what happens. Native-owned differs from native backup in what no copy can mend: one side alone
/// refreshes, so that no two states of the session can be newest, and the other never has the refresh token. What a page gets
/// from elsewhere is no part of such a session, and is put back.
///
///     let side = WebStrategy.twoWayObservation.begin(sides)
public enum WebStrategy: String, Hashable, Sendable, CaseIterable {
    /// The app's cookies are written into the web view's store, and what is there is copied back.
    case naiveCopying
    /// Each side is told of the changes of the other, and follows.
    case twoWayObservation
    /// The same, with marks: whose change it was, and which came later.
    case markedObservation
    /// The web view's store is the only one: the app reads it before each request and writes it after.
    case webStoreAsTruth
    /// Marked observation, and what the store loses is put back.
    case nativeBackup
    /// The app alone refreshes, and the web view gets what comes of it.
    case nativeOwned

    /// What to choose where nothing speaks against it.
    public static let standard = nativeOwned

    /// Begins to keep the two sides alike.
    public func begin(_ sides: WebSides) -> any WebSide {
        switch self {
        case .naiveCopying: CookieMirror(sides, NaiveCopying())
        case .twoWayObservation: CookieMirror(sides, PlainObservation())
        case .markedObservation: CookieMirror(sides, MarkedObservation(missing: .isDeletion))
        case .webStoreAsTruth: WebStoreAsTruth(sides)
        case .nativeBackup: CookieMirror(sides, MarkedObservation(missing: .isLoss))
        case .nativeOwned: NativeOwned(sides)
        }
    }
}

/// What a strategy keeps alike, and with which means.
///
///     let sides = WebSides(
///         native: native, surface: surface, session: pages, configuration: configuration, clock: clock, alarm: alarm)
public struct WebSides: Sendable {
    /// The app's own cookies, for the strategies that copy.
    package let native: NativeCookies
    package let surface: any WebSurface
    /// The session, for the one that does not.
    package let session: any PageSession
    package let configuration: WebBridgeConfiguration
    package let clock: any WallClock
    package let alarm: any Alarm
    package let launch: TaskLaunch

    /// - Parameters:
    ///   - native: the app's own cookies, for the strategies that copy.
    ///   - surface: the web view.
    ///   - session: for ``WebStrategy/nativeOwned``, which copies nothing.
    ///   - configuration: the same as for a bridge.
    ///   - clock: that of the device.
    ///   - alarm: rings when a wait is over.
    ///   - launch: begins a task; a test that moves its own clock has a list of them.
    public init(
        native: NativeCookies, surface: any WebSurface, session: any PageSession,
        configuration: WebBridgeConfiguration, clock: any WallClock, alarm: any Alarm,
        launch: @escaping TaskLaunch = { Task(operation: $0) }
    ) {
        self.native = native
        self.surface = surface
        self.session = session
        self.configuration = configuration
        self.clock = clock
        self.alarm = alarm
        self.launch = launch
    }
}
