import HTTPMessages
import SessionClient

/// The script of a page that looks after itself, as it would in a browser:
///
///     let answer = await fetch("/session/resource");
///     if (answer.status === 401) {
///         const refreshed = await fetch("/session/refresh", {method: "POST"});
///         if (refreshed.ok) answer = await fetch("/session/resource");
///         else if ((await refreshed.json()).error === "invalid_grant") location = "/login";
///     }
actor HandWrittenPage {
    private(set) var showsLogin = false
    private let page: SimulatedPage
    private let stage: Stage

    init(_ page: SimulatedPage, _ stage: Stage) {
        self.page = page
        self.stage = stage
    }

    /// The user looks at something in the page.
    func show() async -> Visit {
        if await page.fetch(stage.content)?.status == 200 { return .shown }
        guard let refreshed = await page.fetch(stage.refresh, method: .post) else { return .refused }
        guard refreshed.status == 200 else {
            if RefusalText.code(in: refreshed.body) == "invalid_grant" { showsLogin = true }
            return .refused
        }
        _ = await page.fetch(stage.content)
        return .refreshed
    }
}
