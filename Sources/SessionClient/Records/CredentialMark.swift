/// Which credential somebody has in his hands: that of a token which was refused, for example.
package struct CredentialMark: Hashable, Sendable {
    package let epoch: UInt64
    package let generation: UInt64

    package init(epoch: UInt64, generation: UInt64) {
        self.epoch = epoch
        self.generation = generation
    }

    func isOlder(than other: CredentialMark) -> Bool {
        (epoch, generation) < (other.epoch, other.generation)
    }
}

extension StoredRecord {
    /// Of the credential in it.
    package var mark: CredentialMark {
        CredentialMark(epoch: record.epoch, generation: record.credential?.generation ?? 0)
    }
}
