#include "counts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic uint64_t nowhere[counted_things];
_Atomic uint64_t *counts = nowhere;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("COUNTS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *place = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) counts = place;
    close(file);
}
