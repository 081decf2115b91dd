import Crypto
import HTTPMessages
import OAuth
import Primitives

/// Proves with each request that it comes from whoever has the key (RFC 9449).
///
///     try proofs.authorise(&request, with: accessToken)
///     let (response, body) = try await outbound.send(request, body: [])
///     proofs.remember(response, to: request)
///     if proofs.asksForNonce(response) { … }          // once more, with a new proof
package struct DPoPProver: Sendable {
    package let key: DPoPKey
    private let nonces: DPoPNonces
    private let clock: any WallClock
    private let random: any RandomSource

    /// - Parameters:
    ///   - nonces: shared between all that ask the same servers.
    ///   - clock: that of the server, as far as it is known: a proof from the past or the future is refused.
    package init(key: DPoPKey, nonces: DPoPNonces = DPoPNonces(), clock: any WallClock, random: any RandomSource) {
        self.key = key
        self.nonces = nonces
        self.clock = clock
        self.random = random
    }

    /// Puts a proof into a request, in the place of one that it may have.
    package func prove(_ request: inout HTTPRequest, accessToken: Secret? = nil) throws(CryptoError) {
        let proof = DPoPProof(
            method: request.method, url: Self.url(of: request),
            identifier: random.identifier(byteCount: DPoPProof.identifierByteCount), issuedAt: clock.now(),
            accessToken: accessToken, nonce: nonces.nonce(for: Self.origin(of: request)))
        request.headerFields[.dpop] = try proof.signed(by: key)
    }

    /// RFC 9449 section 7.1: the token under the scheme `DPoP`, and a proof that names its hash.
    package func authorise(_ request: inout HTTPRequest, with accessToken: Secret) throws(CryptoError) {
        request.headerFields[.authorization] = "DPoP " + accessToken.withBytes { String(decoding: $0, as: UTF8.self) }
        try prove(&request, accessToken: accessToken)
    }

    /// RFC 9449 section 8.2: any response may bring the nonce for the next request.
    ///
    /// - Returns: whether this one did.
    @discardableResult
    package func remember(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        nonces.remember(response, from: Self.origin(of: request))
    }

    /// RFC 9449 section 9: whether a resource refused the request for want of its nonce alone, and gave one.
    package func asksForNonce(_ response: HTTPResponse) -> Bool {
        response.headerFields.contains(.dpopNonce) && Self.isRefused(response, for: .useDPoPNonce)
    }

    /// RFC 9449 section 7.1: whether a resource refused the proof, and its clock shows another time than the one it was made by.
    package func hasProvenAtAnotherTime(than response: HTTPResponse) -> Bool {
        Self.isRefused(response, for: .invalidDPoPProof) && corrected(by: response) != nil
    }

    private static func isRefused(_ response: HTTPResponse, for code: OAuthErrorCode) -> Bool {
        response.status == .unauthorized
            && response.headerFields[values: .wwwAuthenticate].flatMap { Challenges.read($0) }.contains { challenge in
                challenge.isOf(scheme: "DPoP") && sameText(challenge["error"] ?? "", code.rawValue)
            }
    }

    /// The same by the clock of a server that has refused a proof (RFC 9449 section 11.1: it takes those of a short while).
    /// `nil`: the server does not say its time, or that is no other.
    func corrected(by response: HTTPResponse) -> DPoPProver? {
        guard let serverTime = response.serverTime else { return nil }
        let skew = ClockSkew.learned(from: serverTime, at: clock.now())
        guard skew != .zero else { return nil }
        return DPoPProver(key: key, nonces: nonces, clock: SkewedClock(base: clock, skew: skew), random: random)
    }

    /// RFC 9449 section 4.2: `htu` is the URL without query and fragment. Scheme, host and port as they are compared: in lower
    /// case, without the port that goes without saying (RFC 3986 sections 6.2.2 and 6.2.3); the path as it is sent.
    static func url(of request: HTTPRequest) -> String {
        let path = (request.path ?? "/").prefix { $0 != "?" && $0 != "#" }
        return origin(of: request) + (path.isEmpty ? "/" : path)
    }

    private static func origin(of request: HTTPRequest) -> String {
        let scheme = (request.scheme ?? "https").lowercased()
        let text = request.authority ?? ""
        let authority = Authority(text)?.text(defaultPort: scheme == "https" ? 443 : 80) ?? text.lowercased()
        return "\(scheme)://\(authority)"
    }
}
