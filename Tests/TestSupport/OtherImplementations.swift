import Foundation
import Testing

/// The Python environment with the implementations that share no code with ours.
package enum OtherImplementations {
    package static let python = Repository.root.appending(path: ".build/venv/bin/python")
    package static let folder = Repository.root.appending(path: "Tests/CrossChecks")

    package static let isInstalled = FileManager.default.isExecutableFile(atPath: python.path())
    /// Where skipping would hide a failure, the tests run and fail instead.
    package static let isRequired = ProcessInfo.processInfo.environment["PAWL_REQUIRE_CROSSCHECKS"] == "1"
    package static let notInstalled: Comment =
        ".build/venv is missing: python3 -m venv .build/venv && .build/venv/bin/pip install -r Tests/CrossChecks/requirements.txt"
}
