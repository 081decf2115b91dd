#ifndef PAWL_KEYS_H
#define PAWL_KEYS_H

// Keys and signatures.

/// What EVP_PKEY_fromdata is asked for: macros made of macros.
static inline int pawl_selection_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }
static inline int pawl_selection_key_pair(void) { return EVP_PKEY_KEYPAIR; }

// The library has deprecated what follows, for want of somebody who would need to know that a point has more coordinates than two:
// whoever looks at many points does, since one inversion brings all of them to two, where each would have one of its own.
#if OPENSSL_VERSION_MAJOR < 4
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
/// Brings the points to the form of which `pawl_affine_x` takes least time.
static inline int pawl_make_affine(const EC_GROUP *group, EC_POINT *points[], size_t count, BN_CTX *scratch)
{
    return EC_POINTs_make_affine(group, count, points, scratch);
}

/// The first coordinate of a point that has been brought to that form.
static inline int pawl_affine_x(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BN_CTX *scratch)
{
    return EC_POINT_get_Jprojective_coordinates_GFp(group, point, x, NULL, NULL, scratch);
}
#pragma clang diagnostic pop
#else
static inline int pawl_make_affine(const EC_GROUP *group, EC_POINT *points[], size_t count, BN_CTX *scratch) { return 1; }

static inline int pawl_affine_x(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BN_CTX *scratch)
{
    return EC_POINT_get_affine_coordinates(group, point, x, NULL, scratch);
}
#endif

/// The text in a memory BIO; returns its length.
static inline long pawl_memory_bio_text(BIO *bio, char **text) { return BIO_get_mem_data(bio, text); }

#endif
