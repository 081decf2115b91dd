import Foundation

/// Where things are in the checkout that the tests were built from.
package enum Repository {
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file or folder under `Fixtures/`. It must be there: the project carries it.
    package static func fixture(_ path: String) -> URL {
        root.appending(path: "Fixtures").appending(path: path)
    }

    /// The vectors that others wrote, beside the checkout; `nil` where they are not, and then the tests that read
    /// them are skipped and say so.
    package static let sharedVectors: URL? = {
        let folder = root.deletingLastPathComponent().appending(path: "shared/vectors").standardizedFileURL
        return FileManager.default.fileExists(atPath: folder.path()) ? folder : nil
    }()

    package static let noSharedVectors = "../shared/vectors is not beside this checkout"
}
