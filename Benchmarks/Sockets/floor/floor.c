/// The least that a server can do: it sends bytes that are ready to everybody, one send() each, and does nothing else.
///
///     floor PORT
///     POST /push      the body is sent to all who shook hands, as it is
///     POST /answer    the body is what any message is answered with from now on, as it is

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../load/wire.h"

enum { maximum_descriptors = 65536 };

/// Of a socket that was sent a part of the answer only, how many bytes.
static size_t unfinished[maximum_descriptors];
static bool is_watcher[maximum_descriptors];
static int watchers[maximum_descriptors], count, poller;
static char buffer[64 << 10], *body, *answer;
static size_t body_size, answer_size;

static void watch(int socket, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.fd = socket};
    epoll_ctl(poller, operation, socket, &event);
}

static void broadcast(void) {
    for (int index = 0; index < count; index++) {
        ssize_t sent = send(watchers[index], body, body_size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent != (ssize_t)body_size) fail("The floor could send only %zd of %zu bytes: %s.", sent, body_size, strerror(errno));
    }
}

static void send_answer(int socket) {
    ssize_t sent = send(socket, answer + unfinished[socket], answer_size - unfinished[socket], MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) fail("The floor could not answer: %s.", strerror(errno));
    bool was_unfinished = unfinished[socket] > 0;
    unfinished[socket] += sent > 0 ? (size_t)sent : 0;
    if (unfinished[socket] == answer_size) {
        unfinished[socket] = 0;
        if (was_unfinished) watch(socket, EPOLLIN, EPOLL_CTL_MOD);
    } else if (!was_unfinished) {
        watch(socket, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
    }
}

static void forget(int socket) {
    for (int index = 0; is_watcher[socket] && index < count; index++)
        if (watchers[index] == socket) watchers[index] = watchers[--count];
    is_watcher[socket] = false;
    unfinished[socket] = 0;
    close(socket);
}

static void shake_hands(int socket) {
    // The answer to the key of RFC 6455 §1.3, the only one that the load client sends.
    char text[512];
    int size = sprintf(
        text, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n%s\r\n",
        strstr(buffer, "permessage-deflate") ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "");
    is_watcher[socket] = true;
    watchers[count++] = socket;
    send(socket, text, (size_t)size, MSG_NOSIGNAL);
}

/// Reads what is missing of a body.
static void read_body(int socket, size_t size) {
    const char *end = strstr(buffer, "\r\n\r\n"), *length = strcasestr(buffer, "content-length:");
    if (!end || !length) fail("The floor was asked for something that it does not know: %s", buffer);
    size_t have = size - (size_t)(end + 4 - buffer);
    body_size = strtoul(length + 15, NULL, 10);
    body = realloc(body, body_size + 1);
    memcpy(body, end + 4, have);
    if (have < body_size && recv(socket, body + have, body_size - have, MSG_WAITALL) != (ssize_t)(body_size - have))
        fail("The floor could not read a body of %zu bytes.", body_size);
}

static void answer_request(int socket, size_t size) {
    static const char done[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    buffer[size] = 0;
    if (strcasestr(buffer, "upgrade: websocket")) return shake_hands(socket);
    read_body(socket, size);
    if (!strncmp(buffer, "POST /push ", 11)) {
        broadcast();
    } else {
        answer = realloc(answer, body_size);
        memcpy(answer, body, body_size);
        answer_size = body_size;
    }
    send(socket, done, sizeof done - 1, MSG_NOSIGNAL);
}

static void answer_messages(int socket, const uint8_t *bytes, size_t size) {
    struct frame_header header;
    for (size_t place = 0; read_header(bytes + place, size - place, &header); place += header.size + header.length)
        if (header.opcode < 8 && answer_size > 0) send_answer(socket);
}

static void take(int socket) {
    ssize_t size = recv(socket, buffer, sizeof buffer - 1, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return forget(socket);
    if (is_watcher[socket]) return answer_messages(socket, (uint8_t *)buffer, (size_t)size);
    answer_request(socket, (size_t)size);
}

static int listen_at(int port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) < 0 || listen(listener, 4096) < 0)
        fail("The floor cannot listen on port %d: %s.", port, strerror(errno));
    return listener;
}

static void accept_all(int listener) {
    int on = 1, socket;
    while ((socket = accept4(listener, NULL, NULL, 0)) >= 0) {
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(socket, EPOLLIN, EPOLL_CTL_ADD);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) fail("usage: floor PORT");
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < maximum_descriptors ? limit.rlim_max : maximum_descriptors;
    setrlimit(RLIMIT_NOFILE, &limit);
    poller = epoll_create1(0);
    int listener = listen_at(atoi(arguments[1]));
    watch(listener, EPOLLIN, EPOLL_CTL_ADD);
    for (;;) {
        struct epoll_event events[512];
        int number = epoll_wait(poller, events, 512, -1);
        for (int index = 0; index < number; index++) {
            int socket = events[index].data.fd;
            if (socket == listener) accept_all(listener);
            else if (events[index].events & EPOLLOUT) send_answer(socket);
            else take(socket);
        }
    }
}
