import OAuth
import Primitives

extension AuthorizationRequest: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.text(clientID)
        clientStay.write(to: &writer)
        target.write(to: &writer)
        writer.byte(responseType.rawValue)
        scope.write(to: &writer)
        writer.list(resources)
        writer.optional(challenge)
        writer.optional(proofKeyThumbprint)
        writer.optional(nonce)
        writer.byte(prompt.rawValue)
        writer.byte(maximumAge == nil ? 0 : 1)
        if let maximumAge { writer.signed(maximumAge.seconds) }
        writer.optional(loginHint)
        writer.optional(idTokenHint)
        writer.optional(hintedSubject)
        writer.list(contextClasses)
        writer.optional(uiLocales)
        writer.text(display.rawValue)
        writer.optional(claims)
    }

    package convenience init(from reader: inout RecordReader) throws(RecordError) {
        self.init(
            clientID: try reader.text(),
            clientStay: try Int(from: &reader),
            target: try ResponseTarget(from: &reader),
            responseType: try Self.responseType(&reader),
            scope: try Scope(from: &reader),
            resources: try reader.list(),
            challenge: try reader.optional(),
            proofKeyThumbprint: try reader.optional(),
            nonce: try reader.optional(),
            prompt: try Self.prompt(&reader),
            maximumAge: try Self.maximumAge(&reader),
            loginHint: try reader.optional(),
            idTokenHint: try reader.optional(),
            hintedSubject: try reader.optional(),
            contextClasses: try reader.list(),
            uiLocales: try reader.optional(),
            display: try Self.display(&reader),
            claims: try reader.optional())
    }

    private static func responseType(_ reader: inout RecordReader) throws(RecordError) -> ResponseType {
        let bits = try reader.byte()
        guard ResponseType(rawValue: bits).rawValue == bits else { throw .malformed }
        return ResponseType(rawValue: bits)
    }

    private static func prompt(_ reader: inout RecordReader) throws(RecordError) -> Prompt {
        let bits = try reader.byte()
        guard Prompt(rawValue: bits).rawValue == bits else { throw .malformed }
        return Prompt(rawValue: bits)
    }

    private static func maximumAge(_ reader: inout RecordReader) throws(RecordError) -> MaxAge? {
        guard try reader.flag() else { return nil }
        let seconds = try reader.signed()
        guard MaxAge(seconds: seconds).seconds == seconds else { throw .malformed }
        return MaxAge(seconds: seconds)
    }

    private static func display(_ reader: inout RecordReader) throws(RecordError) -> Display {
        let text = try reader.text()
        guard let display = Display.allCases.first(where: { sameText($0.rawValue, text) }) else { throw .malformed }
        return display
    }
}

extension ResponseTarget: RecordValue {
    package func write(to writer: inout RecordWriter) {
        writer.text(redirectURI.text)
        writer.text(mode.rawValue)
        writer.optional(state)
        writer.optional(namedRedirectURI)
    }

    package init(from reader: inout RecordReader) throws(RecordError) {
        let text = try reader.text()
        let name = try reader.text()
        guard let redirectURI = try? RedirectURI(text), sameText(redirectURI.text, text),
            let mode = ResponseMode.allCases.first(where: { sameText($0.rawValue, name) })
        else { throw .malformed }
        self.init(
            redirectURI: redirectURI, mode: mode, state: try reader.optional(),
            namedRedirectURI: try reader.optional())
    }
}
