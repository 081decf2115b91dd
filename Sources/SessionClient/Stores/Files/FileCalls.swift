/// What a store asks of a directory. Each is one call to the system or two, so that a test can stand between any of them.
///
/// Names are those of files in a directory that is open: whoever moves or replaces a directory above does not lead the store
/// elsewhere in the middle.
package protocol FileCalls: Sendable {
    /// With mode 0700. One that is there already is no fault.
    func makeDirectory(_ path: String) throws(FileFault)
    func openDirectory(_ path: String) throws(FileFault) -> OpenedFile
    /// What is there all the while. What comes or goes meanwhile may be among them or not.
    func names(in directory: OpenedFile) throws(FileFault) -> [String]

    /// A new file with mode 0600, for writing; `EEXIST`: there is one.
    func create(_ name: String, in directory: OpenedFile) throws(FileFault) -> OpenedFile
    /// For reading. A link is refused (`ELOOP`).
    func open(_ name: String, in directory: OpenedFile) throws(FileFault) -> OpenedFile
    func status(of file: OpenedFile) throws(FileFault) -> FileStatus
    func status(of name: String, in directory: OpenedFile) throws(FileFault) -> FileStatus
    /// From the beginning, at most as many bytes.
    func read(_ file: OpenedFile, upTo limit: Int) throws(FileFault) -> [UInt8]
    func write(_ bytes: [UInt8], to file: OpenedFile) throws(FileFault)
    /// Puts the file, or the names in a directory, on the disk.
    func synchronise(_ file: OpenedFile) throws(FileFault)

    /// Takes the permission to write away, whoever has it open.
    func makeReadOnly(_ file: OpenedFile) throws(FileFault)

    /// Gives a file a second name; `EEXIST`: that name is taken.
    func link(_ name: String, as other: String, in directory: OpenedFile) throws(FileFault)
    /// Gives a file the name of another, which loses it in the same moment.
    func rename(_ name: String, to other: String, in directory: OpenedFile) throws(FileFault)
    func remove(_ name: String, in directory: OpenedFile) throws(FileFault)
}
