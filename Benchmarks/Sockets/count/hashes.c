/// Stands before Swift's standard library, where it is a library of its own (LD_PRELOAD), and counts keys that are hashed:
/// each look-up in a dictionary or a set hashes one.

#include <dlfcn.h>

#include "counts.h"

// Hasher._hash(seed:_:), for all that is one word.
int64_t hash_word(int64_t seed, uint64_t word) __asm__("$ss6HasherV5_hash4seed_S2i_s6UInt64VtFZ");
// Hasher._hash(seed:bytes:count:), for less.
int64_t hash_bytes(int64_t seed, uint64_t bytes, int64_t size) __asm__("$ss6HasherV5_hash4seed5bytes5countS2i_s6UInt64VSitFZ");

static int64_t (*real_word)(int64_t, uint64_t);
static int64_t (*real_bytes)(int64_t, uint64_t, int64_t);

int64_t hash_word(int64_t seed, uint64_t word) {
    if (!real_word) *(void **)&real_word = dlsym(RTLD_NEXT, "$ss6HasherV5_hash4seed_S2i_s6UInt64VtFZ");
    count(hashes);
    return real_word(seed, word);
}

int64_t hash_bytes(int64_t seed, uint64_t bytes, int64_t size) {
    if (!real_bytes) *(void **)&real_bytes = dlsym(RTLD_NEXT, "$ss6HasherV5_hash4seed5bytes5countS2i_s6UInt64VSitFZ");
    count(hashes);
    return real_bytes(seed, bytes, size);
}

#ifdef __x86_64__
// Hasher.init(_seed:), with which all that is longer begins, texts too. It gives a structure back as only Swift does, so
// nothing but a register that calls need not keep may be touched on the way.
static void *real_seed __attribute__((used));

__attribute__((constructor)) static void begin(void) { real_seed = dlsym(RTLD_NEXT, "$ss6HasherV5_seedABSi_tcfC"); }

__asm__(
    ".text\n"
    ".globl \"$ss6HasherV5_seedABSi_tcfC\"\n"
    ".type \"$ss6HasherV5_seedABSi_tcfC\", @function\n"
    "\"$ss6HasherV5_seedABSi_tcfC\":\n"
    "    movq counts@GOTPCREL(%rip), %r11\n"
    "    movq (%r11), %r11\n"
    "    lock incq 24(%r11)\n"
    "    jmp *real_seed(%rip)\n");

_Static_assert(hashes == 3, "The place of hashes is written in the lines above.");
#endif
