#ifndef PAWL_KEYS_H
#define PAWL_KEYS_H

// Keys and signatures.

/// What EVP_PKEY_fromdata is asked for: macros made of macros.
static inline int pawl_selection_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }
static inline int pawl_selection_key_pair(void) { return EVP_PKEY_KEYPAIR; }

// OpenSSL has deprecated what follows, for want of somebody who would need it. Whoever has many points does: one inversion
// gives the coordinates of all of them, where each would take one of its own.
#if OPENSSL_VERSION_MAJOR < 4
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
/// Brings the points to the form that `pawl_affine_x` takes.
static inline int pawl_make_affine(const EC_GROUP *group, EC_POINT *points[], size_t count, BN_CTX *scratch)
{
    return EC_POINTs_make_affine(group, count, points, scratch);
}

/// The first coordinate of a point of that form. One of another form is refused: what it has there would give its factor away.
static inline int pawl_affine_x(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BN_CTX *scratch)
{
    BN_CTX_start(scratch);
    BIGNUM *z = BN_CTX_get(scratch);
    int found = z != NULL && EC_POINT_get_Jprojective_coordinates_GFp(group, point, x, NULL, z, scratch) && BN_is_one(z);
    BN_CTX_end(scratch);
    return found;
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
