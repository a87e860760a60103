#include "pusher.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char place[] = "########";

static char *contents(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("Opening %s: %s.", path, strerror(errno));
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) fail("Reading %s failed.", path);
    fclose(file);
    return bytes;
}

void pusher_dial(struct pusher *pusher) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)pusher->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    pusher->socket = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(pusher->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(pusher->socket, (struct sockaddr *)&to, sizeof to) < 0) fail("Connecting to push: %s.", strerror(errno));
}

void pusher_prepare(struct pusher *pusher, int port, const char *method, const char *path, const char *file) {
    size_t size;
    char *body = contents(file, &size);
    if (pusher->socket > 0) close(pusher->socket);
    free(pusher->request);
    *pusher = (struct pusher){.port = port, .request = malloc(size + 1024), .number = pusher->number};
    if (!pusher->request) fail("No memory for a request of %zu bytes.", size);
    int head = sprintf(
        pusher->request,
        "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", method, path,
        port, size);
    memcpy(pusher->request + head, body, size);
    pusher->size = (size_t)head + size;
    pusher->digits = memmem(pusher->request + head, size, place, strlen(place));
    free(body);
    pusher_dial(pusher);
}

void pusher_push(struct pusher *pusher) {
    char number[16];
    if (pusher->digits) {
        sprintf(number, "%08u", pusher->number++ % 100000000);
        memcpy(pusher->digits, number, strlen(place));
    }
    pusher->is_waiting = true;
    pusher->held = 0;
    for (size_t sent = 0; sent < pusher->size;) {
        ssize_t count = send(pusher->socket, pusher->request + sent, pusher->size - sent, MSG_NOSIGNAL);
        if (count < 0) fail("Sending a push: %s.", strerror(errno));
        sent += (size_t)count;
    }
}

/// Whether the answer is whole: by its Content-Length, or by the last chunk.
static bool is_whole(const struct pusher *pusher) {
    const char *end = strstr(pusher->answer, "\r\n\r\n");
    if (!end) return false;
    if (pusher->answer[9] != '2') fail("A push was refused: %s", pusher->answer);
    const char *length = strcasestr(pusher->answer, "\r\ncontent-length:");
    if (length && length < end) return pusher->held >= (size_t)(end + 4 - pusher->answer) + strtoul(length + 17, NULL, 10);
    return !strcasestr(pusher->answer, "chunked") || strstr(end, "0\r\n\r\n");
}

void pusher_listen(struct pusher *pusher) {
    ssize_t count =
        recv(pusher->socket, pusher->answer + pusher->held, sizeof pusher->answer - 1 - pusher->held, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count == 0 && !pusher->is_waiting) {
        close(pusher->socket);
        pusher->socket = 0;
        return;
    }
    if (count <= 0) fail("The server hung up on a push: %s.", count == 0 ? "end of file" : strerror(errno));
    pusher->held += (size_t)count;
    pusher->answer[pusher->held] = 0;
    if (is_whole(pusher)) pusher->is_waiting = false;
}
