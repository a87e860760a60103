#pragma once
#include <stddef.h>

/// The bytes of heap that this process has in use. Swift imports neither mallinfo2(3) nor its result from Glibc.
size_t heap_in_use(void);
