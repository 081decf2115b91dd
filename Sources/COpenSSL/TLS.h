// Wrappers for the macros and the variadic functions that TLS and its certificates need.
#ifndef PAWL_COPENSSL_TLS_H
#define PAWL_COPENSSL_TLS_H

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int pawl_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int pawl_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline void pawl_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

static inline void pawl_SSL_CTX_set_read_ahead(SSL_CTX *context, int yes) {
    SSL_CTX_set_read_ahead(context, yes);
}

static inline void pawl_SSL_CTX_set_common_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

static inline void pawl_SSL_CTX_set_server_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
}

static inline int pawl_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}

static inline int pawl_SSL_set_tlsext_host_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline void pawl_SSL_CTX_set_max_cert_list(SSL_CTX *context, long bytes) {
    SSL_CTX_set_max_cert_list(context, bytes);
}

// Every connection begins with a whole handshake.
static inline void pawl_SSL_CTX_disable_resumption(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
}

// The subject as RFC 2253 writes it; whatever is not plain ASCII is escaped. Negative when it cannot be written.
static inline int pawl_print_subject(BIO *output, const X509 *certificate) {
    return X509_NAME_print_ex(output, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
}

// NULL when there are none, when there are several lists, and when they cannot be read.
static inline GENERAL_NAMES *pawl_alternative_names(const X509 *certificate) {
    return X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int pawl_alternative_name_count(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}

// Its kind (GEN_DNS, …) and its bytes, which belong to the list; -1 for kinds that are no text and no address.
static inline int pawl_alternative_name(
    const GENERAL_NAMES *names, int index, const unsigned char **bytes, int *length) {
    int kind = -1;
    void *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &kind);
    switch (kind) {
    case GEN_DNS:
    case GEN_URI:
    case GEN_EMAIL:
    case GEN_IPADD:
        *bytes = ASN1_STRING_get0_data(value);
        *length = ASN1_STRING_length(value);
        return kind;
    default:
        return -1;
    }
}

static inline void pawl_free_alternative_names(GENERAL_NAMES *names) {
    GENERAL_NAMES_free(names);
}

static inline EVP_PKEY *pawl_generate_P256_key(void) {
    return EVP_EC_gen("P-256");
}

#endif
