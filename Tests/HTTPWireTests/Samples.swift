import HTTPMessages
import HTTPWire

/// Turns text into bytes, each character below U+0100 being the byte of its number.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8($0.value) }
}

/// A request with the given lines after its request line and its `Host`.
func request(
    _ first: String = "GET / HTTP/1.1", host: String? = "example.com", _ lines: String..., content: String = ""
)
    -> [UInt8]
{
    let head = [first] + (host.map { ["Host: \($0)"] } ?? []) + lines
    return bytes(head.map { $0 + "\r\n" }.joined() + "\r\n" + content)
}

extension KeyValuePairs<String, String> {
    /// The pairs whose names are tokens, as fields.
    var fields: HTTPFields {
        HTTPFields(compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } })
    }
}
