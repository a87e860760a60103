// What Swift can't import of a terminal, and why: `termios` and `winsize` are declared by headers of several modules, and
// the compiler takes them to be of whichever module was loaded first.
#ifndef REFRESHABLE_CTERMINAL_SHIM_H
#define REFRESHABLE_CTERMINAL_SHIM_H

#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

/// A terminal's settings, as tcgetattr(3) gave them.
struct shim_terminal_settings {
    unsigned char bytes[sizeof(struct termios)];
};

/// Has keys arrive one by one, without echo, Control-C included. Returns the settings from before.
static inline struct shim_terminal_settings shim_read_keys(int terminal) {
    struct shim_terminal_settings before;
    struct termios settings;
    memset(&settings, 0, sizeof settings);
    tcgetattr(terminal, &settings);
    memcpy(before.bytes, &settings, sizeof settings);
    settings.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    tcsetattr(terminal, TCSANOW, &settings);
    return before;
}

static inline void shim_restore_settings(int terminal, struct shim_terminal_settings before) {
    struct termios settings;
    memcpy(&settings, before.bytes, sizeof settings);
    tcsetattr(terminal, TCSANOW, &settings);
}

/// Returns 0 where the terminal says how many columns and rows it has.
static inline int shim_terminal_size(int terminal, unsigned short *columns, unsigned short *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

#endif
