// What Swift can't import from libpq: PG_DIAG_… and the like are characters in macros.
#ifndef REFRESHABLE_CPOSTGRES_SHIM_H
#define REFRESHABLE_CPOSTGRES_SHIM_H

// Debian has it in a folder that only pkg-config names.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#error "libpq was not found. Debian, Ubuntu: apt-get install libpq-dev; macOS: brew install libpq. Without the trait PostgreSQL it is not needed"
#endif

static const int shim_PG_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int shim_PG_DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY;
static const int shim_PG_DIAG_MESSAGE_DETAIL = PG_DIAG_MESSAGE_DETAIL;
static const int shim_PG_DIAG_MESSAGE_HINT = PG_DIAG_MESSAGE_HINT;
static const int shim_PG_DIAG_STATEMENT_POSITION = PG_DIAG_STATEMENT_POSITION;

#endif
