/// The rules of one provider, by the name that they are chosen by, and where they are known from.
package struct RotationProfile: Sendable {
    package let name: String
    /// Whose rules they are, in a line.
    package let summary: String
    package let policy: RotationPolicy
    /// What is known of each figure, and from where.
    package let sources: [Source]

    init(_ policy: RotationPolicy, _ summary: String, _ sources: [Source]) {
        name = policy.profile
        self.summary = summary
        self.policy = policy
        self.sources = sources
    }

    /// Where a figure is known from.
    package struct Source: Sendable {
        /// The names of the knobs, or none: it is about all.
        package let knobs: [String]
        package let text: String

        init(_ knobs: [String], _ text: String) {
            self.knobs = knobs
            self.text = text
        }
    }

    package static func named(_ name: String) -> RotationProfile? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

extension RotationPolicy {
    /// The rules of this name, as they are; `nil`: there are none.
    package static func named(_ name: String) -> RotationPolicy? { RotationProfile.named(name)?.policy }

    /// All of them, in the order of the table.
    package static let profiles = RotationProfile.all.map(\.policy)
}
