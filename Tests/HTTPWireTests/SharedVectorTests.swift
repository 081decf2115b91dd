import Foundation
import HTTPWire
import TestSupport
import Testing

/// Requests that the authors of two other servers test theirs with.
@Suite(.enabled(if: Repository.sharedVectors != nil, Comment(rawValue: Repository.noSharedVectors)))
struct SharedVectorTests {
    struct Vector: Decodable, CustomStringConvertible {
        let id: String
        let expect: String
        let data: Data

        var bytes: [UInt8] {
            guard let text = String(data: data, encoding: .isoLatin1) else { return Array(data) }
            return text.replacing("__PATH__", with: "/token").unicodeScalars.map { UInt8($0.value) }
        }
        var description: String { id }
    }

    static let all: [Vector] = {
        guard let folder = Repository.sharedVectors else { return [] }
        do {
            return try String(contentsOf: folder.appending(path: "http/requests.jsonl"), encoding: .utf8)
                .split(separator: "\n")
                .map { line in
                    let decoder = JSONDecoder()
                    decoder.dataDecodingStrategy = .base64
                    return try decoder.decode(Vector.self, from: Data(line.utf8))
                }
                .filter { !excluded.contains($0.id) }
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// They test the limits of the server that they come from.
    static let excluded: Set = [
        "gunicorn-invalid-006", "gunicorn-invalid-007", "gunicorn-invalid-008", "gunicorn-invalid-009",
    ]

    /// Rows that are accepted there and refused here, with our reason.
    static let refusedHere: [String: WireError] = [
        // HTTP/0.9: RFC 9112 section 3 has no request line without a version.
        "llhttp-sample-10": .badRequestLine,
        // M-SEARCH *: RFC 9112 section 3.2.4 gives the asterisk to OPTIONS only; it is SSDP's, over UDP.
        "llhttp-method-05": .badTarget,
        // Bytes beyond ASCII in the target: RFC 3986 section 2 has none, and a proxy may decode them otherwise.
        "gunicorn-valid-027": .badTarget,
        // RFC 9110 section 4.2.4: user information in a URI from an untrusted source is to be treated as an error.
        "gunicorn-valid-rfc9112_target_absolute_userinfo_01": .badTarget,
        // RFC 9112 section 6.1: a coding that is not understood is answered with 501; here that is all but chunked.
        "gunicorn-valid-rfc9112_smuggle_gzip_chunked_01": .unknownTransferCoding,
        "gunicorn-valid-rfc9112_smuggle_te_identity_chunked_01": .unknownTransferCoding,
    ]

    /// Rows that are refused there and whose first request is accepted here, with our reason.
    static let acceptedHere: Set<String> = [
        // Any token is a method (RFC 9110 section 9.1); whether it is supported is the router's to say.
        "llhttp-invalid-04",
        // The second request is at fault, and the first ends the connection: RFC 9112 section 9.6 has the server
        // ignore what follows.
        "llhttp-connection-03", "llhttp-connection-08", "gunicorn-valid-019",
        // HTTP/1.0 needs no Host (RFC 9112 section 3.2); the 1.1 in the row is in the content.
        "gunicorn-valid-020",
    ]

    /// Accepted there by a test that does not read the content: Content-Length is 17914, and 8599 bytes follow.
    static let hasHalfItsContent = "gunicorn-valid-099"

    @Test(arguments: all)
    func isAnsweredAsLabelled(_ vector: Vector) {
        let whole = RequestTrace(vector.bytes, thenEnds: vector.expect != "wait")
        let acceptsFirst = whole.completeCount > 0
        if let error = Self.refusedHere[vector.id] {
            #expect(whole.items == [.failure(error)])
        } else if Self.acceptedHere.contains(vector.id) {
            #expect(acceptsFirst && whole.failure == nil)
        } else if vector.id == Self.hasHalfItsContent {
            #expect(whole.heads.count == 1 && whole.failure == .truncated)
        } else {
            switch vector.expect {
            case "accept": #expect(acceptsFirst)
            case "reject": #expect(whole.failure != nil)
            case "wait": #expect(whole.failure == nil && !acceptsFirst)
            default: #expect(vector.expect == "any")
            }
        }
        for chunking in Chunking.all {
            let trace = RequestTrace(vector.bytes, chunking, thenEnds: vector.expect != "wait")
            #expect(trace == whole, "\(chunking)")
        }
    }

    /// Refused although the line is not complete, or the connection has not ended: nothing is waited for that cannot
    /// become valid.
    @Test(arguments: all.filter { $0.expect == "reject" && !acceptedHere.contains($0.id) })
    func isRefusedWithoutWaitingForMore(_ vector: Vector) {
        // A line and a message that would have been valid had more come.
        let cutOff: Set = ["gunicorn-invalid-001", "gunicorn-invalid-rfc9112_chunked_missing_final_crlf_01"]
        #expect((RequestTrace(vector.bytes).failure == nil) == cutOff.contains(vector.id))
    }
}
