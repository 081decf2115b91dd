import Primitives
import SessionClient

/// The script of a page whose app has the library. It asks the app, and is answered when the new cookies are there:
///
///     const generation = latest;
///     let answer = await fetch("/session/resource");
///     if (answer.status === 401) {
///         const told = await webkit.messageHandlers.session.postMessage({type: "refresh", generation});
///         latest = told.generation;
///         if (told.status === "signed_in") answer = await fetch("/session/resource");
///     }
actor LibraryPage {
    private let page: SimulatedPage
    private let stage: Stage
    /// Which state of the session the page has, so that it is not refreshed twice.
    private var latest: JSON?

    init(_ page: SimulatedPage, _ stage: Stage) {
        self.page = page
        self.stage = stage
    }

    /// What the page sees in the end; `nil`: no answer at all.
    func show() async -> Int? {
        let generation = latest
        let answer = await page.fetch(stage.content)
        guard answer?.status == 401 else { return answer?.status }
        var question: JSONObject = ["type": "refresh"]
        if let generation { question["generation"] = generation }
        guard case .replied(.value(let told)) = await page.post(.object(question)) else { return nil }
        latest = told["generation"]
        guard told["status"]?.string == "signed_in" else { return answer?.status }
        return await page.fetch(stage.content)?.status
    }
}
