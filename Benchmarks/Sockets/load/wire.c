#include "wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

bool read_header(const uint8_t *bytes, size_t count, struct frame_header *header) {
    if (count < 2) return false;
    uint8_t length = bytes[1] & 0x7F;
    size_t extended = length == 126 ? 2 : length == 127 ? 8 : 0;
    header->size = 2 + extended + (bytes[1] & 0x80 ? 4 : 0);
    if (count < header->size) return false;
    header->opcode = bytes[0] & 0x0F;
    header->is_compressed = bytes[0] & 0x40;
    header->length = extended ? 0 : length;
    for (size_t index = 0; index < extended; index++) header->length = header->length << 8 | bytes[2 + index];
    return true;
}

size_t write_masked(uint8_t *frame, uint8_t opcode, const void *payload, size_t length) {
    size_t size = 2;
    frame[0] = 0x80 | opcode;
    if (length < 126) {
        frame[1] = 0x80 | (uint8_t)length;
    } else {
        frame[1] = 0x80 | 126;
        frame[2] = (uint8_t)(length >> 8);
        frame[3] = (uint8_t)length;
        size = 4;
    }
    memset(frame + size, 0, 4);
    memcpy(frame + size + 4, payload, length);
    return size + 4 + length;
}
