// The files of the page, as Scripts/bundle has made them.
#ifndef REFRESHABLE_CPAGE_PAGE_H
#define REFRESHABLE_CPAGE_PAGE_H

#include <stddef.h>

struct page_file {
    /// At which a browser asks for it, without a slash before it.
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

/// Sorted by path.
extern const struct page_file *const page_files;
extern const size_t page_file_count;

#endif
