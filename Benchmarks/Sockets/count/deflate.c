/// Stands before zlib in a server that is measured (LD_PRELOAD), and counts the streams that it begins to compress, in the
/// file that DEFLATE_COUNT names.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

static _Atomic uint64_t *count;
static int (*real)(z_streamp, int);

__attribute__((constructor)) static void begin(void) {
    *(void **)&real = dlsym(RTLD_NEXT, "deflate");
    const char *path = getenv("DEFLATE_COUNT");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *place = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) count = place;
    close(file);
}

int deflate(z_streamp stream, int flush) {
    if (count && stream->total_in == 0 && stream->total_out == 0) atomic_fetch_add(count, 1);
    return real(stream, flush);
}
