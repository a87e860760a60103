/// Stands before zlib (LD_PRELOAD): counts what is begun to be compressed, and the raw streams that are made. Raw is what WebSockets
/// send (RFC 7692 §7.2.1); what a page is compressed to has a header.

#include <dlfcn.h>
#include <zlib.h>

#include "counts.h"

static int (*real_deflate)(z_streamp, int);
static int (*real_deflate_init)(z_streamp, int, int, int, int, int, const char *, int);
static int (*real_inflate_init)(z_streamp, int, const char *, int);

__attribute__((constructor)) static void begin(void) {
    *(void **)&real_deflate = dlsym(RTLD_NEXT, "deflate");
    *(void **)&real_deflate_init = dlsym(RTLD_NEXT, "deflateInit2_");
    *(void **)&real_inflate_init = dlsym(RTLD_NEXT, "inflateInit2_");
}

int deflate(z_streamp stream, int flush) {
    if (stream->total_in == 0 && stream->total_out == 0) count(compressions);
    return real_deflate(stream, flush);
}

int deflateInit2_(z_streamp stream, int level, int method, int bits, int memory, int strategy, const char *version, int size) {
    if (bits < 0) count(raw_streams);
    return real_deflate_init(stream, level, method, bits, memory, strategy, version, size);
}

int inflateInit2_(z_streamp stream, int bits, const char *version, int size) {
    if (bits < 0) count(raw_streams);
    return real_inflate_init(stream, bits, version, size);
}
