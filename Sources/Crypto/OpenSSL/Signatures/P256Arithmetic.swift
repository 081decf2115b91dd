#if !canImport(CryptoKit)
import COpenSSL

/// P-256 and the numbers of its order, made once for the process. OpenSSL lets several threads read them at once.
final class P256Arithmetic: Sendable {
    static let shared = P256Arithmetic()

    let group = CurveGroup(.p256)
    nonisolated(unsafe) let order: BigNumber
    nonisolated(unsafe) let orderLessTwo: BigNumber
    nonisolated(unsafe) let montgomery = allocated(BN_MONT_CTX_new())

    private init() {
        order = BigNumber(group.order)
        orderLessTwo = BigNumber(group.order)
        let scratch = allocated(BN_CTX_new())
        defer { BN_CTX_free(scratch) }
        let prepared =
            BN_sub_word(orderLessTwo.pointer, 2) == 1 && BN_MONT_CTX_set(montgomery, order.pointer, scratch) == 1
        precondition(prepared, "OpenSSL is out of memory")
    }
}
#endif
