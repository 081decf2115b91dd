import Primitives

extension BridgeMachine {
    mutating func open(_ id: UInt64, _ url: String) {
        guard WebOrigin(url) != nil else {
            actions.append(.finishOpening(id: id, .failure(.invalidURL)))
            return
        }
        finishOpening(.failure(.superseded))
        opening = Opening(id: id, url: url)
        actions.append(.ring(.opening(id), after: configuration.limits.opening))
        actions.append(.ring(.session(id), after: configuration.limits.session))
        _ = ask(replacing: nil)
    }

    mutating func openWithWhatIsKnown() {
        guard plan.target != nil, let opening, opening.after == nil else { return }
        self.opening?.after = settling.lookCount
        lookAgain()
    }

    mutating func openingIsOver(_ id: UInt64) {
        guard let opening, opening.id == id else { return }
        // The next one asks anew: an answer that has not come by now may never come.
        if opening.after == nil { flights.removeAll { $0.replacing == nil } }
        finishOpening(.failure(opening.after == nil ? .sessionUnavailable : .cookiesNotVisible))
    }

    mutating func finishOpening(_ result: Result<PageState, WebBridgeError>) {
        guard let opening else { return }
        self.opening = nil
        actions.append(.finishOpening(id: opening.id, result))
    }
}
