#pragma once

#include <stddef.h>
#include <stdint.h>

// The system's own SHA-2: CommonCrypto is part of macOS, and libmd comes with what libedit needs.
#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>

static inline void strata_sha256(const void *bytes, size_t count, uint8_t *digest) {
  CC_SHA256(bytes, (CC_LONG)count, digest);
}

static inline void strata_sha512(const void *bytes, size_t count, uint8_t *digest) {
  CC_SHA512(bytes, (CC_LONG)count, digest);
}
#else
#include <sha2.h>

static inline void strata_sha256(const void *bytes, size_t count, uint8_t *digest) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, (const uint8_t *)bytes, count);
  SHA256Final(digest, &context);
}

static inline void strata_sha512(const void *bytes, size_t count, uint8_t *digest) {
  SHA2_CTX context;
  SHA512Init(&context);
  SHA512Update(&context, (const uint8_t *)bytes, count);
  SHA512Final(digest, &context);
}
#endif
