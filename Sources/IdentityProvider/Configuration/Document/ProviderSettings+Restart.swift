import Primitives

extension ProviderSettings {
    /// The members that say something else here than there, and that a provider keeps as it was made with.
    ///
    /// Secrets are not told apart.
    package func membersThatStay(unlike other: ProviderSettings) -> [String] {
        (ConfigurationMember.rootOnly + ConfigurationMember.policies)
            .filter { $0.reasonToStay != nil && $0.write(root) != $0.write(other.root) }.map(\.name)
    }
}
