import HTTPMessages
import Primitives

/// Tells the user what went wrong where no client can be told: it is not known, or not trusted (RFC 6749 section
/// 4.1.2.1).
package struct ErrorPage: Page {
    package var status: HTTPResponse.Status
    /// As on the wire: `invalid_request`.
    package var code: String
    /// For whoever develops the client, in English.
    package var details: String?
    /// Finds the request in the log.
    package var requestID: String?
    package var advice: Advice

    /// What the user can do about it.
    package enum Advice: Hashable, Sendable {
        case tryAgain, wait, startAgain, tellDeveloper

        /// What suits an error, by its code. What a user cannot mend is for those who made the request.
        package init(forCode code: String) {
            switch code {
            case "server_error", "access_denied", "login_required", "interaction_required": self = .tryAgain
            case "temporarily_unavailable", "slow_down": self = .wait
            case "expired_token", "invalid_request_uri", "invalid_grant": self = .startAgain
            default: self = .tellDeveloper
            }
        }

        func text(_ texts: PageTexts.Error) -> String {
            switch self {
            case .tryAgain: texts.tryAgain
            case .wait: texts.wait
            case .startAgain: texts.startAgain
            case .tellDeveloper: texts.tellDeveloper
            }
        }
    }

    /// - Parameter advice: from the code unless the endpoint knows better.
    package init(
        status: HTTPResponse.Status, code: String, details: String? = nil, requestID: String? = nil,
        advice: Advice? = nil
    ) {
        self.status = status
        self.code = code
        self.details = details
        self.requestID = requestID
        self.advice = advice ?? Advice(forCode: code)
    }

    /// What happened, in the words of the user: the details are for others, and in English.
    private func happening(_ texts: PageTexts.Error) -> String? {
        switch advice {
        case .tellDeveloper: texts.lead
        case .wait: texts.busy
        case .tryAgain: code == "server_error" ? texts.ourFault : texts.refused
        // The advice says it.
        case .startAgain: nil
        }
    }

    package var policy: ContentPolicy { ContentPolicy() }

    package func title(_ texts: PageTexts) -> String { texts.error.title }

    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts.error
        writer.seal(isGood: false)
        writer.element("h1", texts.title)
        if let happening = happening(texts) { writer.element("p", [.class("lead")], happening) }
        writer.element("dl", [.class("facts")]) { writer in
            writer.fact(texts.code, [.lang(PageLanguage.english.tag)]) { writer in
                writer.element("code") { $0.foreign(code) }
            }
            if let details {
                writer.fact(texts.details, [.lang(PageLanguage.english.tag)]) { $0.foreign(details, limit: 1000) }
            }
            if let requestID {
                writer.fact(texts.requestID) { writer in writer.element("code") { $0.foreign(requestID) } }
            }
        }
        writer.element("h2", [.class("below")], texts.whatToDo)
        writer.element("p", [.class("plain")], advice.text(texts))
    }
}

extension HTMLWriter {
    /// A name and its value in a list of facts.
    mutating func fact(
        _ name: String, _ attributes: [HTMLAttribute?] = [], _ value: (inout HTMLWriter) -> Void
    ) {
        element("div") { writer in
            writer.element("dt", name)
            writer.element("dd", attributes, value)
        }
    }
}
