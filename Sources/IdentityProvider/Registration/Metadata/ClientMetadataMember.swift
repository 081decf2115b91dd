import JOSE
import OAuth
import Primitives

/// One member of a client's metadata: its name, how it is read and how it is written.
struct ClientMetadataMember: Sendable {
    typealias Read = @Sendable (ClientMetadataValue, inout ClientMetadata) throws(ClientMetadataError) -> Void
    typealias Write = @Sendable (ClientMetadata) -> JSON?
    typealias Path<Value> = any WritableKeyPath<ClientMetadata, Value> & Sendable

    let name: String
    let read: Read
    /// `nil`: there is nothing to say.
    let write: Write
    /// Whether it is for whoever runs the provider to decide, and not for a client that registers itself.
    var isOperators = false

    init(_ name: StaticString, write: @escaping Write, read: @escaping Read) {
        self.name = name.description
        self.read = read
        self.write = write
    }

    /// For what a client that registers itself has no say in.
    var ofOperator: Self {
        var member = self
        member.isOperators = true
        return member
    }

    static func text(_ name: StaticString, _ path: Path<String?>) -> Self {
        Self(name, write: { $0[keyPath: path].map { .string($0) } }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.text()
        }
    }

    static func texts(_ name: StaticString, _ path: Path<[String]>) -> Self {
        Self(name, write: { list($0[keyPath: path]) }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.texts()
        }
    }

    static func flag(_ name: StaticString, _ path: Path<Bool>) -> Self {
        Self(name, write: { .bool($0[keyPath: path]) }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.flag()
        }
    }

    static func seconds(_ name: StaticString, from least: Int64, _ path: Path<Duration?>) -> Self {
        Self(
            name, write: { $0[keyPath: path].map { .number(JSONNumber($0.inSeconds)) } }
        ) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.seconds(least...ProviderConfiguration.maximumTokenLifetimeSeconds)
        }
    }

    static func algorithm(_ name: StaticString, _ path: Path<SignatureAlgorithm?>) -> Self {
        Self(
            name, write: { $0[keyPath: path].map { .string($0.name) } }
        ) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.algorithm()
        }
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: StaticString, _ path: Path<Value>
    ) -> Self {
        Self(name, write: { .string($0[keyPath: path].rawValue) }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.choice(Array(Value.allCases))
        }
    }

    /// A page for people.
    static func page(_ name: StaticString, _ path: Path<String?>) -> Self {
        Self(name, write: { $0[keyPath: path].map { .string($0) } }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.webAddress(allowsFragment: true).text
        }
    }

    /// A URL that something of worth is sent to, or read from.
    static func secureAddress(_ name: StaticString, _ path: Path<String?>) -> Self {
        Self(name, write: { $0[keyPath: path].map { .string($0) } }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.secureAddress().text
        }
    }

    static func redirects(
        _ name: StaticString, _ path: Path<[RedirectURI]>, _ kind: ClientMetadataError.Kind
    ) -> Self {
        Self(name, write: { list($0[keyPath: path].map(\.text)) }) { value, metadata throws(ClientMetadataError) in
            metadata[keyPath: path] = try value.redirectURIs(kind)
        }
    }

    /// What only has to be known about because it must not pass in silence.
    static func refused(_ name: StaticString, _ problem: String) -> Self {
        Self(name, write: { _ in nil }) { value, _ throws(ClientMetadataError) in throw value.error(problem) }
    }

    /// A list, unless there is nothing in it.
    static func list(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }
}
