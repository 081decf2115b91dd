// swift-format-ignore-file
// What the Keychain adapters use of the Security framework, declared as the Swift importer shows it on Apple platforms, before
// a Keychain that is an array. A model of what is documented, and no proof of what a device does.

import CoreFoundation
import Synchronization

public typealias OSStatus = Int32
public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecDecode: OSStatus = -26275

public let kSecClass = CFString("class")
public let kSecClassGenericPassword = CFString("genp")
public let kSecAttrService = CFString("svce")
public let kSecAttrAccount = CFString("acct")
public let kSecAttrAccessGroup = CFString("agrp")
public let kSecAttrGeneric = CFString("gena")
public let kSecAttrAccessible = CFString("pdmn")
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString("cku")
public let kSecValueData = CFString("v_Data")
public let kSecReturnData = CFString("r_Data")
public let kSecReturnAttributes = CFString("r_Attributes")
public let kSecMatchLimit = CFString("m_Limit")
public let kSecMatchLimitOne = CFString("m_LimitOne")
public let kSecUseDataProtectionKeychain = CFString("nleg")

/// The Keychain of the model.
public final class ModelKeychain: @unchecked Sendable {
    public static let shared = ModelKeychain()
    private let lock = Mutex<Void>(())
    private var items: [[String: String]] = []
    /// What every call answers; 0: what it should.
    public var status: OSStatus = 0
    public var calls: [String] = []

    private static let identity = ["class", "svce", "acct", "agrp"]
    private static let attributes = identity + ["gena", "pdmn", "v_Data"]

    private static func plain(_ dictionary: CFDictionary) -> [String: String] {
        dictionary.members.filter { attributes.contains($0.key) }.mapValues {
            ($0 as? CFString)?.text ?? ($0 as? CFData)?.bytes.map { "\($0)" }.joined(separator: ",") ?? ""
        }
    }
    private static func data(_ text: String) -> CFData { CFData(text.split(separator: ",").compactMap { UInt8($0) }) }

    func run(_ call: String, _ body: () -> OSStatus) -> OSStatus {
        lock.withLock { _ in
            calls.append(call)
            return status == 0 ? body() : status
        }
    }
    func matches(_ query: CFDictionary) -> [Int] {
        let wanted = Self.plain(query)
        return items.indices.filter { index in wanted.allSatisfy { items[index][$0.key] == $0.value } }
    }
    func copy(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        guard let found = matches(query).first else { return errSecItemNotFound }
        let item = CFDictionary()
        for (name, value) in items[found] {
            item.members[name] = name == "gena" || name == "v_Data" ? Self.data(value) : CFString(value)
        }
        result?.pointee = item
        return errSecSuccess
    }
    func add(_ attributes: CFDictionary) -> OSStatus {
        let item = Self.plain(attributes)
        let isTaken = items.contains { other in Self.identity.allSatisfy { other[$0] == item[$0] } }
        guard !isTaken else { return errSecDuplicateItem }
        items.append(item)
        return errSecSuccess
    }
    func update(_ query: CFDictionary, _ change: CFDictionary) -> OSStatus {
        let found = matches(query)
        guard !found.isEmpty else { return errSecItemNotFound }
        for index in found { items[index].merge(Self.plain(change)) { $1 } }
        return errSecSuccess
    }
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ModelKeychain.shared.run("copy") { ModelKeychain.shared.copy(query, result) }
}
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ModelKeychain.shared.run("add") { ModelKeychain.shared.add(attributes) }
}
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    ModelKeychain.shared.run("update") { ModelKeychain.shared.update(query, attributesToUpdate) }
}
