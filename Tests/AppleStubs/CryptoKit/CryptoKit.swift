// swift-format-ignore-file
// What the cryptography for Apple platforms uses of CryptoKit, declared as its documentation has it, before bodies that are
// made of OpenSSL (Model.swift).

import Foundation

public enum CryptoKitError: Error {
    case incorrectKeySize, incorrectParameterSize, authenticationFailure
}

public protocol Digest: Hashable, ContiguousBytes, Sequence, Sendable where Element == UInt8 {}
extension Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { withUnsafeBytes { Array($0).makeIterator() } }
}
public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}
extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Self.Digest {
        var hasher = Self()
        Array(data).withUnsafeBytes { hasher.update(bufferPointer: $0) }
        return hasher.finalize()
    }
}

public struct SHA256Digest: Digest {
    let bytes: [UInt8]
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try bytes.withUnsafeBytes(body) }
}
public struct SHA384Digest: Digest {
    let bytes: [UInt8]
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try bytes.withUnsafeBytes(body) }
}
public struct SHA512Digest: Digest {
    let bytes: [UInt8]
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try bytes.withUnsafeBytes(body) }
}
public struct SHA256: HashFunction {
    private var message: [UInt8] = []
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { message += bufferPointer }
    public func finalize() -> SHA256Digest { SHA256Digest(bytes: Model.digest(256, message)) }
}
public struct SHA384: HashFunction {
    private var message: [UInt8] = []
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { message += bufferPointer }
    public func finalize() -> SHA384Digest { SHA384Digest(bytes: Model.digest(384, message)) }
}
public struct SHA512: HashFunction {
    private var message: [UInt8] = []
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { message += bufferPointer }
    public func finalize() -> SHA512Digest { SHA512Digest(bytes: Model.digest(512, message)) }
}

public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    let bytes: [UInt8]
    public init<D: ContiguousBytes>(data: D) { bytes = data.withUnsafeBytes { Array($0) } }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try bytes.withUnsafeBytes(body) }
}

public enum AES {
    public enum GCM {
        public struct Nonce: ContiguousBytes, Sequence, Sendable {
            let bytes: [UInt8]
            /// Longer ones than 12 bytes are allowed, and for those this model has no body.
            public init<D: DataProtocol>(data: D) throws {
                guard data.count >= 12 else { throw CryptoKitError.incorrectParameterSize }
                bytes = Array(data)
            }
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try bytes.withUnsafeBytes(body) }
            public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
        }
        public struct SealedBox: Sendable {
            public let nonce: AES.GCM.Nonce
            public let ciphertext: Data
            public let tag: Data
            public init<C: DataProtocol, T: DataProtocol>(nonce: AES.GCM.Nonce, ciphertext: C, tag: T) throws {
                guard tag.count == 16 else { throw CryptoKitError.incorrectParameterSize }
                (self.nonce, self.ciphertext, self.tag) = (nonce, Data(ciphertext), Data(tag))
            }
        }
        public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
            _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
            authenticating authenticatedData: AuthenticatedData
        ) throws -> SealedBox {
            guard let nonce else { fatalError("nobody here asks for a nonce of CryptoKit's own") }
            let sealed = try Model.seal(Array(message), key.bytes, nonce.bytes, Array(authenticatedData))
            return try SealedBox(nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
        }
        public static func open<AuthenticatedData: DataProtocol>(
            _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
        ) throws -> Data {
            let sealed = Array(sealedBox.ciphertext) + Array(sealedBox.tag)
            return Data(try Model.open(sealed, key.bytes, sealedBox.nonce.bytes, Array(authenticatedData)))
        }
    }
}

public enum P256 {
    public enum Signing {
        public struct ECDSASignature: ContiguousBytes, Sendable {
            public var rawRepresentation: Data
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                try rawRepresentation.withUnsafeBytes(body)
            }
        }
        public struct PublicKey: Sendable {
            /// x and y, without the byte that says so.
            public let rawRepresentation: Data
        }
        public struct PrivateKey: Sendable {
            private let scalar: [UInt8]
            public let publicKey: P256.Signing.PublicKey
            public init(compactRepresentable: Bool = true) { try! self.init(rawRepresentation: Data(Model.scalar())) }
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                scalar = rawRepresentation.withUnsafeBytes { Array($0) }
                guard scalar.count == 32 else { throw CryptoKitError.incorrectKeySize }
                publicKey = PublicKey(rawRepresentation: Data(try Model.point(of: scalar)))
            }
            public var rawRepresentation: Data { Data(scalar) }
            public func signature<D: DataProtocol>(for data: D) throws -> P256.Signing.ECDSASignature {
                ECDSASignature(rawRepresentation: Data(try Model.signature(of: Array(data), by: scalar)))
            }
        }
    }
}
