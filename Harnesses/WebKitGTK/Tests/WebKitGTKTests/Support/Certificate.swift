import Foundation
import WebKitGTKSurface

/// A certificate that nobody but a test trusts.
enum Certificate {
    /// - Returns: the file with it and its key.
    @GLibActor
    static func make(in directory: TemporaryDirectory) async throws -> String {
        let path = directory.path + "/site.pem"
        let program = try Program(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", path,
                "-out", path + ".crt",
            ])
        await program.ended()
        let certificate = try String(contentsOfFile: path + ".crt", encoding: .utf8)
        let key = try String(contentsOfFile: path, encoding: .utf8)
        try (certificate + key).write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
