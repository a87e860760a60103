// What Swift can't import from libwebsockets and the C library, and why:
//  - macros with casts or that rename an enumerator (LWS_PRE, LWS_WRITE_RAW, options, timeouts) have no Swift form;
//  - open and fcntl are variadic, errno is a macro;
//  - libwebsockets.h includes OpenSSL's ssl.h, but not x509v3.h (whom a certificate is for); its options are casts.
#ifndef REFRESHABLE_CLIBWEBSOCKETS_SHIM_H
#define REFRESHABLE_CLIBWEBSOCKETS_SHIM_H

#if !__has_include(<libwebsockets.h>)
#error "libwebsockets was not found. Debian, Ubuntu: apt-get install libwebsockets-dev libwebsockets-evlib-uv; macOS: brew install libwebsockets"
#else

#include <errno.h>
#include <fcntl.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

/// Bytes that have come and are not read yet (FIONREAD); 0 where that can't be told.
static inline int shim_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

/// getrlimit(2) and setrlimit(2) of RLIMIT_NOFILE, whose name is of a type that C libraries don't agree upon.
static inline int shim_descriptor_limit(struct rlimit *limit) { return getrlimit(RLIMIT_NOFILE, limit); }
static inline int shim_set_descriptor_limit(const struct rlimit *limit) { return setrlimit(RLIMIT_NOFILE, limit); }

/// open(2) for reading.
static inline int shim_open(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

/// fcntl(2), F_DUPFD_CLOEXEC: a copy of a descriptor under the lowest free number from `minimum` on.
static inline int shim_duplicate(int descriptor, int minimum) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, minimum);
}

/// SNI (RFC 6066 §3), by a macro of OpenSSL's.
static inline long shim_set_server_name(SSL *handshake, const char *name) {
    return SSL_set_tlsext_host_name(handshake, name);
}

#endif
#endif
