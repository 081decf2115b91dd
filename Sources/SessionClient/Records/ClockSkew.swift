import Primitives

/// By how much the clock of a server is ahead of that of the device.
package enum ClockSkew {
    /// `Date` has whole seconds, and an answer has been on its way: what is less than this is no difference of clocks.
    package static let noise = Duration.seconds(2)

    /// What a `Date` says that came at a moment of our clock. It was cut off to the second before it: half of one is added.
    ///
    /// What is added to our time gives that of the server: a device whose clock is an hour behind has a skew of an hour, and
    /// a token that the server ends at two is over when our clock shows one.
    package static func learned(from serverTime: Timestamp, at receivedAt: Timestamp) -> Duration {
        let difference = serverTime + .milliseconds(500) - receivedAt
        return abs(difference.inMilliseconds) < noise.inMilliseconds ? .zero : difference
    }
}

/// What an answer has told of a server's clock, and while which credential was stored: what came with a newer one says more.
package struct LearnedSkew: Hashable, Sendable {
    let skew: Duration
    let mark: CredentialMark

    package init(_ skew: Duration, with mark: CredentialMark) {
        self.skew = skew
        self.mark = mark
    }

    func skew(for mark: CredentialMark) -> Duration? { mark == self.mark ? skew : nil }
}
