/// Why bytes that an engine kept are no record.
package enum RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A newer program wrote it.
    case unknownVersion(UInt8)
    /// It is no record in this form.
    case malformed

    package var description: String {
        switch self {
        case .unknownVersion(let version): "a record has the version \(version), which a newer program wrote"
        case .malformed: "a record is damaged"
        }
    }
}
