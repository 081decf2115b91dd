import IdentityProvider
import JOSE
import OAuth
import Primitives

/// A configuration that is read is printed and reads back the same; one that is refused is told where, within its text.
enum ConfigurationProperties {
    private static let base: ProviderConfiguration = {
        do {
            return ProviderConfiguration(
                clients: try StandardClients.all(), users: try StandardUsers.all(),
                accessTokens: AccessTokenPolicy(algorithm: .es256))
        } catch { fatalError("no configuration: \(error)") }
    }()
    private static let reader = ConfigurationReader { reference throws(SecretReferenceError) in
        switch reference {
        case .environment("UNSET"): throw SecretReferenceError("the variable is not set")
        case .environment(let name): Secret(utf8: "env-\(name)-of-the-test-long-enough")
        case .file: Secret([0xE9])
        }
    }

    static func check(_ input: Span<UInt8>) {
        let text = input.array()
        let settings: ProviderSettings
        do throws(ConfigurationError) {
            settings = try reader.read(text, over: base)
        } catch {
            return check(error, in: text)
        }
        let printed = JSON.object(settings.json)
        do throws(ConfigurationError) {
            let again = try reader.read(printed.serialised(), over: base)
            require(JSON.object(again.json) == printed, "a printed configuration reads back the same")
        } catch {
            // A secret is not printed, and what stands in its place may be too short to sign with.
            require(error.entries.allSatisfy { $0.message.contains("secret") }, "a printed configuration is read")
        }
    }

    private static func check(_ error: ConfigurationError, in text: [UInt8]) {
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        require(!error.entries.isEmpty && error.entries.count <= 100, "a refusal has reasons, and not too many")
        var last = (line: 1, column: 1)
        for entry in error.entries {
            let place = (line: entry.place.line, column: entry.place.column)
            require(last <= place, "reasons come in the order of the text")
            last = place
            require((1...lines.count).contains(place.line), "the line is in the text")
            let width = lines[place.line - 1].count { $0 & 0xC0 != 0x80 }
            require((1...(width + 1)).contains(place.column), "the column is in the line")
            require(!entry.message.isEmpty && entry.message.utf8.count < 2048, "a message has an end")
        }
        for line in error.lines(naming: "c") {
            require(line.utf8.count < 4096, "a line has an end")
            require(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a message is one line")
        }
    }
}
