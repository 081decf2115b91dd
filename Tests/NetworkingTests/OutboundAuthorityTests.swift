import Networking
import Testing

/// Where a URL that somebody else wrote may send us.
@Suite struct OutboundAuthorityTests {
    @Test(arguments: [
        ("client.example", "client.example", 443), ("client.example:8443", "client.example", 8443),
        ("127.0.0.1:1", "127.0.0.1", 1), ("[::1]", "::1", 443), ("[2001:db8::1]:65535", "2001:db8::1", 65_535),
        ("my_container:80", "my_container", 80), ("xn--bcher-kva.example", "xn--bcher-kva.example", 443),
    ])
    func reads(text: String, host: String, port: Int) {
        let authority = OutboundAuthority(text, standardPort: 443)
        #expect(authority?.host == host)
        #expect(authority?.port == port)
    }

    @Test(arguments: [
        "", ":80", "host:", "host:0", "host:65536", "host:-1", "host:+1", "host: 80", "host:080000", "host:8o",
        "user@host", "user:secret@host", "user:80@host:80", "ho st", "host/", "/run/socket", "unix:/run/socket",
        "host?x", "host#x", "ho%73t", "hö.example", "h\0st", "host\r\nX: y", "::1", "[::1", "::1]", "[]", "[host]",
        "[::1]x", "[::1]:", "[127.0.0.1]", "[fe80::1%25eth0]", "a:1:2", "host:\u{661}",
    ])
    func refuses(text: String) {
        #expect(OutboundAuthority(text, standardPort: 80) == nil)
    }

    /// A client of ours takes such an address for the path of a socket; a URL never means one.
    @Test func aHostCalledUnixIsAHost() {
        #expect(OutboundAuthority("unix:80", standardPort: 80)?.host == "unix")
    }

    @Test func refusesANameThatIsTooLong() {
        let name = String(repeating: "a", count: 253)
        #expect(OutboundAuthority(name, standardPort: 80) != nil)
        #expect(OutboundAuthority(name + "a", standardPort: 80) == nil)
    }
}
