import Primitives

/// Bytes come back from their text, and a text that is accepted is the only one for its bytes.
enum Base64Properties {
    static func check(_ input: Span<UInt8>) {
        let bytes = input.array()
        require((try? Base64URL.decode(Base64URL.encode(input))) == bytes, "Base64URL gives back what it was given")
        require((try? Base64.decode(Base64.encode(input))) == bytes, "Base64 gives back what it was given")

        if let decoded = try? Base64URL.decode(input) {
            require(Array(Base64URL.encode(decoded).utf8) == bytes, "a Base64URL text is the only one for its bytes")
            var output: [UInt8] = [1, 2, 3]
            Base64URL.append(decoded.span, to: &output)
            require(output == [1, 2, 3] + bytes, "appending writes what encoding writes")
        }
        if let decoded = try? Base64.decode(input) {
            require(Array(Base64.encode(decoded).utf8) == bytes, "a Base64 text is the only one for its bytes")
        }
    }
}
