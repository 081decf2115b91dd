import Primitives

/// The one block of a PEM text (RFC 7468), its bytes decoded.
///
/// Read strictly: white space is all that may surround the block, the lines hold Base64 with padding and nothing else,
/// no headers, and END repeats the label of BEGIN.
struct PEMBlock {
    let content: PEMContent
    /// May be private, so it is treated as such.
    let bytes: Secret

    /// Room for an RSA key of the largest size that is accepted, three times over.
    static let maximumByteCount = 65_536

    init(_ text: UnsafeRawBufferPointer) throws(CryptoError) {
        guard text.count <= Self.maximumByteCount else { throw .pemTooLong(limitInBytes: Self.maximumByteCount) }
        var lines = PEMLines(text)
        var block = try Self(&lines, capacity: text.count)
        // Some tools put the name of the curve in front of an EC key, which says it again itself.
        if block.content == .ecParameters, lines.containBoundary {
            block = try Self(&lines, capacity: text.count)
            guard block.content == .ecPrivateKey else { throw .severalPEMBlocks }
        }
        if let trailing = lines.nextWithContent() {
            throw trailing.label(after: "-----BEGIN ") == nil ? .textOutsidePEMBlock : .severalPEMBlocks
        }
        self = block
    }

    /// Takes one block from the lines.
    private init(_ lines: inout PEMLines, capacity: Int) throws(CryptoError) {
        guard let first = lines.nextWithContent() else { throw .noPEMBlock }
        guard let label = first.label(after: "-----BEGIN ") else {
            throw lines.containBoundary ? .textOutsidePEMBlock : .noPEMBlock
        }
        guard let content = PEMContent(rawValue: label) else {
            throw .wrongPEMContent(found: "something unknown", expected: "a key")
        }
        let body = PEMBody(capacity: capacity)
        while true {
            guard let line = lines.next() else { throw .malformedPEM("there is no END line") }
            if let end = line.label(after: "-----END ") {
                guard end == label else { throw .malformedPEM("BEGIN and END name different things") }
                break
            }
            // RFC 1421 headers announce encryption, which predates PKCS#8.
            guard !line.bytes.contains(UInt8(ascii: ":")) else { throw .encryptedKey }
            body.append(line)
        }
        self.content = content
        bytes = try body.finish()
    }
}
