import IdentityProviderTesting
import Primitives

/// What time it is for everybody: what it is for the provider. So five minutes can pass for all of them at once, and nobody
/// waits for that.
struct ProviderTime: WallClock {
    let clock: TestClock

    func now() -> Timestamp { Timestamp(millisecondsSinceEpoch: Int64((clock.secondsSince1970 * 1000).rounded())) }
}
