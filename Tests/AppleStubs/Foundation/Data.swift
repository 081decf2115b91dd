// swift-format-ignore-file
// What CryptoKit's API is made of, declared as Foundation declares it and as far as it is used, with bodies.

public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8, SubSequence: DataProtocol {}

extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension Slice: DataProtocol where Base: DataProtocol {}
extension UnsafeRawBufferPointer: DataProtocol {}
extension UnsafeRawBufferPointer: ContiguousBytes {
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(self) }
}

public struct Data: DataProtocol, ContiguousBytes, MutableCollection, Hashable, Sendable {
    private var bytes: ArraySlice<UInt8>

    public init() { bytes = [] }
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { bytes = Array(elements)[...] }

    public var startIndex: Int { bytes.startIndex }
    public var endIndex: Int { bytes.endIndex }
    public subscript(index: Int) -> UInt8 {
        get { bytes[index] }
        set { bytes[index] = newValue }
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { Data(bytes[bounds]) }
        set { bytes[bounds] = newValue.bytes }
    }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
    public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeMutableBytes { try body($0) }
    }
}
