/// What is counted in a server that is measured, in the file that COUNTS names: numbers of 64 bits in this order.

#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum counted { compressions, raw_streams, allocations, hashes, counted_things };

/// The numbers; somewhere else until the file is open, or if there is none.
extern _Atomic uint64_t *counts;

static inline void count(enum counted thing) { atomic_fetch_add_explicit(&counts[thing], 1, memory_order_relaxed); }
