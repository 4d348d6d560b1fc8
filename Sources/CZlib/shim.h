#pragma once
#include <zlib.h>

/// `inflateInit2` is a macro, and Swift imports no function-like macro.
static inline int strata_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -15);
}

/// `deflateInit2` is a macro too. Raw DEFLATE, as `Z_MODELCACHE` holds it.
static inline int strata_deflate_init_raw(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}
