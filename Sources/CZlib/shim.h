// zlib's initialisers are macros that pass the library's version and the size of z_stream.
#ifndef REFRESHABLE_CZLIB_SHIM_H
#define REFRESHABLE_CZLIB_SHIM_H

#include <zlib.h>

/// deflateInit2 for one whole gzip member (RFC 1952) at the best compression.
static inline int shim_gzip_init(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

/// deflateInit2 for raw DEFLATE (RFC 1951) with a window of 32 KiB, as permessage-deflate has it.
static inline int shim_raw_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

/// inflateInit2 for raw DEFLATE with a window of any size.
static inline int shim_raw_inflate_init(z_stream *stream) { return inflateInit2(stream, -15); }

#endif
