import COpenSSL
import Primitives

/// What goes into a certificate.
struct CertificateTemplate {
    var commonName: String
    var notBefore: Timestamp
    var notAfter: Timestamp
    var role: Role

    enum Role {
        /// May sign certificates of servers with these names, and no others.
        case authority(confinedTo: [CertificateName])
        case server(names: [CertificateName])
    }

    /// Certificate and signature by `issuer`; by the key itself when there is none.
    func make(
        for key: CertificateKey, issuer: (certificate: Certificate, key: CertificateKey)? = nil
    ) throws(NetworkingError) -> Certificate {
        guard let pointer = X509_new() else { throw OpenSSLErrors.failure("cannot make a certificate") }
        let certificate = Certificate(adopting: pointer)
        let issuerCertificate = issuer?.certificate ?? certificate
        guard X509_set_version(pointer, 2) == 1, setRandomSerial(pointer), setName(pointer),
            ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(notBefore.secondsSinceEpoch)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(notAfter.secondsSinceEpoch)) != nil,
            X509_set_pubkey(pointer, key.pointer) == 1,
            X509_set_issuer_name(pointer, X509_get_subject_name(issuerCertificate.pointer)) == 1,
            addExtensions(to: pointer, issuer: issuerCertificate),
            X509_sign(pointer, issuer?.key.pointer ?? key.pointer, EVP_sha256()) > 0
        else { throw OpenSSLErrors.failure("cannot make a certificate") }
        return certificate
    }

    /// RFC 5280 section 4.1.2.2: positive, unique with its issuer; at most 20 bytes, so 159 random bits here.
    private func setRandomSerial(_ certificate: OpaquePointer) -> Bool {
        guard let number = BN_new() else { return false }
        defer { BN_free(number) }
        return BN_rand(number, 159, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1
            && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
    }

    private func setName(_ certificate: OpaquePointer) -> Bool {
        let name = X509_get_subject_name(certificate)
        return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, commonName, -1, -1, 0) == 1
    }

    private func addExtensions(to certificate: OpaquePointer, issuer: Certificate) -> Bool {
        var extensions: [(Int32, String)]
        switch role {
        case .authority(let names):
            // Signs server certificates directly: no authority below it (RFC 5280 sections 4.2.1.3, 9 and 10). Name
            // constraints say nothing about certificates for people and programs; the purpose rules those out, for
            // verifiers apply an authority's purpose to what it signs (section 4.2.1.12 leaves that open).
            extensions = [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_name_constraints, "critical," + names.map(\.permittedSubtree).joined(separator: ",")),
                (NID_subject_key_identifier, "hash"),
            ]
        case .server(let names):
            extensions = [
                (NID_basic_constraints, "critical,CA:FALSE"),
                (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"),
                (NID_subject_alt_name, names.map(\.alternativeName).joined(separator: ",")),
                (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
            ]
        }
        var context = v3_ext_ctx()
        X509V3_set_ctx(&context, issuer.pointer, certificate, nil, nil, 0)
        return extensions.allSatisfy { nid, value in
            guard let added = X509V3_EXT_conf_nid(nil, &context, nid, value) else { return false }
            defer { X509_EXTENSION_free(added) }
            return X509_add_ext(certificate, added, -1) == 1
        }
    }
}
