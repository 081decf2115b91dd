import OAuth
import Primitives

/// What an opaque access token stands for.
package struct AccessTokenRecord: Sendable {
    package let facts: AccessTokenFacts

    package init(_ facts: AccessTokenFacts) {
        self.facts = facts
    }

    package func isGood(at now: Timestamp) -> Bool { now < facts.expires }
}
