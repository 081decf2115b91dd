/// What a caller may explicitly accept though it is weaker than the standards want.
package struct KeyAllowances: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// RSA keys from 1024 bits on, below the 2048 that RFC 7518 sections 3.3 and 3.5 demand: to look at the tokens
    /// of an old system, never to protect anything.
    package static let shortRSAKeys = KeyAllowances(rawValue: 1)
}
