// What Swift can't import from libcurl, and why:
//  - curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, and macros check their types;
//  - CURL_SOCKET_BAD, CURL_SOCKET_TIMEOUT and option numbers are macros or enumerators with arithmetic.
#ifndef REFRESHABLE_CCURL_SHIM_H
#define REFRESHABLE_CCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>
#include <sys/socket.h>

typedef size_t (*shim_data_function)(char *bytes, size_t size, size_t count, void *user);
typedef curl_socket_t (*shim_open_function)(void *user, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*shim_socket_function)(CURL *easy, curl_socket_t socket, int what, void *user, void *of_socket);
typedef int (*shim_timer_function)(CURLM *multi, long milliseconds, void *user);

static const curl_socket_t shim_SOCKET_BAD = CURL_SOCKET_BAD;

static inline CURLcode shim_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_user(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}
static inline CURLcode shim_set_body(CURL *easy, const void *bytes, size_t count) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}
static inline void shim_set_functions(
    CURL *easy, shim_data_function header, shim_data_function body, shim_open_function open, void *user) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, user);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, user);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, user);
}

/// http and https alone, whatever libcurl was built with.
static inline void shim_set_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// A transfer that ends while its name is looked up does not wait for that: the thread that looks ends by itself.
static inline void shim_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

static inline void shim_set_multi(
    CURLM *multi, shim_socket_function socket, shim_timer_function timer, void *user, long connections) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, user);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, user);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
}

static inline const char *shim_redirect_url(CURL *easy) {
    char *url = NULL;
    return curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url) == CURLE_OK ? url : NULL;
}
static inline long shim_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

static inline CURLMcode shim_timed_out(CURLM *multi, int *running) {
    return curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, running);
}

/// The next transfer that is over, and how; NULL where there is none.
static inline CURL *shim_next_done(CURLM *multi, CURLcode *code) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static inline int shim_resolves_beside(void) {
    return (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_ASYNCHDNS) != 0;
}

#endif
