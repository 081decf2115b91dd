import COpenSSL
import Glibc
import HTTPMessages

extension ClientCertificate {
    /// Alternative names that are looked at; those behind them are passed over.
    package static let alternativeNameLimit = 100

    /// Copies all that is of use out of `certificate`; `nil` when there is something that cannot be read.
    init?(_ certificate: OpaquePointer, isTrusted: Bool) {
        guard let der = Self.encoding(by: { i2d_X509(certificate, $0) }),
            let key = Self.encoding(by: { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }),
            let thumbprint = Self.sha256(der), let subject = Self.subject(of: certificate)
        else { return nil }
        self.init(
            der: der, sha256Thumbprint: thumbprint, publicKeyInfo: key, subject: subject,
            subjectAlternativeNames: Self.alternativeNames(of: certificate), isTrusted: isTrusted)
    }

    /// What an encoder of OpenSSL writes: asked for the length first.
    private static func encoding(
        by encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) -> [UInt8]? {
        let length = encode(nil)
        guard length > 0 else { return nil }
        var written: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var position = buffer.baseAddress
            written = encode(&position)
            count = max(0, Int(written))
        }
        return written == length ? bytes : nil
    }

    private static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 32)
        return EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 ? digest : nil
    }

    private static func subject(of certificate: OpaquePointer) -> String? {
        guard let output = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(output) }
        guard pawl_print_subject(output, certificate) >= 0 else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        let count = pawl_memory_bio_text(output, &text)
        return String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }

    private static func alternativeNames(of certificate: OpaquePointer) -> [AlternativeName] {
        guard let names = pawl_alternative_names(certificate) else { return [] }
        defer { pawl_free_alternative_names(names) }
        let count = min(Int(pawl_alternative_name_count(names)), alternativeNameLimit)
        return (0..<count).compactMap { index in
            var start: UnsafePointer<UInt8>?
            var length: Int32 = 0
            let kind = pawl_alternative_name(names, Int32(index), &start, &length)
            let bytes = UnsafeBufferPointer(start: start, count: Int(length))
            return switch kind {
            case GEN_DNS: text(bytes).map { .dns($0) }
            case GEN_URI: text(bytes).map { .uri($0) }
            case GEN_EMAIL: text(bytes).map { .email($0) }
            case GEN_IPADD: address(bytes).map { .ip($0) }
            default: nil
            }
        }
    }

    /// RFC 5280 section 4.2.1.6: such names are ASCII. One with a zero byte would be read as another by whoever takes it
    /// for its end.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            return inet_ntop(family, bytes.baseAddress, text.baseAddress!, socklen_t(text.count))
                .map { String(cString: $0) }
        }
    }
}
