# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""The kernel, compiled: what `plain` does, without the interpreter lock.

A part of a document goes through three steps. `_cut` reads its characters by the table of `characters` and collects
tokens; `_flush` numbers them; `_count` counts them, and pairs them up to n-grams. Each step is a plain loop over the
result of the one before it.
"""

import os
from array import array

from cpython.buffer cimport PyBUF_SIMPLE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_FromKindAndData
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy

from ..tokenizers import rules_of
from ..tokenizers._lengths import LONGEST, marker
from .batch import Batch
from .characters import page
from .plain import check


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

    static inline uint64_t hash_bytes(const uint8_t *text, size_t size, const uint64_t *secret) {
        uint64_t hash = secret[0] ^ size, word;
        uint32_t first, last;
        for (; size > 8; text += 8, size -= 8) {
            memcpy(&word, text, 8);
            hash = folded_product(hash ^ word, secret[1]);
        }
        if (size >= 4) {  /* 4 to 8 bytes, as two words that may overlap */
            memcpy(&first, text, 4);
            memcpy(&last, text + size - 4, 4);
            word = (uint64_t)first << 32 | last;
        } else if (size) {
            word = (uint64_t)text[0] << 16 | (uint64_t)text[size / 2] << 8 | text[size - 1];
        } else {
            word = 0;
        }
        return folded_product(folded_product(hash ^ word, secret[1]) ^ secret[2], secret[3]);
    }

    static inline uint64_t hash_pair(uint32_t first, uint32_t second, const uint64_t *secret) {
        uint64_t word = (uint64_t)first << 32 | second;
        return folded_product(folded_product(word ^ secret[0], secret[1]) ^ secret[2], secret[3]);
    }
    """
    uint64_t hash_bytes(const uint8_t *text, size_t size, const uint64_t *secret) nogil
    uint64_t hash_pair(uint32_t first, uint32_t second, const uint64_t *secret) nogil
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


# Memory that grows ----------------------------------------------------------------------------------------------------

cdef struct Ints:
    int32_t *at
    Py_ssize_t used
    Py_ssize_t room


cdef struct Bytes:
    uint8_t *at
    Py_ssize_t used
    Py_ssize_t room


cdef void *grown(void *memory, Py_ssize_t *room, Py_ssize_t needed, size_t size) except NULL nogil:
    """The memory, made large enough for so many items of so many bytes."""
    cdef Py_ssize_t wanted = max(needed, 2 * room[0], 64)
    cdef void *larger = realloc(memory, wanted * size)
    if larger == NULL:
        raise MemoryError
    room[0] = wanted
    return larger


cdef inline int reserve(Bytes *bytes, Py_ssize_t more) except -1 nogil:
    if bytes.used + more > bytes.room:
        bytes.at = <uint8_t *> grown(bytes.at, &bytes.room, bytes.used + more, 1)
    return 0


cdef inline int append(Bytes *bytes, const uint8_t *text, Py_ssize_t size) except -1 nogil:
    reserve(bytes, size)
    memcpy(bytes.at + bytes.used, text, size)
    bytes.used += size
    return 0


cdef inline int push(Ints *ints, int32_t value) except -1 nogil:
    if ints.used == ints.room:
        ints.at = <int32_t *> grown(ints.at, &ints.room, ints.used + 1, sizeof(int32_t))
    ints.at[ints.used] = value
    ints.used += 1
    return 0


cdef object int32s(Ints *ints):
    """A copy as a buffer that Python can read."""
    copy = array("i")
    if ints.used:
        copy.frombytes(<const uint8_t[:ints.used * sizeof(int32_t)]> <const uint8_t *> ints.at)
    return copy


# Strings and n-grams by number: open addressing, at most three quarters full -------------------------------------------

cdef enum:
    ABSENT = -0x80000000  # no term: neither a word's number nor ~ that of an n-gram


cdef struct Slot:
    uint32_t hash  # its lowest bits say where the slot should be
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


cdef int rehash(Strings *strings) except -1 nogil:
    cdef size_t mask = max(2 * strings.mask + 1, 1023), old, new
    cdef Slot *slots = <Slot *> calloc(mask + 1, sizeof(Slot))
    if slots == NULL:
        raise MemoryError
    if strings.slots != NULL:
        for old in range(strings.mask + 1):
            if strings.slots[old].number:
                new = strings.slots[old].hash & mask
                while slots[new].number:
                    new = (new + 1) & mask
                slots[new] = strings.slots[old]
    free(strings.slots)
    strings.slots, strings.mask = slots, mask
    return 0


cdef int32_t number_of(
    Strings *strings, const uint8_t *text, Py_ssize_t size, const uint64_t *secret, bint known
) except -2 nogil:
    """The number of a string; if it has none, the next one, or -1 if only known ones are asked for."""
    cdef uint32_t hash
    cdef int64_t start
    cdef int32_t number
    cdef size_t at
    if 4 * <size_t> strings.count >= 3 * strings.mask:
        rehash(strings)
    hash = <uint32_t> hash_bytes(text, size, secret)
    at = hash & strings.mask
    while strings.slots[at].number:
        if strings.slots[at].hash == hash:
            number = strings.slots[at].number - 1
            start = strings.starts[number]
            if strings.starts[number + 1] - start == size and not memcmp(strings.bytes.at + start, text, size):
                return number
        at = (at + 1) & strings.mask
    if known:
        return -1
    number = strings.count
    if number >= 0x7FFFFFFE:
        raise OverflowError("more terms than 32 bits can number")
    if number + 2 > strings.room:
        strings.starts = <int64_t *> grown(strings.starts, &strings.room, number + 2, sizeof(int64_t))
        strings.starts[0] = 0
    append(&strings.bytes, text, size)
    strings.starts[number + 1] = strings.bytes.used
    strings.slots[at].hash, strings.slots[at].number = hash, number + 1
    strings.count = number + 1
    return number


cdef void release(Strings *strings) noexcept:
    free(strings.bytes.at)
    free(strings.starts)
    free(strings.slots)


cdef int rehash_grams(Grams *grams, const uint64_t *secret) except -1 nogil:
    cdef size_t mask = max(2 * grams.mask + 1, 1023), old, new
    cdef Gram *slots = <Gram *> calloc(mask + 1, sizeof(Gram))
    cdef Gram *slot
    if slots == NULL:
        raise MemoryError
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


cdef Gram *gram_of(Grams *grams, int32_t prefix, int32_t ending, const uint64_t *secret, bint known) except? NULL nogil:
    """The n-gram; if there is none yet, a new one, or NULL if only known ones are asked for."""
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
        raise OverflowError("more terms than 32 bits can number")
    grams.count += 1
    slot.prefix, slot.ending, slot.number = prefix, ending, grams.count
    return slot


# Characters -----------------------------------------------------------------------------------------------------------

cdef enum Kind:  # as in characters.py
    SEPARATOR, SPACE, WORD, MARK, UNSPACED, UNSPACED_MARK, SYMBOL, IGNORABLE, JOINER, APOSTROPHE, ASK
    KIND = 15
    JOINS = 16


cdef struct Entry:
    uint8_t fold[4]
    uint8_t size
    uint8_t length
    uint8_t kind
    uint8_t combining_class


cdef enum State:  # what the characters just read belong to
    NOTHING, REST, RUN  # no token, a word in a script with spaces, a run in a script without


cdef struct Token:
    Py_ssize_t start
    Py_ssize_t size  # bytes
    Py_ssize_t length  # characters


cdef struct Tokens:
    Token *at
    Py_ssize_t used
    Py_ssize_t room


cdef struct Part:
    const void *text
    Py_ssize_t length
    int kind  # bytes a character
    int tag


ctypedef fused Unit:
    uint8_t
    uint16_t
    uint32_t


cdef enum:
    PAGES = 0x1100
    WAITING = 4096  # tokens that wait to be numbered

cdef Py_ssize_t LONGEST_TOKEN = LONGEST
