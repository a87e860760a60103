// libuv imports whole; the two casts that C does silently are functions here.
#ifndef REFRESHABLE_CLIBUV_SHIM_H
#define REFRESHABLE_CLIBUV_SHIM_H

#include <uv.h>

/// The descriptor behind a handle, or -1 if it has none (uv_fileno).
static inline int shim_uv_descriptor(const uv_handle_t *handle) {
    uv_os_fd_t descriptor;
    return uv_fileno(handle, &descriptor) == 0 ? (int)descriptor : -1;
}

#endif
