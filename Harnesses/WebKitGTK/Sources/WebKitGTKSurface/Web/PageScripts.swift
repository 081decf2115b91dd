/// What stands between a page and the app.
///
/// WebKitGTK does not tell the app which frame a message comes from. So the handler is in a world of scripts that no page gets
/// at; there, in each frame, a script of the app's own listens, and says from which origin it heard something: it asks the engine,
/// and whatever the page has done to its own `self` and `top` is not to be seen there. Pages have the `postMessage` that they
/// have on Apple's platforms.
enum PageScripts {
    static let world = "pawl-session"

    static func app(_ name: String) -> String {
        """
        (() => {
            const handler = webkit.messageHandlers["\(name)"];
            const frame = {origin: self.origin, isMainFrame: self === top};
            const answer = (detail) => dispatchEvent(new CustomEvent("pawl:\(name):answer", {detail: JSON.stringify(detail)}));
            addEventListener("pawl:\(name):ask", async (event) => {
                let id;
                try {
                    const asked = JSON.parse(event.detail);
                    id = asked.id;
                    answer({id, value: JSON.parse(await handler.postMessage(JSON.stringify({...frame, body: asked.body})))});
                } catch (error) {
                    answer({id, error: error instanceof Error ? error.message : String(error)});
                }
            });
        })();
        """
    }

    static func page(_ name: String) -> String {
        """
        (() => {
            const waiting = new Map();
            let last = 0;
            addEventListener("pawl:\(name):answer", (event) => {
                const {id, value, error} = JSON.parse(event.detail);
                const promise = waiting.get(id);
                if (!promise) { return; }
                waiting.delete(id);
                if (error === undefined) { promise.resolve(value); } else { promise.reject(new Error(error)); }
            });
            const postMessage = (body) => new Promise((resolve, reject) => {
                waiting.set(++last, {resolve, reject});
                dispatchEvent(new CustomEvent("pawl:\(name):ask", {detail: JSON.stringify({id: last, body})}));
            });
            window.webkit ??= {};
            webkit.messageHandlers ??= {};
            webkit.messageHandlers["\(name)"] = {postMessage};
        })();
        """
    }
}
