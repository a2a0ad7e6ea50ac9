"""Strings and n-grams by number: hash tables with open addressing, at most three quarters full."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp

from .memory cimport Bytes, append, fail, grown, prefetch, zeroed


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* A keyed hash: words are multiplied by a secret and the 128-bit product folded. Who does not know the secret
       cannot choose texts whose tokens collide. */
    static inline uint64_t folded_product(uint64_t a, uint64_t b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }

    /* Up to 8 bytes at the beginning of a string. Strings of one size up to 8 are equal if their heads are. */
    static inline uint64_t head_of(const uint8_t *text, size_t size) {
        uint64_t head;
        uint32_t first, last;
        if (size >= 8) {
            memcpy(&head, text, 8);
            return head;
        }
        if (size >= 4) {
            memcpy(&first, text, 4);
            memcpy(&last, text + size - 4, 4);
            return (uint64_t)first << 32 | last;
        }
        return size ? (uint64_t)text[0] << 16 | (uint64_t)text[size / 2] << 8 | text[size - 1] : 0;
    }

    static inline uint64_t hash_bytes(const uint8_t *text, size_t size, const uint64_t *secret) {
        uint64_t hash = secret[0] ^ size;
        for (; size > 8; text += 8, size -= 8)
            hash = folded_product(hash ^ head_of(text, 8), secret[1]);
        hash = folded_product(hash ^ head_of(text, size), secret[1]);
        return folded_product(hash ^ secret[2], secret[3]);
    }

    static inline uint64_t hash_pair(uint32_t first, uint32_t second, const uint64_t *secret) {
        uint64_t word = (uint64_t)first << 32 | second;
        return folded_product(folded_product(word ^ secret[0], secret[1]) ^ secret[2], secret[3]);
    }
    """
    uint64_t head_of(const uint8_t *text, size_t size) nogil
    uint64_t hash_bytes(const uint8_t *text, size_t size, const uint64_t *secret) nogil
    uint64_t hash_pair(uint32_t first, uint32_t second, const uint64_t *secret) nogil


cdef struct Slot:
    uint64_t head  # the string itself, if it has up to 8 bytes
    uint32_t check  # 24 bits of its hash, and its size up to 255: equal for equal strings
    int32_t number  # one more than the string's number; 0 if the slot is free


cdef struct Strings:
    Bytes bytes
    int64_t *starts  # one more than strings
    Py_ssize_t room
    Slot *slots
    size_t mask
    int32_t count


cdef struct Gram:
    int32_t prefix  # term of all tokens but the last
    int32_t ending  # number of the last one's text
    int32_t number  # one more than the n-gram's number; 0 if the slot is free
    int32_t entry  # where it was counted last


cdef struct Grams:
    Gram *slots
    size_t mask
    int32_t count


cdef inline int rehash(Strings *strings, const uint64_t *secret) except -1 nogil:
    cdef size_t mask = max(2 * strings.mask + 1, 1023), old, new
    cdef Slot *slots = <Slot *> zeroed(mask + 1, sizeof(Slot))
    cdef int32_t number
    cdef int64_t start
    if slots == NULL:
        fail(MemoryError, "out of memory")
    if strings.slots != NULL:
        for old in range(strings.mask + 1):
            number = strings.slots[old].number
            if number:
                start = strings.starts[number - 1]
                new = hash_bytes(strings.bytes.at + start, strings.starts[number] - start, secret) & mask
                while slots[new].number:
                    new = (new + 1) & mask
                slots[new] = strings.slots[old]
    free(strings.slots)
    strings.slots, strings.mask = slots, mask
    return 0


cdef inline int32_t number_of(
    Strings *strings, const uint8_t *text, Py_ssize_t size, uint64_t hash, const uint64_t *secret, bint known
) except -2 nogil:
    """The number of a string with this hash; a new string gets the next one, or -1 if only known ones are wanted."""
    cdef uint64_t head = head_of(text, size)
    cdef uint32_t check = <uint32_t> (hash >> 40 << 8) | <uint32_t> min(size, 255)
    cdef int64_t start
    cdef int32_t number
    cdef size_t at
    cdef Slot *slot
    if 4 * <size_t> strings.count >= 3 * strings.mask:
        rehash(strings, secret)
    at = hash & strings.mask
    slot = &strings.slots[at]
    while slot.number:
        if slot.head == head and slot.check == check:
            number = slot.number - 1
            if size <= 8:
                return number
            start = strings.starts[number]
            if strings.starts[number + 1] - start == size and not memcmp(strings.bytes.at + start, text, size):
                return number
        at = (at + 1) & strings.mask
        slot = &strings.slots[at]
    if known:
        return -1
    number = strings.count
    if number >= 0x7FFFFFFE:
        fail(OverflowError, "more terms than 32 bits can number")
    if number + 2 > strings.room:
        strings.starts = <int64_t *> grown(strings.starts, &strings.room, number + 2, sizeof(int64_t))
        strings.starts[0] = 0
    append(&strings.bytes, text, size)
    strings.starts[number + 1] = strings.bytes.used
    slot.head, slot.check, slot.number = head, check, number + 1
    strings.count = number + 1
    return number


cdef inline void release(Strings *strings) noexcept nogil:
    free(strings.bytes.at)
    free(strings.starts)
    free(strings.slots)


cdef inline int rehash_grams(Grams *grams, const uint64_t *secret) except -1 nogil:
    cdef size_t mask = max(2 * grams.mask + 1, 1023), old, new
    cdef Gram *slots = <Gram *> zeroed(mask + 1, sizeof(Gram))
    cdef Gram *slot
    if slots == NULL:
        fail(MemoryError, "out of memory")
    if grams.slots != NULL:
        for old in range(grams.mask + 1):
            slot = &grams.slots[old]
            if slot.number:
                new = hash_pair(slot.prefix, slot.ending, secret) & mask
                while slots[new].number:
                    new = (new + 1) & mask
                slots[new] = slot[0]
    free(grams.slots)
    grams.slots, grams.mask = slots, mask
    return 0


cdef inline Gram *gram_of(
    Grams *grams, int32_t prefix, int32_t ending, const uint64_t *secret, bint known
) except? NULL nogil:
    """The n-gram; if there is none yet, a new one, or NULL if only known ones are wanted."""
    cdef Gram *slot
    cdef size_t at
    if 4 * <size_t> grams.count >= 3 * grams.mask:
        rehash_grams(grams, secret)
    at = hash_pair(prefix, ending, secret) & grams.mask
    slot = &grams.slots[at]
    while slot.number:
        if slot.prefix == prefix and slot.ending == ending:
            return slot
        at = (at + 1) & grams.mask
        slot = &grams.slots[at]
    if known:
        return NULL
    if grams.count >= 0x7FFFFFFE:
        fail(OverflowError, "more terms than 32 bits can number")
    grams.count += 1
    slot.prefix, slot.ending, slot.number = prefix, ending, grams.count
    return slot


cdef inline void prefetch_gram(
    const Grams *grams, int32_t prefix, int32_t ending, const uint64_t *secret
) noexcept nogil:
    """Prefetches the slot of an n-gram from memory, which takes longer than the look-up itself."""
    prefetch(&grams.slots[hash_pair(prefix, ending, secret) & grams.mask])
