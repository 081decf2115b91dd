import Cookies
import Primitives

/// What a bridge knows and decides: input in, actions out. It calls nobody and waits for nothing.
///
/// There is one thing that it does over and over: look at the store, change what is not as it should be, and look again.
/// Whoever waits (a page to be opened, a page that has asked, a reload) waits for a look that was begun after his turn came
/// and that has found everything right.
struct BridgeMachine: Sendable {
    let configuration: WebBridgeConfiguration
    var plan: WebCookiePlan
    var now: Timestamp
    var actions: [BridgeAction] = []
    var isClosed = false

    var settling = Settling()
    var opening: Opening?
    /// A reload that waits, and after which look it may be done.
    var reloadAfter: UInt64?
    var messages: [Message] = []
    var flights: [BridgeFlight] = []
    var lastFlight: UInt64 = 0
    /// The state that the page which is there was loaded with.
    var pageGeneration: UInt64 = 0

    struct Opening: Sendable {
        let id: UInt64
        let url: String
        /// `nil`: the session has not answered yet.
        var after: UInt64?
    }

    init(_ configuration: WebBridgeConfiguration, at now: Timestamp) {
        self.configuration = configuration
        self.now = now
        plan = WebCookiePlan(configuration)
    }

    mutating func handle(_ input: BridgeInput, at now: Timestamp) -> [BridgeAction] {
        self.now = now
        actions = []
        if isClosed { refuse(input) } else { take(input) }
        return actions
    }

    private mutating func take(_ input: BridgeInput) {
        switch input {
        case .session(let state): adopt(state)
        case .answered(let flight, let result): answered(flight, result)
        case .open(let id, let url): open(id, url)
        case .giveUpOpening(let id): if opening?.id == id { finishOpening(.failure(.cancelled)) }
        case .read(let step, let cookies): if settling.phase == .reading(step) { judge(cookies) }
        case .applied(let step): if settling.phase == .writing(step) { look() }
        case .cookiesChanged: cookiesChanged()
        case .contentProcessTerminated: contentProcessTerminated()
        case .message(let id, let origin, let isMainFrame, let body): heard(id, origin, isMainFrame, body)
        case .rang(let timer): rang(timer)
        case .close: close()
        }
    }

    /// After the end, whoever asks gets an answer all the same.
    private mutating func refuse(_ input: BridgeInput) {
        switch input {
        case .open(let id, _): actions.append(.finishOpening(id: id, .failure(.closed)))
        case .message(let id, _, _, _): actions.append(.reply(id: id, .failure("closed")))
        default: break
        }
    }

    private mutating func rang(_ timer: BridgeTimer) {
        switch timer {
        case .step(let step): stepIsOver(step)
        case .opening(let id): openingIsOver(id)
        case .session(let id): if opening?.id == id { openWithWhatIsKnown() }
        case .message(let id): messageIsOver(id)
        case .observer(let count): missedOwnChange(count)
        }
    }

    private mutating func close() {
        finishOpening(.failure(.closed))
        for message in messages { actions.append(.reply(id: message.id, .failure("closed"))) }
        messages = []
        reloadAfter = nil
        settling.phase = .idle
        isClosed = true
        actions.append(.disconnect)
    }

    // MARK: The session

    mutating func adopt(_ state: PageCookies) {
        if plan.adopt(state) { lookAgain() }
    }

    /// Asks the session, or waits for the answer to the same question that is under way.
    mutating func ask(replacing generation: UInt64?) -> UInt64 {
        if let flight = flights.first(where: { $0.replacing == generation }) { return flight.id }
        lastFlight += 1
        let flight = BridgeFlight(id: lastFlight, replacing: generation, known: plan.target?.generation)
        flights.append(flight)
        actions.append(.ask(flight))
        return flight.id
    }

    private mutating func answered(_ flight: BridgeFlight, _ result: Result<PageCookies, PageSessionError>) {
        flights.removeAll { $0.id == flight.id }
        switch result {
        case .success(let state): adopt(state)
        case .failure(.signedOut): plan.signOut(asOf: flight.known)
        case .failure(.unavailable): replyToThose(askingIn: flight.id, .unavailable)
        }
        for index in messages.indices where messages[index].stage == .asking(flight.id) {
            messages[index].stage = .waiting(after: settling.lookCount)
        }
        if flight.replacing == nil, opening?.after == nil {
            if plan.target == nil { finishOpening(.failure(.sessionUnavailable)) }
            openWithWhatIsKnown()
        }
        lookAgain()
    }
}
