#pragma once

#include "wire.h"

/// The one who has a message sent to all: the same HTTP request again and again, over one connection, but for a number in it.
struct pusher {
    /// 0 where the server has hung up on one who had nothing to push for long.
    int socket, port;
    /// The request, and where in it the eight digits of the number stand; NULL if there is no place for them.
    char *request, *digits;
    size_t size;
    unsigned number;
    bool is_waiting;
    size_t held;
    char answer[8192];
};

/// Makes the request from a file that holds its body, in which ######## is the place of the number, and connects.
void pusher_prepare(struct pusher *pusher, int port, const char *method, const char *path, const char *file);
/// Connects again.
void pusher_dial(struct pusher *pusher);
/// Sends the request.
void pusher_push(struct pusher *pusher);
/// Takes what there is of the answer. Anything but a 2xx ends the program.
void pusher_listen(struct pusher *pusher);
