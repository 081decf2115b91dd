import OAuth
import Testing

@Suite struct RedirectURIMatchingTests {
    /// RFC 8252 section 7.3: the port of a loopback URI is whichever is free.
    @Test(arguments: [
        ("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb"), ("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb"),
        ("http://127.0.0.1:1/cb", "http://127.0.0.1/cb"), ("http://[::1]/cb", "http://[::1]:49152/cb"),
        ("http://[::1]:5/cb?x=1", "http://[::1]:49152/cb?x=1"), ("http://localhost/cb", "http://localhost:3000/cb"),
        ("http://localhost", "http://localhost:3000"), ("http://localhost?x=a:9", "http://localhost:3000?x=a:9"),
    ])
    func thePortOfALoopbackURIDoesNotCount(registered: String, presented: String) throws {
        let registered = try RedirectURI(registered)
        let presented = try RedirectURI(presented)
        #expect(registered.matches(presented))
        #expect(!registered.matches(presented, ports: .exact))
        #expect(registered.matches(registered, ports: .exact))
    }

    /// RFC 9700 section 2.1: exact, byte by byte.
    @Test(arguments: [
        ("https://app.example/cb", "https://app.example/cb/"), ("https://app.example/cb", "https://app.example/CB"),
        ("https://app.example/cb", "https://APP.example/cb"), ("https://app.example/cb", "HTTPS://app.example/cb"),
        ("https://app.example/cb", "https://app.example:443/cb"),
        ("https://app.example/cb", "https://app.example/c%62"),
        ("https://app.example/%c3", "https://app.example/%C3"), ("https://app.example/cb", "https://app.example/cb?"),
        ("https://app.example/cb", "https://app.example/cb?x=1"), ("https://app.example/cb", "https://app.example//cb"),
        ("https://app.example", "https://app.example/"), ("https://app.example/cb", "http://app.example/cb"),
        ("https://app.example/cb", "https://app.example/cb/more"), ("https://app.example/cb", "https://app.example"),
        ("https://app.example/cb", "https://x.app.example/cb"),
        ("https://app.example/cb", "https://app.example.evil/cb"),
        ("http://app.example/cb", "http://app.example:8080/cb"),
        ("https://127.0.0.1/cb", "https://127.0.0.1:8443/cb"), ("https://localhost/cb", "https://localhost:8443/cb"),
        ("com.example.app:/cb", "com.example.app://cb"), ("com.example.app:/cb", "com.example.App:/cb"),
        ("com.example.app://host/cb", "com.example.app://host:1/cb"),
        // Nothing but the port, of a loopback URI too.
        ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb/"), ("http://127.0.0.1/cb", "http://127.0.0.1:1/CB"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb?x"), ("http://127.0.0.1/cb", "https://127.0.0.1:1/cb"),
        ("http://127.0.0.1/cb", "http://localhost/cb"), ("http://localhost/cb", "http://127.0.0.1/cb"),
        ("http://127.0.0.1/cb", "http://[::1]/cb"), ("http://127.0.0.1/cb", "http://127.0.0.2:1/cb"),
        ("http://localhost/cb", "http://LOCALHOST:1/cb"), ("http://localhost/cb", "http://localhost.evil:1/cb"),
        ("http://localhost", "http://localhost:1/"), ("http://127.0.0.1/cb", "http://127.0.0.1:1//cb"),
        // The registered one decides.
        ("https://app.example/cb", "http://127.0.0.1/cb"), ("http://app.example/cb", "http://localhost:1/cb"),
    ])
    func everythingElseCounts(registered: String, presented: String) throws {
        let registered = try RedirectURI(registered)
        let presented = try RedirectURI(presented)
        #expect(!registered.matches(presented))
        #expect(!registered.matches(presented, ports: .exact))
        #expect(registered != presented)
    }
}
