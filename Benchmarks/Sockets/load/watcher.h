#pragma once

#include "wire.h"

/// One connection that watches: it shakes hands, reads frames as they come in pieces, and answers pings.
struct watcher {
    int socket;
    bool is_open;
    /// It got what it waits for, or has nothing to wait for.
    bool is_ready;
    /// Bytes of a frame's beginning that came in pieces, and how many of its bytes are still to be passed over.
    uint8_t held;
    uint8_t beginning[64];
    uint64_t left;
    /// Since it was last told to count: bytes that came, and their sum, by which two streams are compared.
    uint64_t bytes, sum;
    /// When its pull under way was due; 0: none is.
    uint64_t asked;
};

/// What the handshake asks for.
struct handshake {
    int port;
    const char *path, *protocol;
    bool offers_deflate;
};

/// What a watcher heard: a message, with as much of its payload as is at hand, at least 48 bytes of a longer one.
typedef void message_handler(
    struct watcher *watcher, const struct frame_header *header, const uint8_t *payload, size_t count);

/// Begins to connect to this machine. `number` chooses the address it comes from: 127.0.1.1, 127.0.1.2, … in turn.
void watcher_dial(struct watcher *watcher, int port, int number);
/// Sends the handshake, once the socket is writable.
void watcher_ask(struct watcher *watcher, const struct handshake *handshake);
/// Takes the answer to the handshake, and gives how many bytes it had; what is behind them are frames.
size_t watcher_agree(struct watcher *watcher, const struct handshake *handshake, const uint8_t *bytes, size_t count);
/// Takes bytes of frames.
void watcher_take(struct watcher *watcher, const uint8_t *bytes, size_t count, message_handler *handler);
/// Sends a text message of at most 4,000 bytes.
void watcher_say(struct watcher *watcher, const char *text, size_t length);
