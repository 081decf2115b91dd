#ifndef PAWL_KEYS_H
#define PAWL_KEYS_H

// Keys and signatures.

/// What EVP_PKEY_fromdata is asked for: macros made of macros.
static inline int pawl_selection_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }
static inline int pawl_selection_key_pair(void) { return EVP_PKEY_KEYPAIR; }

/// The text in a memory BIO; returns its length.
static inline long pawl_memory_bio_text(BIO *bio, char **text) { return BIO_get_mem_data(bio, text); }

#endif
