import Primitives

extension VersionedFiles {
    /// A draft that was written, and is on the disk under a name of nobody's.
    private struct Draft {
        let name: String
        let identity: FileIdentity
        /// Kept open: as long as it is, no other file gets its number.
        let file: OpenedFile
    }

    /// What is linked to which name, by whom.
    private struct Link {
        let draft: Draft
        let version: UInt64
        let identifier: SealedFile.Identifier
    }

    /// How often a draft may be swept under the writer: each time he was stopped for a day between two calls.
    private static let greatestDraftCount = 3

    /// - Returns: `nil`: nothing was written, for what is kept is not what the writer had read.
    package func write(
        _ payload: [UInt8], over expected: UInt64?
    ) throws(SessionStoreError) -> (version: UInt64, identity: FileIdentity)? {
        guard payload.count <= greatestPayloadByteCount else {
            throw .failed(reason: "\(payload.count) bytes are more than the \(greatestPayloadByteCount) that are kept")
        }
        let directory = try openOrMakeDirectory()
        for _ in 0..<Self.greatestDraftCount {
            let current = try newest(in: directory)
            guard current?.version == expected else { return nil }
            guard let (link, isLinked) = try link(payload, over: current, in: directory) else { continue }
            guard isLinked else { return nil }
            return try conclude(link, over: current, in: directory)
        }
        throw .failed(reason: "somebody removes the drafts in \(self.directory)")
    }

    /// Writes above what cannot be opened. Whoever writes over a version does not look into it. Where the key is gone, so is what it has
    /// sealed, and there is a new one: of two that are made at once, the first is the one. Where the key cannot be had now, that is
    /// what is said, and nothing is made.
    ///
    /// - Returns: `nil`: nothing was written, for what is kept can be read, or somebody was faster.
    package func writeOverDamage(_ payload: [UInt8]) throws(SessionStoreError) -> (
        version: UInt64, identity: FileIdentity
    )? {
        guard let directory = try openDirectory() else { return nil }
        if try isKeyGone(in: directory), try newest(in: directory) != nil { _ = try key(in: directory, orMake: true) }
        // Before it is read: what has been written since is not what is damaged.
        let damaged = try versions(in: directory).last
        do {
            _ = try read()
            return nil
        } catch {
            guard case .corrupt = error else { throw error }
        }
        return try write(payload, over: damaged)
    }

    /// - Returns: `nil`: the draft was swept.
    private func link(
        _ payload: [UInt8], over current: Found?, in directory: OpenedFile
    ) throws(SessionStoreError) -> (Link, isLinked: Bool)? {
        let (version, isTooMuch) = (current?.version ?? 0).addingReportingOverflow(1)
        guard !isTooMuch else { throw .failed(reason: "there are no more versions") }
        let secret = try key(in: directory, orMake: current == nil)
        let nonce = random.bytes(12)
        let bytes = try SealedFile.seal(
            payload, ancestor: current?.identifier ?? SealedFile.noIdentifier, nonce: nonce, with: secret,
            at: place(version))
        let draft = try draft(bytes, in: directory)
        let link = Link(draft: draft, version: version, identifier: nonce)
        do {
            try calls.link(draft.name, as: fileName(version), in: directory)
        } catch {
            // A server of files whose answer was lost is asked again, and then says that the name is taken: by this draft.
            if error.isTaken, try status(of: version, in: directory)?.identity == draft.identity { return (link, true) }
            try? calls.remove(draft.name, in: directory)
            if error.isMissing { return nil }
            guard error.isTaken else { throw error.when("link", path(of: fileName(version))) }
            return (link, false)
        }
        return (link, true)
    }

    /// Step 4 of the proof: whether the name was a fresh one.
    private func conclude(
        _ link: Link, over current: Found?, in directory: OpenedFile
    ) throws(SessionStoreError) -> (version: UInt64, identity: FileIdentity)? {
        var isFirst = true
        if let current {
            isFirst = try status(of: current.version, in: directory)?.identity == current.identity
        }
        // If it stays, it is swept with the drafts.
        try? calls.remove(link.draft.name, in: directory)
        if !isFirst {
            guard try isWrittenOver(link, in: directory) else {
                // Whoever may have put another there since has been as late as this one.
                if try status(of: link.version, in: directory)?.identity == link.draft.identity {
                    try? calls.remove(fileName(link.version), in: directory)
                }
                return nil
            }
        }
        do { try calls.synchronise(directory) } catch { throw error.when("write", self.directory) }
        if isFirst { sweep(below: link.version, in: directory) }
        return (link.version, link.draft.identity)
    }

    /// Others have written since, and removed what this one was written over: whether they have done so over this one.
    private func isWrittenOver(_ link: Link, in directory: OpenedFile) throws(SessionStoreError) -> Bool {
        let next = try open(link.version + 1, in: directory, upTo: SealedFile.headerByteCount)
        // Once the name above is free again, this one leads elsewhere.
        if try status(of: link.version, in: directory)?.identity == link.draft.identity {
            return next?.parsed?.ancestor == link.identifier
        }
        do {
            return try calls.status(of: link.draft.file).isReadOnly
        } catch {
            throw error.when("look at", path(of: fileName(link.version)))
        }
    }

    /// Writes a file that nobody sees yet, whole and on the disk.
    private func draft(_ bytes: [UInt8], in directory: OpenedFile) throws(SessionStoreError) -> Draft {
        let name = draftPrefix + random.identifier()
        do throws(FileFault) {
            let file = try calls.create(name, in: directory)
            do throws(FileFault) {
                try calls.write(bytes, to: file)
                try calls.synchronise(file)
                return Draft(name: name, identity: try calls.status(of: file).identity, file: file)
            } catch {
                try? calls.remove(name, in: directory)
                throw error
            }
        } catch {
            throw error.when("write", path(of: name))
        }
    }

    /// Puts a file where there is none. If somebody was faster, his is there.
    func place(_ bytes: [UInt8], as name: String, in directory: OpenedFile) throws(SessionStoreError) {
        let draft = try draft(bytes, in: directory)
        defer { try? calls.remove(draft.name, in: directory) }
        do throws(FileFault) {
            do throws(FileFault) {
                try calls.link(draft.name, as: name, in: directory)
            } catch {
                guard error.isTaken else { throw error }
            }
            try calls.synchronise(directory)
        } catch {
            throw error.when("write", path(of: name))
        }
    }
}
