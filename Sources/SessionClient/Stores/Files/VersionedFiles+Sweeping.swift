import Primitives

extension VersionedFiles {
    /// A draft as old as this is that of a process which was killed. One that was only stopped for so long writes another.
    static let draftLifetime = Duration.seconds(86_400)

    /// Removes what is older than the version before the one that was just put on the disk. That one stays, so that whoever
    /// lists the directory while the next is written sees one of them. What cannot be removed now is removed later.
    func sweep(below version: UInt64, in directory: OpenedFile) {
        guard let names = try? calls.names(in: directory) else { return }
        let old = names.compactMap { self.version(ofFile: $0) }.filter { $0 < version - 1 }.sorted()
        try? sweepVersions(old, directory)
        let oldest = clock.now() - Self.draftLifetime
        for draft in names where draft.hasPrefix(draftPrefix) {
            guard let status = try? calls.status(of: draft, in: directory), status.modified < oldest else { continue }
            try? calls.remove(draft, in: directory)
        }
    }

    /// Step 1 of the proof: from below, and never one of which the one below may still be there.
    private func sweepVersions(_ old: [UInt64], _ directory: OpenedFile) throws {
        guard !old.isEmpty else { return }
        try retireFirst(in: directory)
        for version in old where version > 1 {
            if version > 2 { try removeMarked(version - 1, directory) }
            try removeMarked(version, directory)
        }
    }

    /// One that was written over, and not only linked by somebody who was late, is made read-only before it loses its name: its
    /// writer, if he was stopped since, knows by that. Whatever has the name above was written over the true one.
    private func removeMarked(_ version: UInt64, _ directory: OpenedFile) throws {
        guard let found = try open(version, in: directory, upTo: SealedFile.headerByteCount) else { return }
        let next = try open(version + 1, in: directory, upTo: SealedFile.headerByteCount)
        if next?.parsed?.ancestor == found.identifier { try calls.makeReadOnly(found.file) }
        do {
            try calls.remove(fileName(version), in: directory)
        } catch {
            guard error.isMissing else { throw error }
        }
    }

    /// Empties version 1 and leaves it its name, in one step.
    private func retireFirst(in directory: OpenedFile) throws(FileFault) {
        let first = fileName(1)
        do throws(FileFault) {
            guard try calls.status(of: first, in: directory).byteCount > 0 else { return }
        } catch {
            // By hand only. There is nothing to empty, and nobody who waits for it.
            guard error.isMissing else { throw error }
            return
        }
        let draft = draftPrefix + random.identifier()
        _ = try calls.create(draft, in: directory)
        do throws(FileFault) {
            try calls.rename(draft, to: first, in: directory)
        } catch {
            try? calls.remove(draft, in: directory)
            throw error
        }
    }
}
