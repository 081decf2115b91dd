/// How much a signed object may ask of its reader.
package struct JWSLimits: Sendable, Hashable {
    /// Bytes of the whole object in any serialisation.
    package var objectBytes: Int
    /// Bytes of one header, decoded.
    package var headerBytes: Int
    /// Signatures of one object in the general serialisation.
    package var signatures: Int

    package init(objectBytes: Int, headerBytes: Int, signatures: Int) {
        self.objectBytes = objectBytes
        self.headerBytes = headerBytes
        self.signatures = signatures
    }

    /// A megabyte of signed content, for whoever signs documents.
    package static let standard = JWSLimits(objectBytes: 1 << 20, headerBytes: 8 << 10, signatures: 16)

    /// What fits into an HTTP header: tokens.
    package static let token = JWSLimits(objectBytes: 16 << 10, headerBytes: 4 << 10, signatures: 1)
}
