// What Swift can't import from OpenSSL's libcrypto, and why:
//  - EVP_EC_gen is a macro around a variadic function;
//  - keys are made of their bytes by arrays of OSSL_PARAM, which point into variables that must outlive them.
#ifndef REFRESHABLE_COPENSSL_SHIM_H
#define REFRESHABLE_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <stdint.h>

static const int shim_TAG_LENGTH = 16;

/// A new key pair on P-256, freed by the caller (EVP_PKEY_free); NULL on failure.
static inline EVP_PKEY *shim_p256_generate(void) { return EVP_EC_gen("P-256"); }

/// A key on P-256 of its bytes: 65 of the point, and 32 of the secret number unless that is NULL. Freed by the caller. NULL
/// where the point is not on the curve.
static inline EVP_PKEY *shim_p256_key(const uint8_t *point, const uint8_t *secret) {
    EVP_PKEY *key = NULL;
    BIGNUM *number = secret ? BN_bin2bn(secret, 32, NULL) : NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    if (context && build && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, 65) == 1
        && (!secret || (number && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1))
        && (parameters = OSSL_PARAM_BLD_to_param(build)) && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, secret ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(number);
    ERR_clear_error();
    return key;
}

#endif
