/// Watchers by the thousand, in one thread that never sleeps while it measures, and so is never what a server has to wake.
///
/// Told to share its core, it sleeps while it waits for answers to what all say at once.
///
/// It is told what to do by lines on its standard input, one at a time, and answers each with a line of JSON:
///
///     open COUNT AT-ONCE PATH PROTOCOL DEFLATE MESSAGE AWAITED   connects; ready is who heard a message that begins so
///     say MESSAGE AWAITED COUNT                    the first so many say it at once; the time till each heard the other
///     push PORT METHOD PATH FILE                   how a message is sent to all: by a request with this body
///     pull MESSAGE AWAITED                         what one says to be answered
///     run MILLISECONDS PUSHES PERIOD               pushes again and again; pulls each PERIOD µs, 0: one after the other, -1: not
///     expect COUNT                                 waits for so many messages in all: `{}` once it counts, the time once they came
///     capture FILE                                 writes what the first watcher was sent since the last `say` or `run`
///
/// `-` is nothing.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "pusher.h"
#include "watcher.h"

enum { maximum_watchers = 60000, maximum_samples = 1 << 20, capture_limit = 8 << 20, pullers = 2000, pusher_mark = -1, command_mark = -2 };

static const uint64_t patience = 20ull * 1000 * 1000 * 1000;

static struct watcher watchers[maximum_watchers];
static struct pusher pusher;
static struct handshake handshake;
static int count, opened, poller;
static uint8_t buffer[256 << 10];

static char greeting[4096], awaited[64], question[4096], answered[64];
static int ready;
static bool is_summing, has_command, shares_core;
static uint64_t messages, message_bytes, payload_bytes;

static uint32_t samples[maximum_samples];
static int sample_count, asked_count, answer_count;

static uint8_t captured[capture_limit];
static size_t captured_count;

static bool begins(const uint8_t *payload, size_t size, const char *text) {
    size_t length = strlen(text);
    return length > 0 && size >= length && !memcmp(payload, text, length);
}

static void heard(struct watcher *watcher, const struct frame_header *header, const uint8_t *payload, size_t size) {
    if (!watcher->is_ready && begins(payload, size, awaited)) {
        watcher->is_ready = true;
        ready++;
    } else if (begins(payload, size, answered)) {
        if (watcher->asked == 0) return;
        if (sample_count < maximum_samples) samples[sample_count++] = (uint32_t)((now() - watcher->asked) / 100);
        watcher->asked = 0;
        answer_count++;
    } else {
        messages++;
        message_bytes += header->size + header->length;
        payload_bytes = header->length;
    }
}

static void count_bytes(struct watcher *watcher, const uint8_t *bytes, size_t size) {
    if (watcher == watchers && captured_count + size <= capture_limit) {
        memcpy(captured + captured_count, bytes, size);
        captured_count += size;
    }
    watcher->bytes += size;
    if (!is_summing) return;
    uint64_t sum = 0;
    for (size_t index = 0; index < size; index++) sum += bytes[index];
    watcher->sum += sum;
}

static void agreed(struct watcher *watcher) {
    opened++;
    if (*greeting) watcher_say(watcher, greeting, strlen(greeting));
    if (*awaited) return;
    watcher->is_ready = true;
    ready++;
}

static void take(struct watcher *watcher) {
    for (;;) {
        ssize_t size = recv(watcher->socket, buffer, sizeof buffer, MSG_DONTWAIT);
        if (size < 0 && errno == EAGAIN) return;
        if (size <= 0) fail("The server hung up on a watcher: %s.", size == 0 ? "end of file" : strerror(errno));
        size_t used = 0;
        if (!watcher->is_open) {
            used = watcher_agree(watcher, &handshake, buffer, (size_t)size);
            agreed(watcher);
        }
        count_bytes(watcher, buffer + used, (size_t)size - used);
        watcher_take(watcher, buffer + used, (size_t)size - used, heard);
        if ((size_t)size < sizeof buffer) return;
    }
}

static void handle(const struct epoll_event *event) {
    if (event->data.fd == pusher_mark) return pusher_listen(&pusher);
    if (event->data.fd == command_mark) {
        has_command = true;
        return;
    }
    struct watcher *watcher = &watchers[event->data.fd];
    if (event->events & EPOLLIN) return take(watcher);
    if (event->events & (EPOLLERR | EPOLLHUP)) fail("A watcher could not connect.");
    if (!watcher->is_open) watcher_ask(watcher, &handshake);
}

static int look(int milliseconds) {
    struct epoll_event events[512];
    int number = epoll_wait(poller, events, 512, milliseconds);
    for (int index = 0; index < number; index++) handle(&events[index]);
    return number;
}

static void dial(void) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.fd = count};
    watcher_dial(&watchers[count], handshake.port, count);
    epoll_ctl(poller, EPOLL_CTL_ADD, watchers[count].socket, &event);
    count++;
}

static void open_watchers(int number, int at_once) {
    uint64_t start = now();
    int target = count + number;
    if (target > maximum_watchers) fail("The load client has room for %d watchers.", maximum_watchers);
    while (ready < target) {
        while (count < target && count - ready < at_once) dial();
        look(1);
        if (now() - start > patience) fail("Of %d watchers %d were opened and %d ready after 20 s.", target, opened, ready);
    }
    printf("{\"seconds\": %.4f}\n", (double)(now() - start) / 1e9);
}

static void begin_counting(bool sums) {
    captured_count = 0;
    messages = message_bytes = payload_bytes = 0;
    sample_count = asked_count = answer_count = 0;
    is_summing = sums;
    for (int index = 0; index < count; index++) watchers[index].bytes = watchers[index].sum = 0;
}

static void say(const char *text, int number) {
    begin_counting(true);
    ready -= number;
    for (int index = 0; index < number; index++) watchers[index].is_ready = false;
    uint64_t start = now(), first = 0;
    for (int index = 0; index < number; index++) watcher_say(&watchers[index], text, strlen(text));
    int others = count - number;
    while (ready < others + number) {
        look(shares_core ? 1000 : 0);
        if (!first && ready > others) first = now();
        if (now() - start > patience) fail("Of %d watchers %d had heard %s after 20 s.", number, ready - others, awaited);
    }
    uint64_t end = now(), bytes = 0;
    bool is_same = true;
    for (int index = 0; index < number; index++) {
        bytes += watchers[index].bytes;
        is_same = is_same && watchers[index].bytes == watchers[0].bytes && watchers[index].sum == watchers[0].sum;
    }
    printf("{\"seconds\": %.6f, \"first\": %.6f, \"bytes\": %lu, \"each\": %lu, \"same\": %s}\n", (double)(end - start) / 1e9,
        (double)(first - start) / 1e9, bytes, watchers[0].bytes, is_same ? "true" : "false");
}

static void pull(uint64_t due) {
    int number = count < pullers ? count : pullers, step = count / number;
    struct watcher *watcher = &watchers[asked_count % number * step];
    asked_count++;
    // Still unanswered: it stands for this one, too.
    if (watcher->asked) {
        answer_count++;
        return;
    }
    watcher->asked = due;
    watcher_say(watcher, question, strlen(question));
}

static int by_size(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static double sample(double share) {
    return sample_count ? samples[(int)(share * (sample_count - 1) + 0.5)] / 10.0 : 0;
}

static void report_run(uint64_t time, uint64_t idle, int rounds) {
    qsort(samples, (size_t)sample_count, sizeof *samples, by_size);
    printf("{\"seconds\": %.6f, \"idle\": %.4f, \"rounds\": %d, \"messages\": %lu, \"bytes\": %lu, \"payload\": %lu, "
           "\"pulls\": %d, \"p50\": %.1f, \"p99\": %.1f, \"most\": %.1f}\n",
        (double)time / 1e9, (double)idle / (double)time, rounds, messages, message_bytes, payload_bytes, sample_count,
        sample(0.5), sample(0.99), sample(1));
}

static void listen_to_pusher(void) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = pusher_mark};
    epoll_ctl(poller, EPOLL_CTL_ADD, pusher.socket, &event);
}

/// Pushes whenever the last message has come to all, and pulls beside it, until the time is over and nothing is under way.
static void run(uint64_t duration, bool pushes, int64_t period) {
    begin_counting(false);
    if (pushes && pusher.socket == 0) {
        pusher_dial(&pusher);
        listen_to_pusher();
    }
    uint64_t start = now(), last = start, idle = 0, end = start + duration, due = start;
    int rounds = 0;
    for (;;) {
        int number = look(0);
        uint64_t time = now();
        if (number == 0) idle += time - last;
        last = time;
        bool is_sent = !pusher.is_waiting && messages >= (uint64_t)rounds * (uint64_t)count;
        bool is_answered = asked_count == answer_count;
        if (time >= end && is_sent && is_answered) break;
        if (time < end && pushes && is_sent) {
            pusher_push(&pusher);
            rounds++;
        }
        if (time < end && period >= 0 && (period == 0 ? is_answered : time >= due)) {
            pull(period == 0 ? time : due);
            due += (uint64_t)period * 1000;
        }
        if (time > end + patience)
            fail("%lu of %lu messages and %d of %d answers came; waited 20 s for the others.", messages,
                (uint64_t)rounds * (uint64_t)count, answer_count, asked_count);
    }
    report_run(now() - start, idle, rounds);
}

/// Waits for what others push. It sleeps meanwhile, for the others may need this core.
static void expect(uint64_t number) {
    begin_counting(false);
    puts("{}");
    fflush(stdout);
    uint64_t start = now();
    while (messages < number) {
        look(1000);
        if (now() - start > patience) fail("%lu of %lu messages came; waited 20 s for the others.", messages, number);
    }
    printf("{\"at\": %lu, \"messages\": %lu}\n", now(), messages);
}

static void capture(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(captured, 1, captured_count, file) != captured_count || fclose(file)) fail("Writing %s failed.", path);
    printf("{\"bytes\": %zu}\n", captured_count);
}

/// Copies a word of a command; `-` is nothing.
static void set(char *to, size_t size, const char *word) {
    if (strlen(word) >= size) fail("This is too long for the load client: %s", word);
    strcpy(to, strcmp(word, "-") ? word : "");
}

static void prepare_push(int port, const char *method, const char *path, const char *file) {
    pusher_prepare(&pusher, port, method, path, file);
    listen_to_pusher();
    puts("{}");
}

static void obey(char *line) {
    static char path[256], protocol[64];
    char *words[9] = {0};
    int number = 0;
    for (char *word = strtok(line, " \n"); word && number < 8; word = strtok(NULL, " \n")) words[number++] = word;
    const char *command = number ? words[0] : "";
    if (!strcmp(command, "open") && number == 8) {
        set(path, sizeof path, words[3]);
        set(protocol, sizeof protocol, words[4]);
        handshake.path = path;
        handshake.protocol = protocol;
        handshake.offers_deflate = *words[5] == '1';
        set(greeting, sizeof greeting, words[6]);
        set(awaited, sizeof awaited, words[7]);
        open_watchers(atoi(words[1]), atoi(words[2]));
    } else if (!strcmp(command, "say") && number == 4) {
        set(awaited, sizeof awaited, words[2]);
        say(words[1], atoi(words[3]));
    } else if (!strcmp(command, "push") && number == 5) {
        prepare_push(atoi(words[1]), words[2], words[3], words[4]);
    } else if (!strcmp(command, "pull") && number == 3) {
        set(question, sizeof question, words[1]);
        set(answered, sizeof answered, words[2]);
        puts("{}");
    } else if (!strcmp(command, "run") && number == 4) {
        run((uint64_t)atoll(words[1]) * 1000000, *words[2] == '1', atoll(words[3]));
    } else if (!strcmp(command, "expect") && number == 2) {
        expect(strtoull(words[1], NULL, 10));
    } else if (!strcmp(command, "capture") && number == 2) {
        capture(words[1]);
    } else {
        fail("The load client knows no command '%s' of %d words.", command, number);
    }
    fflush(stdout);
}

int main(int argument_count, char **arguments) {
    shares_core = argument_count == 3 && !strcmp(arguments[2], "shared");
    if (argument_count != 2 && !shares_core) fail("usage: load PORT [shared], and commands on the standard input");
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    handshake.port = atoi(arguments[1]);
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = command_mark};
    epoll_ctl(poller, EPOLL_CTL_ADD, fileno(stdin), &event);
    char line[16384];
    for (;;) {
        // Pings are answered between commands, too.
        while (!has_command) look(-1);
        if (!fgets(line, sizeof line, stdin)) return 0;
        obey(line);
        has_command = false;
    }
}
