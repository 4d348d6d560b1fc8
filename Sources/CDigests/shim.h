#pragma once

#include <stddef.h>
#include <stdint.h>

// The system's own SHA-2: CommonCrypto is part of macOS, and libmd comes with what libedit needs.
#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>

typedef CC_SHA256_CTX strata_sha256_context;

static inline void strata_sha256_init(strata_sha256_context *context) { CC_SHA256_Init(context); }

static inline void strata_sha256_update(strata_sha256_context *context, const void *bytes, size_t count) {
  CC_SHA256_Update(context, bytes, (CC_LONG)count);
}

static inline void strata_sha256_final(strata_sha256_context *context, uint8_t *digest) {
  CC_SHA256_Final(digest, context);
}

static inline void strata_sha512(const void *bytes, size_t count, uint8_t *digest) {
  CC_SHA512(bytes, (CC_LONG)count, digest);
}
#else
#include <sha2.h>

typedef SHA2_CTX strata_sha256_context;

static inline void strata_sha256_init(strata_sha256_context *context) { SHA256Init(context); }

static inline void strata_sha256_update(strata_sha256_context *context, const void *bytes, size_t count) {
  SHA256Update(context, (const uint8_t *)bytes, count);
}

static inline void strata_sha256_final(strata_sha256_context *context, uint8_t *digest) {
  SHA256Final(digest, context);
}

static inline void strata_sha512(const void *bytes, size_t count, uint8_t *digest) {
  SHA2_CTX context;
  SHA512Init(&context);
  SHA512Update(&context, (const uint8_t *)bytes, count);
  SHA512Final(digest, &context);
}
#endif
