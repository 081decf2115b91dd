import Primitives

/// The payload and the form of it that is signed: Base64URL, or the bytes themselves (RFC 7797 section 3).
struct PayloadText {
    let payload: [UInt8]
    /// What follows the full stop in the signing input.
    let text: [UInt8]

    /// For making a signature.
    init(payload: [UInt8], isEncoded: Bool) {
        self.payload = payload
        guard isEncoded else {
            text = payload
            return
        }
        var text: [UInt8] = []
        Base64URL.append(payload.span, to: &text)
        self.text = text
    }

    /// For reading: `attached` is the text inside the object, if there is one. RFC 7515 appendix F: detached content
    /// leaves the object without its payload, so exactly one of the two must be there.
    init(_ attached: [UInt8]?, detached: [UInt8]?, isEncoded: Bool) throws(JWSError) {
        switch (attached, detached) {
        case (nil, nil): throw .empty(.payload)
        case (.some, .some): throw .payloadGivenTwice
        case (nil, let payload?): self.init(payload: payload, isEncoded: isEncoded)
        case (let text?, nil): try self.init(text: text, isEncoded: isEncoded)
        }
    }

    private init(text: [UInt8], isEncoded: Bool) throws(JWSError) {
        self.text = text
        guard isEncoded else {
            payload = text
            return
        }
        do { payload = try Base64URL.decode(text.span) } catch { throw .notBase64URL(.payload) }
    }

    /// RFC 7797 section 5.2: in the compact serialisation an unencoded payload may have the printable ASCII
    /// characters but the full stop, which separates the segments.
    func requireCompactCharacters() throws(JWSError) {
        let stop = UInt8(ascii: ".")
        guard text.allSatisfy({ (0x20...0x7E).contains($0) && $0 != stop }) else { throw .payloadNotSerialisable }
    }
}

extension Span<UInt8> {
    /// A copy that can be kept.
    func bytes() -> [UInt8] {
        withUnsafeBufferPointer { [UInt8]($0) }
    }
}
