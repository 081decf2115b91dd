#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// The numbers that a batch of signatures is worked out with. They are wiped after each batch and kept for the next one; one
/// caller at a time has them.
final class P256Workspace {
    /// How many signatures share an inversion. With more, its part in each is lost among the rest.
    static let capacity = 32
    private static let pool = ContextPool { workspace in
        if let workspace { Unmanaged<P256Workspace>.fromOpaque(UnsafeRawPointer(workspace)).release() }
    }

    private let curve = P256Arithmetic.shared
    private let numbers = (0..<(3 * capacity + 3)).map { _ in BigNumber() }
    /// The multiples of the base point, while a batch is worked out.
    private var points: [OpaquePointer?] = []

    static func take() -> P256Workspace {
        guard let known = pool.take() else { return P256Workspace() }
        return Unmanaged<P256Workspace>.fromOpaque(UnsafeRawPointer(known)).takeRetainedValue()
    }

    /// After a batch that failed as well: nothing of it is left.
    func giveBack() {
        for number in numbers { BN_clear(number.pointer) }
        Self.pool.give(OpaquePointer(Unmanaged.passRetained(self).toOpaque()))
    }

    /// `false` where OpenSSL fails, or one of the numbers is 0, which happens to nobody: then there is no signature.
    func sign(
        _ digests: UnsafeRawBufferPointer, by scalar: BigNumber, with nonces: some P256NonceSource,
        into signatures: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let count = digests.count / P256Batch.numberByteCount
        // Wiped when they are freed, and with them what OpenSSL has worked out on the way: a nonce follows from the coordinates
        // in which its multiple came about.
        let scratch = allocated(BN_CTX_secure_new())
        points = (0..<count).map { _ in allocated(EC_POINT_new(curve.group.pointer)) }
        defer {
            for point in points { EC_POINT_clear_free(point) }
            points.removeAll(keepingCapacity: true)
            BN_CTX_free(scratch)
        }
        return choose(nonces, for: digests, count, scratch) && invert(count, scratch)
            && finish(digests, by: scalar, count, into: signatures, scratch)
    }

    // MARK: The numbers, by what they are

    /// The nonces, in Montgomery's form.
    private func nonce(_ index: Int) -> OpaquePointer { numbers[index].pointer }
    /// Of the nonces so far, in Montgomery's form.
    private func product(_ index: Int) -> OpaquePointer { numbers[Self.capacity + index].pointer }
    /// The first half of each signature.
    private func r(_ index: Int) -> OpaquePointer { numbers[2 * Self.capacity + index].pointer }
    /// Of the product of all nonces up to the one that is looked at, in Montgomery's form.
    private var inverse: OpaquePointer { numbers[3 * Self.capacity].pointer }
    private var first: OpaquePointer { numbers[3 * Self.capacity + 1].pointer }
    private var second: OpaquePointer { numbers[3 * Self.capacity + 2].pointer }

    // MARK: The steps

    /// The nonces k, the first halves r = x(kG) mod n, and the products of the nonces so far.
    private func choose(
        _ source: some P256NonceSource, for digests: UnsafeRawBufferPointer, _ count: Int, _ scratch: OpaquePointer
    ) -> Bool {
        let group = curve.group.pointer
        let isMultiplied = withUnsafeTemporaryAllocation(byteCount: count * P256Nonces.byteCount, alignment: 1) {
            bytes in
            defer { wipe(bytes) }
            guard source.fill(bytes, for: digests) else { return false }
            for index in 0..<count {
                let start = bytes.baseAddress.unsafelyUnwrapped + index * P256Nonces.byteCount
                guard readNonce(start, to: first, scratch), BN_is_zero(first) == 0,
                    EC_POINT_mul(group, points[index], first, nil, nil, scratch) == 1,
                    BN_to_montgomery(nonce(index), first, curve.montgomery, scratch) == 1,
                    index == 0
                        ? BN_copy(product(0), nonce(0)) != nil
                        : multiply(product(index - 1), nonce(index), to: product(index), scratch)
                else { return false }
            }
            return true
        }
        guard isMultiplied, pawl_make_affine(group, &points, count, scratch) == 1 else { return false }
        for index in 0..<count {
            guard pawl_affine_x(group, points[index], first, scratch) == 1,
                BN_nnmod(r(index), first, curve.order.pointer, scratch) == 1, BN_is_zero(r(index)) == 0
            else { return false }
        }
        return true
    }

    /// The inverse of the product of all nonces (Fermat: the power that is the order less two).
    private func invert(_ count: Int, _ scratch: OpaquePointer) -> Bool {
        BN_from_montgomery(first, product(count - 1), curve.montgomery, scratch) == 1
            && BN_mod_exp_mont_consttime(
                second, first, curve.orderLessTwo.pointer, curve.order.pointer, scratch, curve.montgomery) == 1
            && BN_to_montgomery(inverse, second, curve.montgomery, scratch) == 1
    }

    /// The second halves s = k⁻¹ (e + r d) mod n, from the last to the first: what is left of the inverse is that of the
    /// nonces before.
    private func finish(
        _ digests: UnsafeRawBufferPointer, by scalar: BigNumber, _ count: Int,
        into signatures: UnsafeMutableRawBufferPointer, _ scratch: OpaquePointer
    ) -> Bool {
        for index in (0..<count).reversed() {
            let digest = digests.baseAddress.unsafelyUnwrapped + index * P256Batch.numberByteCount
            let place = signatures.baseAddress.unsafelyUnwrapped + index * P256Batch.signatureByteCount
            // One factor in Montgomery's form and one that is not make a product that is not.
            guard read(digest, to: first), BN_nnmod(first, first, curve.order.pointer, scratch) == 1,
                multiply(r(index), scalar.pointer, to: second, scratch),
                BN_mod_add_quick(second, second, first, curve.order.pointer) == 1,
                index == 0
                    ? BN_copy(first, inverse) != nil
                    : multiply(inverse, product(index - 1), to: first, scratch)
                        && multiply(inverse, nonce(index), to: inverse, scratch),
                multiply(first, second, to: second, scratch), BN_is_zero(second) == 0,
                write(r(index), to: place), write(second, to: place + P256Batch.numberByteCount)
            else { return false }
        }
        return true
    }

    private func multiply(
        _ left: OpaquePointer, _ right: OpaquePointer, to product: OpaquePointer, _ scratch: OpaquePointer
    ) -> Bool {
        BN_mod_mul_montgomery(product, left, right, curve.montgomery, scratch) == 1
    }

    /// The remainder of a number of 512 bits by the order: a·2²⁵⁶ + b, of which Montgomery's form of a is the first half. A
    /// division would tell by its time what comes of it.
    private func readNonce(_ bytes: UnsafeRawPointer, to number: OpaquePointer, _ scratch: OpaquePointer) -> Bool {
        read(bytes, to: number)
            && BN_to_montgomery(number, number, curve.montgomery, scratch) == 1
            && read(bytes + P256Batch.numberByteCount, to: second)
            && BN_to_montgomery(second, second, curve.montgomery, scratch) == 1
            && BN_from_montgomery(second, second, curve.montgomery, scratch) == 1
            && BN_mod_add_quick(number, number, second, curve.order.pointer) == 1
    }

    /// The number of 256 bits that the bytes spell.
    private func read(_ bytes: UnsafeRawPointer, to number: OpaquePointer) -> Bool {
        BN_bin2bn(bytes.assumingMemoryBound(to: UInt8.self), Int32(P256Batch.numberByteCount), number) != nil
    }

    private func write(_ number: OpaquePointer, to place: UnsafeMutableRawPointer) -> Bool {
        let length = Int32(P256Batch.numberByteCount)
        return BN_bn2binpad(number, place.assumingMemoryBound(to: UInt8.self), length) == length
    }
}
#endif
