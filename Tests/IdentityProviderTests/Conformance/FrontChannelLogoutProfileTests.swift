import JOSE
import OAuth
import Primitives
import Testing

/// The modules of the foundation's front-channel logout profile.
@Suite struct FrontChannelLogoutProfileTests {
    static let uri = "https://client.example/frontchannel_logout"
    static let metadata: JSONObject = [
        "frontchannel_logout_uri": .string(uri), "frontchannel_logout_session_required": true,
    ]

    @Test func discoveryEndpointVerification() async throws {
        let document = try await RelyingParty.start().idp.discovered()
        #expect(document["end_session_endpoint"]?.string != nil)
        #expect(document["frontchannel_logout_supported"] == true)
        #expect(document["frontchannel_logout_session_supported"] == true)
    }

    @Test(arguments: [ConformanceProfile.basic, .dynamic])
    func rpInitiated(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile, metadata: Self.metadata)
        let tokens = try await rp.signIn()
        let page = try await rp.requestLogout(tokens)
        #expect(page.status == 200 && page.isHTML)
        // OpenID Connect Front-Channel Logout section 3: iss and sid, which is that of the ID token.
        let frames = attributes("src", of: "iframe", in: page.text)
        #expect(frames.count == 1)
        let frame = try #require(frames.first)
        #expect(frame.hasPrefix(Self.uri + "?"))
        let query = try FormParameters(parsing: Array(frame.dropFirst(Self.uri.count + 1).utf8).span)
        #expect(query.map(\.name) == ["iss", "sid"])
        #expect(query["iss"] == ProviderUnderTest.issuer)
        #expect(query["sid"].map { JSON.string($0) } == tokens.claims["sid"])
        // The policy of the page lets the frame load, and nothing but it.
        let policy = page.answer.field("Content-Security-Policy") ?? ""
        #expect(policy.contains("frame-src https://client.example"))
        // Then the user goes back, with the state and nothing else.
        let destination = RelyingParty.postLogoutURI + "?" + state
        let link = try #require(attributes("href", of: "a class=\"primary\"", in: page.text).first)
        #expect(link == destination)
        #expect(attributes("content", of: "meta http-equiv", in: page.text).first?.hasSuffix(destination) == true)
        try await rp.expectSignedOut()
    }

    private var state: String {
        // A space is %20 in the answers of the provider, which every reader understands.
        FormParameters([("state", RelyingParty.state)]).encoded.split(separator: "+").joined(separator: "%20")
    }

    /// The values of an attribute of all elements of a sort.
    private func attributes(_ name: String, of element: String, in html: String) -> [String] {
        html.split(separator: "<").filter { $0.hasPrefix(element) }.compactMap { tag in
            guard let start = tag.firstRange(of: " \(name)=\"")?.upperBound,
                let end = tag[start...].firstIndex(of: "\"")
            else { return nil }
            return BrowserForm.decoded(tag[start..<end])
        }
    }
}
