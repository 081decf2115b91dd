import Foundation
import Networking
import TestSupport
import Testing

/// Whoever can put a key into the directory can pretend to be the server.
@Suite struct PrivateDirectoryTests {
    let directory: TemporaryDirectory
    var path: String { directory.path("tls") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open() throws { _ = try TLSServerContext(.automatic(directory: path)) }

    private func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + name)
    }

    /// The refusal's text.
    private func refusal() -> String {
        (#expect(throws: NetworkingError.self) { try open() })?.description ?? ""
    }

    @Test(arguments: [0o777, 0o770, 0o702, 0o1777])
    func refusesADirectoryThatOthersMayWrite(_ mode: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setMode(mode, of: "")
        #expect(refusal().contains("chmod 700"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }

    @Test func acceptsADirectoryThatOthersMayRead() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setMode(0o755, of: "")
        try open()
    }

    @Test func refusesADirectoryOfAnotherUser() throws {
        var place = "/usr"
        if geteuid() == 0 {
            place = path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(chown(path, 65_534, 65_534) == 0)
        }
        let error = #expect(throws: NetworkingError.self) { try TLSServerContext(.automatic(directory: place)) }
        #expect(error?.description.contains("belongs to another user") == true)
    }

    @Test(arguments: ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"])
    func refusesALink(_ file: String) throws {
        try open()
        let elsewhere = directory.path("elsewhere")
        try FileManager.default.moveItem(atPath: path + "/" + file, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path + "/" + file, withDestinationPath: elsewhere)
        #expect(refusal().contains("\(path)/\(file) is a link"))
    }

    @Test(arguments: ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"])
    func refusesAFileThatOthersMayWrite(_ file: String) throws {
        try open()
        try setMode(0o602, of: "/" + file)
        #expect(refusal().contains("chmod \(file.hasSuffix("-key.pem") ? 600 : 644) \(path)/\(file)"))
    }

    @Test(arguments: ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"])
    func refusesAFileOfAnotherUser(_ file: String) throws {
        guard geteuid() == 0 else { return }
        try open()
        #expect(chown(path + "/" + file, 65_534, 65_534) == 0)
        #expect(refusal().contains("\(path)/\(file) belongs to another user"))
    }

    @Test func refusesAKeyThatIsTooLong() throws {
        try open()
        let key = path + "/ca-key.pem"
        let long = try Data(contentsOf: URL(filePath: key)) + Data(repeating: 0x0A, count: 1 << 20)
        try long.write(to: URL(filePath: key))
        try setMode(0o600, of: "/ca-key.pem")
        #expect(refusal().contains("more than"))
    }

    @Test func doesNotWaitForALockForEver() throws {
        let holder = try PrivateDirectory(path: path)
        let error = #expect(throws: NetworkingError.self) {
            try PrivateDirectory(path: path, patience: .milliseconds(30))
        }
        #expect(error?.kind == .timedOut)
        #expect(error?.description.contains("\(path) locked") == true)
        withExtendedLifetime(holder) {}
    }

    @Test func waitsForALockThatIsGivenUp() async throws {
        let path = path
        var holder: PrivateDirectory? = try PrivateDirectory(path: path)
        async let second: Void = onThread { _ = try PrivateDirectory(path: path) }
        withExtendedLifetime(holder) {}
        holder = nil
        try await second
    }

    @Test func refusesWhatIsNoFile() throws {
        try open()
        let key = path + "/ca-key.pem"
        try FileManager.default.removeItem(atPath: key)
        #expect(mkfifo(key, 0o600) == 0)
        #expect(refusal().contains("is no file"))
    }
}
