import Crypto
import Primitives

extension JWK {
    /// RFC 7517 section 4.2: a key whose `use` is something else than `sig` is not for signatures. Section 4.3: nor is
    /// one whose `key_ops` leaves the operation out.
    func requirePermission(for operation: KeyOperation) throws(JWKError) {
        if let use, !sameText(use, JWK.useForSignatures) { throw .notForSignatures }
        if let keyOperations, !keyOperations.contains(where: { sameText($0, operation.rawValue) }) {
            throw .operationNotPermitted(operation.rawValue)
        }
    }

    /// The one algorithm that the key is for: what its `alg` says (RFC 7517 section 4.4), or `wanted`, or what its curve
    /// leaves no choice about. They must agree.
    func bindingAlgorithm(_ wanted: SignatureAlgorithm?) throws(JWKError) -> SignatureAlgorithm {
        let declared: SignatureAlgorithm?
        if let name = algorithm {
            declared = SignatureAlgorithm(named: name)
            guard let declared else { throw .algorithmContradictsKey(wanted) }
            if let wanted, wanted != declared { throw .algorithmContradictsKey(wanted) }
        } else {
            declared = nil
        }
        guard let bound = wanted ?? declared ?? impliedAlgorithm else { throw .algorithmUndecided }
        guard fits(bound) else { throw .unfit(bound) }
        return bound
    }

    /// The algorithm of a key of which there is only one.
    private var impliedAlgorithm: SignatureAlgorithm? {
        switch material.kind {
        case .ec(let curve): .onCurve(curve)
        case .ed25519: .edDSA
        case .rsa, nil: nil
        }
    }

    /// RFC 7518 section 3.4: each ECDSA algorithm has its curve. RFC 8037 section 3.1: EdDSA takes OKP keys.
    private func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        impliedAlgorithm.map { $0 == algorithm } ?? (algorithm.keyType == keyType)
    }
}
