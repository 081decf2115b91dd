#if canImport(Security)
import CoreFoundation
import Security

/// One generic password of the Keychain, and the three things that are done to it. It is never deleted and made anew: in
/// between another process would read that nobody is signed in (R18).
///
/// A mark (`kSecAttrGeneric`) tells its versions apart. An update names the one that it replaces in its query, and the
/// Keychain makes it or does not: that is the comparison and the setting in one.
package struct KeychainItem: Sendable {
    let service: String
    let account: String
    /// Under which programs of one team share it; `nil`: a new one goes to the first group that the program has, and one that
    /// is there is found in any of them.
    let accessGroup: String?

    /// What an item holds, and the mark of its version.
    package struct Content {
        let mark: [UInt8]
        let data: [UInt8]

        package init(mark: [UInt8], data: [UInt8]) {
            self.mark = mark
            self.data = data
        }
    }

    /// `nil`: there is none.
    func read() throws(SessionStoreError) -> Content? {
        let query = query()
        query.set(kSecReturnData, kCFBooleanTrue)
        query.set(kSecReturnAttributes, kCFBooleanTrue)
        query.set(kSecMatchLimit, kSecMatchLimitOne)
        var result: CFTypeRef?
        guard try Self.isDone(SecItemCopyMatching(query.dictionary, &result), unless: errSecItemNotFound) else {
            return nil
        }
        guard let result, CFGetTypeID(result) == CFDictionaryGetTypeID() else {
            throw .corrupt(reason: "the Keychain gave something else than an item")
        }
        let item = unsafeDowncast(result, to: CFDictionary.self)
        guard let data = Self.bytes(kSecValueData, in: item), let mark = Self.bytes(kSecAttrGeneric, in: item) else {
            throw .corrupt(reason: "the item of the Keychain has no data, or no mark")
        }
        return Content(mark: mark, data: data)
    }

    /// Whether there is one with this mark, without a look at what is in it.
    func exists(marked mark: [UInt8]) throws(SessionStoreError) -> Bool {
        let query = query()
        query.set(kSecAttrGeneric, Self.data(mark))
        query.set(kSecMatchLimit, kSecMatchLimitOne)
        return try Self.isDone(SecItemCopyMatching(query.dictionary, nil), unless: errSecItemNotFound)
    }

    /// - Returns: whether it was added; it is not where there is one.
    func add(_ content: Content) throws(SessionStoreError) -> Bool {
        let item = query()
        item.set(kSecAttrGeneric, Self.data(content.mark))
        item.set(kSecValueData, Self.data(content.data))
        // A refresh in the background happens while the device is locked; a backup is not to bring a session to another.
        item.set(kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
        return try Self.isDone(SecItemAdd(item.dictionary, nil), unless: errSecDuplicateItem)
    }

    /// - Parameter mark: `nil`: whatever it has.
    /// - Returns: whether it was replaced; it is not where none has the mark.
    func replace(marked mark: [UInt8]?, with content: Content) throws(SessionStoreError) -> Bool {
        let query = query()
        if let mark { query.set(kSecAttrGeneric, Self.data(mark)) }
        let change = KeychainAttributes()
        change.set(kSecAttrGeneric, Self.data(content.mark))
        change.set(kSecValueData, Self.data(content.data))
        return try Self.isDone(SecItemUpdate(query.dictionary, change.dictionary), unless: errSecItemNotFound)
    }

    private func query() -> KeychainAttributes {
        let query = KeychainAttributes()
        query.set(kSecClass, kSecClassGenericPassword)
        query.set(kSecAttrService, Self.string(service))
        query.set(kSecAttrAccount, Self.string(account))
        if let accessGroup { query.set(kSecAttrAccessGroup, Self.string(accessGroup)) }
        // On macOS too the Keychain that knows access groups.
        query.set(kSecUseDataProtectionKeychain, kCFBooleanTrue)
        return query
    }
}

extension KeychainItem.Content: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: What it says

extension KeychainItem {
    private static func isDone(_ status: OSStatus, unless expected: OSStatus) throws(SessionStoreError) -> Bool {
        switch status {
        case errSecSuccess: return true
        case expected: return false
        // R17: the device was not unlocked since it was started.
        case errSecInteractionNotAllowed: throw .locked(reason: "the device was not unlocked yet")
        case errSecDecode: throw .corrupt(reason: "the Keychain cannot decode the item")
        default: throw .failed(reason: "the Keychain answers \(status)")
        }
    }

    private static func string(_ text: String) -> CFString {
        let bytes = Array(text.utf8)
        return CFStringCreateWithBytes(
            nil, bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue, false)
    }

    private static func data(_ bytes: [UInt8]) -> CFData { CFDataCreate(nil, bytes, bytes.count) }

    private static func bytes(_ name: CFString, in item: CFDictionary) -> [UInt8]? {
        guard let value = CFDictionaryGetValue(item, Unmanaged.passUnretained(name).toOpaque()) else { return nil }
        let object = Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue()
        guard CFGetTypeID(object) == CFDataGetTypeID() else { return nil }
        let data = unsafeDowncast(object, to: CFData.self)
        let count = CFDataGetLength(data)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            CFDataGetBytes(data, CFRange(location: 0, length: count), buffer.baseAddress)
            initialized = count
        }
    }
}

/// A dictionary of Core Foundation, filled without Foundation's bridges.
private struct KeychainAttributes {
    let dictionary: CFMutableDictionary

    init() {
        var (keys, values) = (kCFTypeDictionaryKeyCallBacks, kCFTypeDictionaryValueCallBacks)
        dictionary = CFDictionaryCreateMutable(nil, 0, &keys, &values)
    }

    func set(_ name: CFString, _ value: CFTypeRef) {
        CFDictionarySetValue(
            dictionary, Unmanaged.passUnretained(name).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
    }
}
#endif
