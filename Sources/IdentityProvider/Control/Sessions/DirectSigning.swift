import JOSE
import Primitives

/// Signs whatever somebody who runs the provider wants signed, with a key of the provider's or with nobody's.
package struct DirectSigning: Sendable {
    private let context: ProviderContext

    package init(context: ProviderContext) {
        self.context = context
    }

    /// With which key.
    package enum Choice: Sendable {
        /// The one that signs by this algorithm now; `nil`: by that of access tokens.
        case active(SignatureAlgorithm?)
        /// One of the tenant, also one that has retired. An algorithm is a check.
        case named(String, SignatureAlgorithm?)
        /// A fresh one that nobody knows.
        case unpublished(SignatureAlgorithm?)
    }

    /// Why nothing was signed.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        case unknownKey
        case keyIsFor(SignatureAlgorithm)
        case noKey
        case supply(KeySupplyError)
        case otherAlgorithm
        case badHeader(String)

        package var description: String {
            switch self {
            case .unknownKey: "the tenant has no such key"
            case .keyIsFor(let algorithm): "the key is for \(algorithm)"
            case .noKey: "there is no key for it"
            case .supply(let error): error.description
            case .otherAlgorithm: "is chosen by alg"
            case .badHeader(let reason): "cannot be signed: \(reason)"
            }
        }
    }

    package func key(_ choice: Choice) async throws(Failure) -> SigningKey {
        switch choice {
        case .active(let algorithm): try await activeKey(algorithm)
        case .named(let keyID, let algorithm): try key(named: keyID, algorithm)
        case .unpublished(let algorithm): try await unpublishedKey(algorithm)
        }
    }

    private func activeKey(_ algorithm: SignatureAlgorithm?) async throws(Failure) -> SigningKey {
        let wanted = algorithm ?? context.configuration.accessTokens.algorithm
        do throws(KeySupplyError) { try await context.prepareKeys(for: [wanted]) } catch { throw .supply(error) }
        let state = context.keyRing.state(at: context.clock.now())
        guard let index = state.activeIndex(of: wanted) else { throw .noKey }
        return state.keys[index].key
    }

    private func key(named keyID: String, _ algorithm: SignatureAlgorithm?) throws(Failure) -> SigningKey {
        let keys = context.keyRing.state(at: context.clock.now()).keys
        guard let entry = keys.first(where: { sameText($0.key.keyID, keyID) }) else { throw .unknownKey }
        guard algorithm == nil || algorithm == entry.key.algorithm else { throw .keyIsFor(entry.key.algorithm) }
        return entry.key
    }

    private func unpublishedKey(_ algorithm: SignatureAlgorithm?) async throws(Failure) -> SigningKey {
        let now = context.clock.now()
        let wanted = algorithm ?? context.configuration.accessTokens.algorithm
        do throws(KeySupplyError) {
            let ring = try await context.keySupply.makeRing(for: [wanted], at: now)
            guard let entry = ring.state(at: now).keys.first else { throw KeySupplyError("no key was made") }
            return entry.key
        } catch {
            throw .supply(error)
        }
    }

    /// A token with these claims and no others.
    ///
    /// - Parameters:
    ///   - type: `typ`; `nil`: there is none.
    ///   - header: other parameters, and `typ` and `kid` where they are to be others; null leaves one out.
    ///   - isBroken: whether one bit of the signature is wrong.
    package func sign(
        _ claims: JSONObject, type: String?, header others: JSONObject = [:], with key: SigningKey,
        isBroken: Bool = false
    ) throws(Failure) -> String {
        var header: JSONObject = ["alg": .string(key.algorithm.name)]
        header["typ"] = type.map { .string($0) }
        header["kid"] = .string(key.keyID)
        header.put(others)
        guard header["alg"] == .string(key.algorithm.name) else { throw .otherAlgorithm }
        let token: String
        do {
            token = try JWSSigner(key: key, protected: header).compact(JSON.object(claims).serialised())
        } catch {
            throw .badHeader("\(error)")
        }
        return isBroken ? Self.broken(token) : token
    }

    /// The first character of the signature stands for six bits of it.
    private static func broken(_ token: String) -> String {
        guard let point = token.lastIndex(of: ".") else { return token }
        let first = token.index(after: point)
        return token[..<first] + (token[first] == "A" ? "B" : "A") + token[token.index(after: first)...]
    }
}
