// What Swift can't import from libwebsockets and the kernel, and why:
//  - macros with casts or that rename an enumerator (LWS_PRE, LWS_WRITE_RAW, options, timeouts) have no Swift form;
//  - accept4 is declared for _GNU_SOURCE alone, which would change system types that other modules see without it;
//  - open, fcntl and prctl are variadic, errno is a macro;
//  - libwebsockets.h includes OpenSSL's ssl.h, but not x509v3.h (whom a certificate is for); its options are casts;
//  - `struct tcp_info` of the C library ends before the byte counters (linux/tcp.h clashes with netinet/tcp.h).
#ifndef REFRESHABLE_CLIBWEBSOCKETS_SHIM_H
#define REFRESHABLE_CLIBWEBSOCKETS_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const size_t shim_LWS_PRE = LWS_PRE;
static const enum lws_write_protocol shim_LWS_WRITE_RAW = LWS_WRITE_RAW;
static const int shim_LWS_TO_KILL_SYNC = LWS_TO_KILL_SYNC;
static const lws_adoption_type shim_LWS_ADOPT_SOCKET_WITH_TLS = LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL;

static const uint64_t shim_OPTION_EXPLICIT_VHOSTS = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
static const uint64_t shim_OPTION_LIBUV = LWS_SERVER_OPTION_LIBUV;
static const uint64_t shim_OPTION_VALIDATE_UTF8 = LWS_SERVER_OPTION_VALIDATE_UTF8;

static const uint64_t shim_OPTION_DO_SSL_GLOBAL_INIT = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
static const uint64_t shim_OPTION_CREATE_VHOST_SSL_CTX = LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
static const uint64_t shim_OPTION_DISABLE_OS_CA_CERTS = LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;

static const uint64_t shim_SSL_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;

static const int shim_PORT_NO_LISTEN_SERVER = CONTEXT_PORT_NO_LISTEN_SERVER;

static const int shim_SOCK_STREAM = SOCK_STREAM;
static const int shim_SSL_CB_ACCEPT_EXIT = SSL_CB_ACCEPT_EXIT;
static const int shim_MSG_DONTWAIT = MSG_DONTWAIT;
static const int shim_SHUT_RDWR = SHUT_RDWR;
static const int shim_SHUT_WR = SHUT_WR;

#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
static inline void shim_say_nothing(int level, const char *line) { (void)level; (void)line; }
#endif

/// Gives a context a log of its own, silent; freed by the caller after the context. NULL before 4.3, which has none.
///
/// By default all contexts of 4.3 share one and count references to it without a lock, with each connection: two loops
/// miscount, until an assertion ends the process (`cx->refcount`, lib/core/logs.c).
static inline void *shim_own_log(struct lws_context_creation_info *info) {
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
    lws_log_cx_t *log = (lws_log_cx_t *)calloc(1, sizeof *log);
    if (log) log->u.emit = shim_say_nothing;
    info->log_cx = log;
    return log;
#else
    (void)info;
    return NULL;
#endif
}

/// What the last system call on this thread failed with.
static inline int shim_errno(void) { return errno; }

/// Whether a peer has ended its side of the stream, or the connection is broken, whatever there is still to be read.
///
/// POLLRDHUP is declared for _GNU_SOURCE alone; other systems say POLLHUP when the peer has sent its FIN.
static inline int shim_has_left(int descriptor) {
#ifdef __linux__
    const short left = 0x2000 | POLLHUP | POLLERR;
#else
    const short left = POLLHUP | POLLERR;
#endif
    struct pollfd look = {.fd = descriptor, .events = left};
    return poll(&look, 1, 0) > 0 && (look.revents & (left | POLLNVAL)) != 0;
}

/// Bytes that have come and are not read yet (FIONREAD); 0 where that can't be told.
static inline int shim_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

int accept4(int, struct sockaddr *, socklen_t *, int);

/// accept4(2), with SOCK_NONBLOCK and SOCK_CLOEXEC.
static inline int shim_accept(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return accept4(listener, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// getrlimit(2) and setrlimit(2) of RLIMIT_NOFILE, whose name is of a type that C libraries don't agree upon.
static inline int shim_descriptor_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }
static inline int shim_set_descriptor_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_NOFILE, limit); }

/// send(2), which neither waits nor raises a signal. Returns how many bytes were taken, or -1.
static inline int64_t shim_send(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// The processors that this thread may run on: of those that are there, those that it was not kept from.
static inline int shim_core_count(void) {
    unsigned long mask[128] = {0};
    long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int count = 0;
    for (long index = 0; index < size / (long)sizeof *mask; index++) count += __builtin_popcountl(mask[index]);
    return count > 0 ? count : 1;
}

/// open(2) for reading.
static inline int shim_open(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/// fcntl(2), F_DUPFD_CLOEXEC: a copy of a descriptor under the lowest free number from `minimum` on.
static inline int shim_duplicate(int descriptor, int minimum) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, minimum);
}

/// The calling thread's name, cut to 15 bytes (prctl(2), PR_SET_NAME).
static inline void shim_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

/// socket(2) for a TCP listener, non-blocking and closed on exec.
static inline int shim_tcp_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
}

/// Begins to connect to a numeric address (socket(2), connect(2)): a descriptor that becomes writable once that has gone well or
/// failed, or -1.
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

/// SNI (RFC 6066 §3), by a macro of OpenSSL's.
static inline long shim_set_server_name(SSL *handshake, const char *name) {
    return SSL_set_tlsext_host_name(handshake, name);
}

/// `tcpi_bytes_acked` (offset 120 of the kernel's struct tcp_info, see linux/tcp.h), or -1.
static inline int64_t shim_bytes_acknowledged(int descriptor) {
    unsigned char info[128];
    socklen_t length = sizeof info;
    uint64_t acknowledged;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &length) != 0 || length < sizeof info) return -1;
    memcpy(&acknowledged, info + 120, sizeof acknowledged);
    return (int64_t)acknowledged;
}

#endif
