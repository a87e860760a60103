// A disk that takes its time, for the library that keeps the lists: LD_PRELOAD it, and each write to a file ending in
// "-wal" waits FAULTS_DISK_DELAY microseconds first. So what is published before it is kept is seen before it is kept.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_log(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path);
    return length > 4 && memcmp(path + length - 4, "-wal", 4) == 0;
}

static void wait_for_disk(int descriptor) {
    const char *delay = getenv("FAULTS_DISK_DELAY");
    if (delay && is_log(descriptor)) usleep((useconds_t)atoi(delay));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    if (!next) next = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    wait_for_disk(descriptor);
    return next(descriptor, bytes, count, offset);
}
