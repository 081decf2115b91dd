/// One named value of a log record.
///
///     logger.info("token issued", [LogField("client", client.id), LogField("lifetime", .seconds(300))])
///
/// There is on purpose no way to make one from a `Secret`, nor from just any value: what goes into the log is chosen
/// field by field.
package struct LogField: Sendable {
    package let name: StaticString
    package let value: Value

    /// What can be said about something in a log.
    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case bool(Bool)
        /// Written in milliseconds: as `name=1.5ms` in text, as `"name_ms":1.5` in JSON.
        case duration(Duration)
    }

    package init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = .text(value)
    }

    package init(_ name: StaticString, _ value: Int) {
        self.name = name
        self.value = .integer(value)
    }

    package init(_ name: StaticString, _ value: Bool) {
        self.name = name
        self.value = .bool(value)
    }

    package init(_ name: StaticString, _ value: Duration) {
        self.name = name
        self.value = .duration(value)
    }
}
