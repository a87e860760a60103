#include "watcher.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { close_opcode = 8, ping_opcode = 9, pong_opcode = 10, addresses = 250 };

static void send_all(struct watcher *watcher, const void *bytes, size_t count) {
    ssize_t sent = send(watcher->socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent != (ssize_t)count) fail("A watcher could not send %zu bytes: %s.", count, strerror(errno));
}

static struct sockaddr_in loopback(uint32_t last_bytes, int port) {
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(0x7F000000 | last_bytes)};
}

void watcher_dial(struct watcher *watcher, int port, int number) {
    *watcher = (struct watcher){.socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)};
    if (watcher->socket < 0) fail("No socket for watcher %d: %s. Raise the limit of descriptors.", number, strerror(errno));
    int on = 1;
    setsockopt(watcher->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // The port is chosen at connecting, so that each address has all of them.
    setsockopt(watcher->socket, IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */, &on, sizeof on);
    struct sockaddr_in from = loopback(0x101 + (uint32_t)(number % addresses), 0), to = loopback(1, port);
    if (bind(watcher->socket, (struct sockaddr *)&from, sizeof from) < 0) fail("Binding watcher %d: %s.", number, strerror(errno));
    if (connect(watcher->socket, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS)
        fail("Connecting watcher %d: %s.", number, strerror(errno));
}

void watcher_ask(struct watcher *watcher, const struct handshake *handshake) {
    char text[1024];
    int count = snprintf(
        text, sizeof text,
        // The key of RFC 6455 §1.3.
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s%s%s%s\r\n",
        handshake->path, handshake->port, *handshake->protocol ? "Sec-WebSocket-Protocol: " : "", handshake->protocol,
        *handshake->protocol ? "\r\n" : "",
        // What Chromium offers.
        handshake->offers_deflate ? "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" : "");
    send_all(watcher, text, (size_t)count);
}

size_t watcher_agree(struct watcher *watcher, const struct handshake *handshake, const uint8_t *bytes, size_t count) {
    const uint8_t *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (!end) fail("The answer to a handshake is incomplete: %.*s", (int)count, bytes);
    size_t size = (size_t)(end - bytes) + 4;
    if (size < 12 || memcmp(bytes + 9, "101", 3)) fail("A handshake was refused: %.*s", (int)count, bytes);
    bool has_deflate = memmem(bytes, size, "permessage-deflate", 18);
    if (has_deflate != handshake->offers_deflate)
        fail("A handshake %s permessage-deflate: %.*s", has_deflate ? "forces" : "declines", (int)size, bytes);
    watcher->is_open = true;
    return size;
}

/// Takes a ping out of what was counted: it comes when its time has come, and not to all.
static void discount(struct watcher *watcher, const uint8_t *frame, size_t size) {
    watcher->bytes -= size;
    for (size_t index = 0; index < size; index++) watcher->sum -= frame[index];
}

static void hear(
    struct watcher *watcher, const struct frame_header *header, const uint8_t *payload, size_t count, message_handler *handler) {
    if (header->opcode == ping_opcode) {
        uint8_t frame[64 + 8];
        discount(watcher, payload - header->size, header->size + count);
        send_all(watcher, frame, write_masked(frame, pong_opcode, payload, count < 64 ? count : 64));
    } else if (header->opcode == close_opcode) {
        fail("A watcher was closed with code %d.", count < 2 ? 1005 : payload[0] << 8 | payload[1]);
    } else if (header->opcode != pong_opcode) {
        handler(watcher, header, payload, count);
    }
}

/// Adds a byte to a beginning that came in pieces; handles it once it is enough.
static void hold(struct watcher *watcher, uint8_t byte, message_handler *handler) {
    struct frame_header header;
    watcher->beginning[watcher->held++] = byte;
    if (!read_header(watcher->beginning, watcher->held, &header)) return;
    uint64_t whole = header.size + header.length;
    if (watcher->held < whole && watcher->held < sizeof watcher->beginning) return;
    watcher->left = whole - watcher->held;
    hear(watcher, &header, watcher->beginning + header.size, watcher->held - header.size, handler);
    watcher->held = 0;
}

void watcher_take(struct watcher *watcher, const uint8_t *bytes, size_t count, message_handler *handler) {
    struct frame_header header;
    while (count > 0) {
        size_t used = 1;
        if (watcher->left > 0) {
            used = watcher->left < count ? watcher->left : count;
            watcher->left -= used;
        } else if (watcher->held == 0 && read_header(bytes, count, &header) && header.size + header.length <= count) {
            used = header.size + header.length;
            hear(watcher, &header, bytes + header.size, header.length, handler);
        } else {
            hold(watcher, *bytes, handler);
        }
        bytes += used;
        count -= used;
    }
}

void watcher_say(struct watcher *watcher, const char *text, size_t length) {
    uint8_t frame[4096];
    if (length > sizeof frame - 8) fail("A message of %zu bytes is too long for the load client.", length);
    send_all(watcher, frame, write_masked(frame, 1, text, length));
}
