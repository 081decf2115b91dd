// swift-format-ignore-file
// What the Keychain adapters use of Core Foundation, declared as the Swift importer shows it on Apple platforms, and as much
// of a body as it takes to run them.

public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int
public typealias CFStringEncoding = UInt32

public final class CFAllocator {}
public final class CFBoolean: Sendable { fileprivate init() {} }
public final class CFString: Sendable {
    public let text: String
    public init(_ text: String) { self.text = text }
}
public final class CFData: Sendable {
    public let bytes: [UInt8]
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
public class CFDictionary {
    public var members: [String: AnyObject] = [:]
    public init() {}
}
public final class CFMutableDictionary: CFDictionary {}

public let kCFBooleanTrue: CFBoolean! = CFBoolean()

public struct CFDictionaryKeyCallBacks: Sendable { public init() {} }
public struct CFDictionaryValueCallBacks: Sendable { public init() {} }
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

public enum CFStringBuiltInEncodings: UInt32 { case UTF8 = 0x0800_0100 }
public struct CFRange {
    public var location: CFIndex
    public var length: CFIndex
    public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }
}

public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
    switch cf { case is CFData: 1; case is CFDictionary: 2; default: 0 }
}
public func CFDataGetTypeID() -> CFTypeID { 1 }
public func CFDictionaryGetTypeID() -> CFTypeID { 2 }

public func CFStringCreateWithBytes(
    _ alloc: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ numBytes: CFIndex, _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool
) -> CFString! { CFString(String(decoding: UnsafeBufferPointer(start: bytes, count: numBytes), as: UTF8.self)) }

public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    CFData(Array(UnsafeBufferPointer(start: bytes, count: length)))
}
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData.bytes.count }
public func CFDataGetBytes(_ theData: CFData!, _ range: CFRange, _ buffer: UnsafeMutablePointer<UInt8>!) {
    for index in 0..<range.length { buffer[index] = theData.bytes[range.location + index] }
}

public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! { CFMutableDictionary() }
public func CFDictionarySetValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!) {
    let key = Unmanaged<CFString>.fromOpaque(key).takeUnretainedValue()
    theDict.members[key.text] = Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue()
}
public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! {
    let key = Unmanaged<CFString>.fromOpaque(key).takeUnretainedValue()
    return theDict.members[key.text].map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
}
