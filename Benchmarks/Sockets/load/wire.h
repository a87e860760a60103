#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the load client and the floor share: the clock, how they end, and WebSocket frames (RFC 6455 §5.2).

/// Nanoseconds of a clock that only goes forward.
uint64_t now(void);

/// Ends the program with a sentence on what was tried and what happened.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The beginning of a frame.
struct frame_header {
    uint8_t opcode;
    bool is_compressed;
    /// Bytes before the payload, the mask among them, and bytes of the payload.
    size_t size;
    uint64_t length;
};

/// Reads the beginning of a frame; false if more bytes are needed to tell.
bool read_header(const uint8_t *bytes, size_t count, struct frame_header *header);

/// Writes a masked frame of at most 65,535 bytes of payload, and gives its size. `frame` has room for 8 bytes more than
/// the payload. The mask is 0, which leaves the payload as it is: RFC 6455 wants it unpredictable for the sake of proxies,
/// and there are none.
size_t write_masked(uint8_t *frame, uint8_t opcode, const void *payload, size_t length);
