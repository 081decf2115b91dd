import OAuth
import Testing

/// The examples of the documentation: what a login asks for.
@Suite struct AskingExamples {
    @Test func scopes() throws {
        let scope = try Scope(parsing: "openid read write")
        let isEnough = scope.contains("read")
        let more = scope.union(try Scope(parsing: "admin"))
        #expect(isEnough && more.text == "openid read write admin")
    }

    @Test func scopesThatAreNone() {
        var printed = ""
        func print(_ error: ScopeError) { printed = "\(error)" }
        do throws(ScopeError) { _ = try Scope(parsing: "read  write") } catch {
            print(error)
        }
        #expect(printed == "scope tokens are separated by exactly one space, with none at either end")
    }

    @Test func prompts() {
        let prompt: Prompt = [.login, .consent]
        #expect(prompt != .none && prompt.contains(.login))
    }

    @Test func ages() {
        let age = MaxAge(seconds: 3600)
        #expect(age.seconds == 3600)
    }
}
