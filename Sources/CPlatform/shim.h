// What Linux and Apple's systems do by other means, each under one name. Both sides of each stand here, and nowhere else.
//
// Linux: glibc and musl. Apple: written from the manual pages and the headers of xnu and libpthread, and not run yet.
#ifndef REFRESHABLE_CPLATFORM_SHIM_H
#define REFRESHABLE_CPLATFORM_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

// Declared for _GNU_SOURCE alone, which would change system types that other modules see without it.
int accept4(int, struct sockaddr *, socklen_t *, int);
#endif

// MARK: Sockets

/// On Apple's systems in two steps: a process that another thread starts between them inherits the descriptor.
static inline int shim_prepare_descriptor(int descriptor, int is_blocking) {
#ifndef __linux__
    if (descriptor < 0) return descriptor;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    if (!is_blocking) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#else
    (void)is_blocking;
#endif
    return descriptor;
}

/// accept(2): a socket that does not block and is closed on exec.
static inline int shim_accept(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
#ifdef __linux__
    return accept4(listener, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
    return shim_prepare_descriptor(accept(listener, (struct sockaddr *)address, &length), 0);
#endif
}

/// socket(2), closed on exec.
static inline int shim_socket(int family, int type, int protocol) {
#ifdef __linux__
    return socket(family, type | SOCK_CLOEXEC, protocol);
#else
    return shim_prepare_descriptor(socket(family, type, protocol), 1);
#endif
}

/// socket(2) for a TCP listener, which does not block and is closed on exec.
static inline int shim_tcp_socket(int family) {
#ifdef __linux__
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
#else
    return shim_prepare_descriptor(socket(family, SOCK_STREAM, IPPROTO_TCP), 0);
#endif
}

/// Begins to connect to a numeric address (connect(2)): a descriptor that becomes writable once that has gone well or failed,
/// or -1.
static inline int shim_tcp_connect(const char *address, const char *port) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(address, port, &hints, &found) != 0) return -1;
    int descriptor = shim_tcp_socket(found->ai_family);
    if (descriptor >= 0 && connect(descriptor, found->ai_addr, found->ai_addrlen) != 0 && errno != EINPROGRESS) {
        close(descriptor);
        descriptor = -1;
    }
    freeaddrinfo(found);
    return descriptor;
}

/// What became of connecting: 0, or an error (SO_ERROR).
static inline int shim_socket_error(int descriptor) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

/// send(2), which neither waits nor raises a signal. Returns how many bytes were taken, or -1.
static inline int64_t shim_send(int descriptor, const void *bytes, size_t count) {
#ifdef __linux__
    return send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
    return send(descriptor, bytes, count, MSG_DONTWAIT);
#endif
}

/// Whether a peer has ended its side of the stream, or the connection is broken, whatever there is still to be read.
///
/// POLLRDHUP, 0x2000, is declared for _GNU_SOURCE alone; other systems say POLLHUP when the peer has sent its FIN.
static inline int shim_has_left(int descriptor) {
#ifdef __linux__
    const short left = 0x2000 | POLLHUP | POLLERR;
#else
    const short left = POLLHUP | POLLERR;
#endif
    struct pollfd look = {.fd = descriptor, .events = left};
    return poll(&look, 1, 0) > 0 && (look.revents & (left | POLLNVAL)) != 0;
}

/// How many bytes of a stream the peer has acknowledged; -1 where the system does not tell.
///
/// Linux: `tcpi_bytes_acked`, at offset 120 of the kernel's struct tcp_info (linux/tcp.h, which clashes with netinet/tcp.h;
/// that of the C library ends before it).
static inline int64_t shim_bytes_acknowledged(int descriptor) {
#ifdef __linux__
    unsigned char info[128];
    socklen_t length = sizeof info;
    uint64_t acknowledged;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &length) != 0 || length < sizeof info) return -1;
    memcpy(&acknowledged, info + 120, sizeof acknowledged);
    return (int64_t)acknowledged;
#else
    (void)descriptor;
    return -1;
#endif
}

// MARK: Threads

/// The processors that this thread may run on: of those that are there, those that it was not kept from.
static inline int shim_core_count(void) {
#ifdef __linux__
    unsigned long mask[128] = {0};
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long index = 0; index < size / (long)sizeof *mask; index++) count += __builtin_popcountl(mask[index]);
    return count > 0 ? count : 1;
#else
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
#endif
}

/// The calling thread's name. Linux cuts it to 15 bytes (prctl(2), PR_SET_NAME).
static inline void shim_name_thread(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name);
#else
    pthread_setname_np(name);
#endif
}

/// Starts a detached thread. Here, as `pthread_t` is a number with glibc and a pointer elsewhere.
///
/// Returns 0, or the error of pthread_create(3). The stack is of that many bytes, of which those not used take no memory.
static inline int shim_start_thread(void *(*body)(void *), void *argument, size_t stack_size) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_size);
    int status = pthread_create(&thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return status;
}

/// pthread_cond_init(3), for `shim_wait`.
static inline int shim_make_condition(pthread_cond_t *condition) {
#ifdef __linux__
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int status = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return status;
#else
    return pthread_cond_init(condition, NULL);
#endif
}

/// pthread_cond_timedwait(3), until CLOCK_MONOTONIC is at `end`, in nanoseconds.
static inline int shim_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t end) {
#ifdef __linux__
    struct timespec time = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
    return pthread_cond_timedwait(condition, mutex, &time);
#else
    // Conditions go by the time of day there, or by how long.
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = end - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
    if (left < 0) left = 0;
    struct timespec time = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
    return pthread_cond_timedwait_relative_np(condition, mutex, &time);
#endif
}

// MARK: Memory

/// Has blocks of this many bytes and more given back to the system where they are freed (mallopt(3), M_MMAP_THRESHOLD). For the
/// process as a whole.
///
/// Once a large block was freed, glibc keeps those up to 32 MiB for the next of that size, one for each of several arenas, and up to
/// twice that at the end of an arena. Other C libraries give them back.
static inline void shim_give_back_blocks(int size) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, size);
#else
    (void)size;
#endif
}

#endif
