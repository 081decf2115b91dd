#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// The arithmetic of a curve: what is needed to check the parts of a key against each other.
final class CurveGroup: Sendable {
    private let curve: Curve
    /// Read only after the initialiser.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ curve: Curve) {
        self.curve = curve
        let name =
            switch curve {
            case .p256: NID_X9_62_prime256v1
            case .p384: NID_secp384r1
            case .p521: NID_secp521r1
            }
        pointer = allocated(EC_GROUP_new_by_curve_name(name))
    }

    deinit {
        EC_GROUP_free(pointer)
    }

    var order: [UInt8] {
        let order = BigNumber()
        precondition(EC_GROUP_get_order(pointer, order.pointer, nil) == 1, "a named curve has an order")
        return order.bytes(length: curve.fieldByteCount)
    }

    /// The public point of a private scalar (SEC 1 section 3.2.1), uncompressed. The scalar must lie in 1 ..< order.
    func publicPoint(of scalar: Secret) throws(CryptoError) -> [UInt8] {
        let length = curve.fieldByteCount
        guard scalar.count == length else {
            throw .wrongLength(part: "the private scalar", expectedBytes: length, foundBytes: scalar.count)
        }
        let number = BigNumber(scalar)
        guard !number.isZero, number < BigNumber(order) else { throw .privateScalarOutOfRange }
        let point = allocated(EC_POINT_new(pointer))
        defer { EC_POINT_free(point) }
        guard EC_POINT_mul(pointer, point, number.pointer, nil, nil, nil) == 1 else {
            throw .library("computing the public point")
        }
        var encoded = [UInt8](repeating: 0, count: 1 + 2 * length)
        let written = EC_POINT_point2oct(pointer, point, POINT_CONVERSION_UNCOMPRESSED, &encoded, encoded.count, nil)
        guard written == encoded.count else { throw .library("encoding the public point") }
        return encoded
    }

    /// A point given by its coordinates must satisfy the equation of the curve (SEC 1 section 3.2.2.1), and a
    /// coordinate must be below the prime of the field.
    func requireOnCurve(_ encoded: [UInt8]) throws(CryptoError) {
        let point = allocated(EC_POINT_new(pointer))
        defer { EC_POINT_free(point) }
        guard EC_POINT_oct2point(pointer, point, encoded, encoded.count, nil) == 1 else {
            ERR_clear_error()
            throw .pointNotOnCurve
        }
    }
}
#endif
