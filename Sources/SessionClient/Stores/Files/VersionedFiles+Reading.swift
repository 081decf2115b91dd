import Primitives

extension VersionedFiles {
    /// A version, and the file that it was found in.
    struct Found {
        let version: UInt64
        let bytes: [UInt8]
        let identity: FileIdentity
        /// Kept open: as long as it is, no other file gets its number.
        let file: OpenedFile

        /// What is left of version 1 when it has been removed.
        var isEmptied: Bool { version == 1 && bytes.isEmpty }

        /// `nil`: it cannot be read, and is what is there all the same.
        var parsed: SealedFile? { try? SealedFile(parsing: bytes) }

        /// Which one the next version names as its ancestor. What cannot be read is named by zeros.
        var identifier: SealedFile.Identifier? {
            if isEmptied { return nil }
            return parsed?.nonce ?? SealedFile.noIdentifier
        }
    }

    /// What is kept, opened. A file that does not open is damaged, and what was before it is not taken in its place: the
    /// tokens in there are spent, and who presents them is taken for a thief.
    package func read() throws(SessionStoreError) -> (entry: StoredEntry, identity: FileIdentity)? {
        guard let directory = try openDirectory(), let found = try newest(in: directory) else { return nil }
        guard !found.isEmptied else { throw .corrupt(reason: "the files \(path(of: name)).* were removed") }
        let secret = try key(in: directory, orMake: false)
        do throws(SessionStoreError) {
            let payload = try SealedFile(parsing: found.bytes).open(with: secret, at: place(found.version))
            return (StoredEntry(version: found.version, payload: payload), found.identity)
        } catch {
            guard case .corrupt(let reason) = error else { throw error }
            throw .corrupt(reason: "\(path(of: fileName(found.version))): \(reason)")
        }
    }

    /// The highest version; `nil`: none was ever written.
    func newest(in directory: OpenedFile) throws(SessionStoreError) -> Found? {
        var orphan: (identity: FileIdentity, count: Int)?
        for _ in 0..<Self.attemptLimit {
            guard let highest = try versions(in: directory).last else {
                // The name of version 1 stays for ever: this one look tells "never" from "not seen".
                if try !exists(1, in: directory) { return nil }
                continue
            }
            guard let found = try open(highest, in: directory) else { continue }
            if try exists(highest, plus: 1, in: directory) { continue }
            if try isFirstOfItsName(found, in: directory) { return found }
            let count = orphan?.identity == found.identity ? (orphan?.count ?? 0) + 1 : 1
            if count == Self.patienceWithOrphans { return found }
            orphan = (found.identity, count)
        }
        throw .failed(reason: "others write \(path(of: name)).* all the time")
    }

    /// Step 5 of the proof. To be asked after the name above was seen to be free.
    private func isFirstOfItsName(_ found: Found, in directory: OpenedFile) throws(SessionStoreError) -> Bool {
        guard found.version > 1 else {
            let now = try status(of: 1, in: directory)?.identity
            return !found.isEmptied && now == found.identity
        }
        guard let named = found.parsed?.ancestor,
            let previous = try? open(found.version - 1, in: directory, upTo: SealedFile.headerByteCount)
        else { return false }
        return previous.identifier == named
    }

    /// In rising order.
    func versions(in directory: OpenedFile) throws(SessionStoreError) -> [UInt64] {
        do {
            return try calls.names(in: directory).compactMap { version(ofFile: $0) }.sorted()
        } catch {
            throw error.when("list", self.directory)
        }
    }

    /// `nil`: there is no such file.
    func status(of version: UInt64, in directory: OpenedFile) throws(SessionStoreError) -> FileStatus? {
        let file = fileName(version)
        do {
            return try calls.status(of: file, in: directory)
        } catch {
            if error.isMissing { return nil }
            throw error.when("look at", path(of: file))
        }
    }

    func exists(
        _ version: UInt64, plus step: UInt64 = 0, in directory: OpenedFile
    ) throws(SessionStoreError) -> Bool {
        let (version, isTooMuch) = version.addingReportingOverflow(step)
        return try isTooMuch ? false : status(of: version, in: directory) != nil
    }

    /// `nil`: it has gone.
    func open(
        _ version: UInt64, in directory: OpenedFile, upTo limit: Int? = nil
    ) throws(SessionStoreError) -> Found? {
        guard let (file, status) = try openPrivate(fileName(version), in: directory) else { return nil }
        let bytes = try contents(
            of: file, named: fileName(version),
            upTo: limit ?? greatestPayloadByteCount + SealedFile.overhead + 1)
        return Found(version: version, bytes: bytes, identity: status.identity, file: file)
    }

    /// Refuses what somebody else may have read or written. `nil`: there is no such file.
    func openPrivate(
        _ name: String, in directory: OpenedFile
    ) throws(SessionStoreError) -> (OpenedFile, FileStatus)? {
        let path = path(of: name)
        let (file, status): (OpenedFile, FileStatus)
        do throws(FileFault) {
            file = try calls.open(name, in: directory)
            status = try calls.status(of: file)
        } catch {
            if error.isMissing { return nil }
            throw error.whenReading(path)
        }
        if let refusal = status.refusal(of: path, wanted: .file) { throw refusal }
        return (file, status)
    }

    func contents(of file: OpenedFile, named name: String, upTo limit: Int) throws(SessionStoreError) -> [UInt8] {
        do { return try calls.read(file, upTo: limit) } catch { throw error.whenReading(path(of: name)) }
    }

    /// Whether it is what is kept, by its name. Above first: if that is looked at last, one that was written and swept
    /// meanwhile would not be seen.
    package func isCurrent(_ version: UInt64, knownAs identity: FileIdentity?) throws(SessionStoreError) -> Bool {
        guard let directory = try openDirectory() else { return false }
        if try exists(version, plus: 1, in: directory) { return false }
        guard let status = try status(of: version, in: directory), version > 1 || status.byteCount > 0 else {
            return false
        }
        return identity.map { $0 == status.identity } ?? true
    }
}
