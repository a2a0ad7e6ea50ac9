# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""The kernel, compiled: what `plain`, `cells` and `strata` do, without the interpreter lock.

A part of a document goes through three steps. `_cut` reads its characters by the table of `characters` and collects
tokens; `_flush` numbers them; `_count` counts them, and pairs them up to n-grams. Each step is a plain loop over the
result of the one before it.
"""

import os
from array import array

cimport cython
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_FromKindAndData
from libc.math cimport fabs
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

from ..tokenizers import rules_of
from ..tokenizers._lengths import LONGEST
from .batch import Batch
from .characters import page
from .plain import check


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    /* Memory, with the wish for huge pages if it is large, as numpy wishes for its arrays: tables are read at random, and
       each small page that is touched first or again costs as much as what is read there. */
    static inline void *hinted(void *memory, size_t size) {
    #ifdef MADV_HUGEPAGE
        if (memory != NULL && size >= 1 << 22) {
            size_t before = -(uintptr_t)memory % 4096;
            madvise((char *)memory + before, size - before, MADV_HUGEPAGE);
        }
    #endif
        return memory;
    }

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

    /* Adds numbers of less than 51 binary digits, times a share, each rounded to the nearest integer, to an even one
       from halfway: next to 1.5 * 2^52 the digits of a double end at the point. */
    static inline void add_rounded(int64_t *restrict sums, const double *restrict values, double share, size_t count) {
        for (size_t i = 0; i < count; i++) {
            double shifted = share * values[i] + 6755399441055744.0;
            int64_t digits;
            memcpy(&digits, &shifted, 8);
            sums[i] += digits - INT64_C(0x4338000000000000);
        }
    }

    /* Numbers less their mean over those of the mask, which is -1 or 0; 0 for the others. Returns the one furthest
       from 0. */
    static inline double centre(
        double *restrict values, const int64_t *restrict numbers, const int64_t *restrict mask, size_t count, size_t some
    ) {
        int64_t total = 0;
        double largest = 0, mean;
        for (size_t i = 0; i < count; i++)
            total += numbers[i] & mask[i];
        mean = (double)total / (double)some;
        for (size_t i = 0; i < count; i++) {
            values[i] = mask[i] ? (double)numbers[i] - mean : 0.0;
            double size = values[i] < 0 ? -values[i] : values[i];
            largest = size > largest ? size : largest;
        }
        return largest;
    }

    #define prefetch __builtin_prefetch
    """
    void add_rounded(int64_t *sums, const double *values, double share, size_t count) nogil
    double centre(double *values, const int64_t *numbers, const int64_t *mask, size_t count, size_t some) nogil
    void *hinted(void *memory, size_t size) nogil
    void prefetch(const void *address) nogil
    uint64_t head_of(const uint8_t *text, size_t size) nogil
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


cdef int fail(object error, str reason) except -1 with gil:
    raise error(reason)


cdef inline void *zeroed(size_t count, size_t size) noexcept nogil:
    return hinted(calloc(count, size), count * size)


cdef void *grown(void *memory, Py_ssize_t *room, Py_ssize_t needed, size_t size) except NULL nogil:
    """The memory, made large enough for so many items of so many bytes."""
    cdef Py_ssize_t wanted = max(needed, 2 * room[0], 64)
    cdef void *larger = realloc(memory, wanted * size)
    if larger == NULL:
        fail(MemoryError, "out of memory")
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


cdef object copied(Ints *ints):
    """A copy as a buffer that Python can read."""
    copy = array("i")
    if ints.used:
        copy.frombytes(<const uint8_t[:ints.used * sizeof(int32_t)]> <const uint8_t *> ints.at)
    return copy


# Strings and n-grams by number: open addressing, at most three quarters full -------------------------------------------

cdef enum:
    AHEAD = 8  # how many terms earlier a term is fetched from memory
    ABSENT = -0x80000000  # no term: neither the number of a word nor ~number of an n-gram


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


cdef struct Word:
    int32_t tag_size  # how many of its bytes are the tag and the colon
    int32_t ending  # number of its text after the tag among the endings, or -1
    int32_t entry  # where it was counted last


cdef struct Gram:
    int32_t prefix  # term of all tokens but the last
    int32_t ending  # number of the last one's text
    int32_t number  # one more than the n-gram's number; 0 if the slot is free
    int32_t entry  # where it was counted last


cdef struct Grams:
    Gram *slots
    size_t mask
    int32_t count


cdef int rehash(Strings *strings, const uint64_t *secret) except -1 nogil:
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


cdef int32_t number_of(
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


cdef void release(Strings *strings) noexcept nogil:
    free(strings.bytes.at)
    free(strings.starts)
    free(strings.slots)


cdef int rehash_grams(Grams *grams, const uint64_t *secret) except -1 nogil:
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


cdef Gram *gram_of(Grams *grams, int32_t prefix, int32_t ending, const uint64_t *secret, bint known) except? NULL nogil:
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


cdef enum State:  # the kind of token that the last characters belong to
    NOTHING, REST, RUN  # no token, a word in a script with spaces, a run in a script without


cdef struct Token:
    Py_ssize_t start
    Py_ssize_t size  # bytes
    Py_ssize_t length  # characters
    uint64_t hash


cdef struct Tokens:
    Token *at
    Py_ssize_t used
    Py_ssize_t room


cdef struct Part:
    const void *text
    Py_ssize_t length
    int kind  # bytes per character
    const uint8_t *tag  # and the colon after it
    Py_ssize_t tag_size


ctypedef fused Unit:
    uint8_t
    uint16_t
    uint32_t


cdef struct Answers:
    Strings stretches  # of text for which the tokenizer was called,
    Bytes tokens  # its results, a newline after each token,
    Ints ends  # and where each result ends


cdef enum:
    PAGES = 0x1100
    WAITING = 1024  # tokens that wait to be numbered
    REMEMBERED = 128  # characters in the longest stretch whose result is cached,
    ANSWERS = 1 << 14  # and the size of the cache

cdef Py_ssize_t LONGEST_TOKEN = LONGEST
cdef const char *MARKER = b"\xe2\x8b\xaf%lld"  # as in _lengths.py


cdef void forget(Answers *answers) noexcept nogil:
    release(&answers.stretches)
    free(answers.tokens.at)
    free(answers.ends.at)
    memset(answers, 0, sizeof(Answers))


cdef inline Py_ssize_t token_end(const uint8_t *text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Where a token of an n-gram ends: at a space, a newline, or the end of the text."""
    while at < size and text[at] != c" " and text[at] != c"\n":
        at += 1
    return at


cdef inline bint is_marker(const uint8_t *token, Py_ssize_t size) noexcept nogil:
    return size > 3 and not memcmp(token, MARKER, 3)


cdef inline Py_ssize_t behind(const uint8_t *text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Where the next character begins; size after the last one, -1 after that."""
    if at < 0 or at >= size:
        return -1
    at += 1
    while at < size and text[at] & 0xC0 == 0x80:
        at += 1
    return at


cdef struct Scan:
    State state
    bint held  # an apostrophe after a word: part of it, if the word continues
    int combining_class  # of the last character
    Py_ssize_t start  # of the word, or of the last character of a run with its marks
    Py_ssize_t length
    Py_ssize_t start_before  # of the character before that one; -1 if the run begins with the last one
    Py_ssize_t length_before


@cython.final
cdef class Indexer:
    """As `plain.Indexer`; see its docstrings."""

    cdef object tokenize, rules
    cdef list kept, texts  # Python objects that C pointers point into
    cdef int ngrams
    cdef bint known
    cdef uint64_t secret[4]
    # Characters
    cdef const Entry *pages[PAGES]
    cdef bint symbols, edges, whole
    cdef Py_ssize_t shortest, longest  # sizes of character n-grams; longest is 0 if words stay whole
    cdef Part *parts
    cdef Py_ssize_t parts_room
    cdef Answers answers[3]  # for texts of 1, 2 and 4 bytes per character
    # Tokens that wait to be numbered, and their text
    cdef Tokens tokens
    cdef Bytes text
    cdef Bytes cut  # < word >
    cdef Bytes name  # the tag of the part and a colon, then a token
    cdef Py_ssize_t tag_size
    # Terms by number
    cdef Strings strings
    cdef Word *about  # each word
    cdef Py_ssize_t about_used, about_room
    cdef Strings endings  # texts of last tokens
    cdef Ints spellings  # of each ending: a word with this text after its tag
    cdef Grams pairs
    # The current part and document, and the batch
    cdef Ints level  # terms of the part: its words, then its pairs of words, and so on
    cdef Ints pieces  # character n-grams of the part, where words are terms too
    cdef Ints lasts  # the ending of each token of the part
    cdef Py_ssize_t first  # entry of the document
    cdef Ints terms
    cdef Ints occurrences

    def __cinit__(self, tokenize, ngrams=1):
        if ngrams < 1:
            raise ValueError(f"ngrams should be at least 1, not {ngrams}")
        self.tokenize, self.ngrams, self.kept = tokenize, ngrams, []
        self.rules = rules_of(tokenize)
        if self.rules is not None:
            self.symbols, self.edges, self.whole = self.rules.symbols, self.rules.edges, self.rules.whole
            if self.rules.sizes:
                self.shortest, self.longest = min(self.rules.sizes), max(self.rules.sizes)
        cdef bytes random = os.urandom(sizeof(self.secret))
        memcpy(self.secret, <const char *> random, sizeof(self.secret))
        self.secret[1] |= 1
        self.secret[3] |= 1
        rehash(&self.strings, self.secret)
        rehash_grams(&self.pairs, self.secret)

    def __dealloc__(self):
        cdef int kind
        release(&self.strings)
        release(&self.endings)
        for kind in range(3):
            forget(&self.answers[kind])
        free(self.pairs.slots)
        free(self.parts)
        free(self.tokens.at)
        free(self.text.at)
        free(self.cut.at)
        free(self.name.at)
        free(self.about)
        free(self.spellings.at)
        free(self.level.at)
        free(self.pieces.at)
        free(self.lasts.at)
        free(self.terms.at)
        free(self.occurrences.at)

    @property
    def word_count(self):
        return self.strings.count

    @property
    def gram_count(self):
        return self.pairs.count

    def words(self):
        cdef Py_ssize_t number, at = 0, size
        if not self.strings.count:
            return b""
        joined = bytearray(self.strings.bytes.used + self.strings.count - 1)
        cdef uint8_t[::1] out = joined
        with nogil:
            for number in range(self.strings.count):
                if number:
                    out[at] = c"\n"
                    at += 1
                size = self.strings.starts[number + 1] - self.strings.starts[number]
                if size:
                    memcpy(&out[at], self.strings.bytes.at + self.strings.starts[number], size)
                at += size
        return bytes(joined)

    def tag_lengths(self):
        lengths = array("i", bytes(4 * self.about_used))
        cdef int32_t[::1] length = lengths
        cdef Py_ssize_t number
        for number in range(self.about_used):
            length[number] = self.about[number].tag_size
        return lengths

    def grams(self):
        prefixes, lasts = array("i", bytes(4 * self.pairs.count)), array("i", bytes(4 * self.pairs.count))
        cdef int32_t[::1] prefix = prefixes, last = lasts
        cdef Gram *slot
        cdef size_t at
        with nogil:
            for at in range(self.pairs.mask + 1):
                slot = &self.pairs.slots[at]
                if slot.number:
                    prefix[slot.number - 1] = slot.prefix
                    last[slot.number - 1] = self.spellings.at[slot.ending]
        return prefixes, lasts

    def add(self, documents, bint known=False):
        cdef Py_ssize_t count = 0, document, part
        cdef list texts = []
        cdef dict tags = {}
        behind = array("q")
        for parts in documents:
            for tag, text in parts:
                if not isinstance(text, str):
                    raise TypeError(f"a text should be a string, not {type(text).__name__}")
                if tag not in tags:
                    tags[tag] = f"{check(tag)}:".encode() if tag else b""
                if count == self.parts_room:
                    self.parts = <Part *> grown(self.parts, &self.parts_room, count + 1, sizeof(Part))
                self.parts[count] = Part(
                    PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), PyUnicode_KIND(text),
                    <const uint8_t *> <const char *> <bytes> tags[tag], len(<bytes> tags[tag]),
                )
                texts.append(text)
                count += 1
            behind.append(count)
        self.texts, self.known = texts, known
        self.terms.used = self.occurrences.used = 0
        cdef int64_t[::1] part_ends = behind
        starts, tokens = array("q", bytes(8 * (len(behind) + 1))), array("q", bytes(8 * len(behind)))
        cdef int64_t[::1] start = starts, total = tokens
        with nogil:
            part = 0
            for document in range(part_ends.shape[0]):
                self.first = self.terms.used
                while part < part_ends[document]:
                    total[document] += self.count_part(part)
                    part += 1
                start[document + 1] = self.terms.used
                if self.terms.used > 0x7FFFFFFF:
                    fail(OverflowError, "more entries in a batch than 32 bits can number")
        self.texts = None
        return Batch(starts, copied(&self.terms), copied(&self.occurrences), tokens)

    def merge(self, bytes words, prefixes, lasts, tag_lengths):
        cdef const int32_t[::1] prefix = prefixes, last = lasts, length = tag_lengths
        cdef Py_ssize_t count = length.shape[0], at, end, word, gram
        cdef const uint8_t *text = <const uint8_t *> <const char *> words
        cdef Py_ssize_t size = len(words)
        if words.count(b"\n") + 1 != max(count, 1) or (words and not count) or prefix.shape[0] != last.shape[0]:
            raise ValueError("words and tag lengths, or prefixes and last words, differ in number")
        word_numbers = array("i", bytes(4 * count))
        gram_numbers = array("i", bytes(4 * prefix.shape[0]))
        cdef int32_t[::1] number = word_numbers, gram_number = gram_numbers  # the latter has endings first
        cdef int32_t term
        with nogil:
            at = 0
            for word in range(count):
                end = at
                while end < size and text[end] != c"\n":
                    end += 1
                if not 0 <= length[word] <= end - at:
                    fail(ValueError, "a tag is longer than its word")
                number[word] = self.word(
                    text + at, end - at, hash_bytes(text + at, end - at, self.secret), length[word], False
                )
                at = end + 1
            for gram in range(prefix.shape[0] + AHEAD):
                if gram < prefix.shape[0]:
                    if not (-gram <= prefix[gram] < count and 0 <= last[gram] < count):
                        fail(ValueError, "an n-gram is made of terms that are not given before it")
                    gram_number[gram] = self.ending(number[last[gram]], length[last[gram]], False)
                    if prefix[gram] >= 0:
                        prefetch_gram(&self.pairs, number[prefix[gram]], gram_number[gram], self.secret)
                at = gram - AHEAD
                if at >= 0:
                    term = number[prefix[at]] if prefix[at] >= 0 else ~gram_number[~prefix[at]]
                    gram_number[at] = gram_of(&self.pairs, term, gram_number[at], self.secret, False).number - 1
        return word_numbers, gram_numbers

    def add_tokens(self, bytes tokens):
        cdef const uint8_t *text = <const uint8_t *> <const char *> tokens
        cdef const uint8_t *first = text
        cdef Py_ssize_t size = len(tokens), first_size = -1, at = 0, place, start
        cdef Py_ssize_t count = tokens.count(b"\n") + 1 if tokens else 0
        terms, endings = array("i", bytes(4 * count)), array("i", bytes(4 * count))
        cdef int32_t[::1] term = terms, ending = endings  # at first without the last token of an n-gram, which is here
        cdef int32_t word = -1, last
        with nogil:
            for place in range(count):
                start, at = at, token_end(text, at, size)
                if at - start != first_size or memcmp(text + start, first, first_size):  # often it is as the one before
                    first, first_size = text + start, at - start
                    word = self.word(first, first_size, hash_bytes(first, first_size, self.secret), 0, False)
                term[place], ending[place] = word, ABSENT
                while at < size and text[at] == c" ":
                    if ending[place] != ABSENT:
                        term[place] = -gram_of(&self.pairs, term[place], ending[place], self.secret, False).number
                    start = at + 1
                    at = token_end(text, start, size)
                    last = self.word(text + start, at - start, hash_bytes(text + start, at - start, self.secret), 0, False)
                    ending[place] = self.ending(last, self.about[last].tag_size, False)
                at += 1
            for place in range(count):
                if place + AHEAD < count and ending[place + AHEAD] != ABSENT:
                    prefetch_gram(&self.pairs, term[place + AHEAD], ending[place + AHEAD], self.secret)
                if ending[place] != ABSENT:
                    term[place] = -gram_of(&self.pairs, term[place], ending[place], self.secret, False).number
        return terms

    # Counting ---------------------------------------------------------------------------------------------------------

    cdef Py_ssize_t count_part(self, Py_ssize_t index) except -1 nogil:
        """Counts the terms of a part, and returns its number of tokens."""
        cdef Part *part = &self.parts[index]
        cdef Py_ssize_t at, total
        cdef int n
        self.name.used = 0
        append(&self.name, part.tag, part.tag_size)
        self.tag_size = part.tag_size
        self.level.used = self.pieces.used = self.tokens.used = self.text.used = 0  # the last part may have failed halfway
        if self.rules is None:
            with gil:
                self.put_tokens(self.tokenize(self.texts[index]))
        elif part.kind == 1:
            self.cut_text(<const uint8_t *> part.text, part.length)
        elif part.kind == 2:
            self.cut_text(<const uint16_t *> part.text, part.length)
        else:
            self.cut_text(<const uint32_t *> part.text, part.length)
        self.flush()
        self.count_words(&self.level)
        self.count_words(&self.pieces)
        total = self.level.used + self.pieces.used
        if self.ngrams > 1 and self.level.used > 1:
            self.find_endings()
            for n in range(2, min(<Py_ssize_t> self.ngrams, self.level.used) + 1):
                self.lengthen(n)
                total += self.level.used
        return total

    cdef int count_words(self, const Ints *words) except -1 nogil:
        """Counts words by their numbers."""
        cdef Py_ssize_t at
        for at in range(words.used):
            if at + AHEAD < words.used:
                prefetch(&self.about[words.at[at + AHEAD]])
            if words.at[at] >= 0:
                self.count(words.at[at], &self.about[words.at[at]].entry)
        return 0

    cdef inline int count(self, int32_t term, int32_t *entry) except -1 nogil:
        """Counts an occurrence of a term; `entry` is where it was counted last, if it was."""
        if self.first <= entry[0] < self.terms.used and self.terms.at[entry[0]] == term:
            self.occurrences.at[entry[0]] += 1
        else:
            entry[0] = <int32_t> self.terms.used
            push(&self.terms, term)
            push(&self.occurrences, 1)
        return 0

    cdef int find_endings(self) except -1 nogil:
        """Fills `lasts` for the words of the part."""
        cdef Py_ssize_t at
        self.lasts.used = 0
        push(&self.lasts, -1)  # the first token is never the last of an n-gram
        for at in range(1, self.level.used):
            push(&self.lasts, self.ending(self.level.at[at], self.tag_size, self.known))
        return 0

    cdef int lengthen(self, int n) except -1 nogil:
        """Makes n-grams of the shorter ones in `level`, and counts them."""
        cdef Py_ssize_t at
        cdef int32_t ending
        cdef Gram *gram
        self.level.used -= 1
        for at in range(self.level.used):
            if at + AHEAD < self.level.used:
                prefetch_gram(&self.pairs, self.level.at[at + AHEAD], self.lasts.at[at + AHEAD + n - 1], self.secret)
            ending = self.lasts.at[at + n - 1]
            gram = NULL
            if ending >= 0 and self.level.at[at] != ABSENT:
                gram = gram_of(&self.pairs, self.level.at[at], ending, self.secret, self.known)
            self.level.at[at] = ABSENT if gram == NULL else -gram.number  # ~(number - 1)
            if gram != NULL:
                self.count(-gram.number, &gram.entry)
        return 0

    # Numbering --------------------------------------------------------------------------------------------------------

    cdef int flush(self) except -1 nogil:
        """Numbers the tokens that wait."""
        cdef Py_ssize_t at
        cdef Token *token
        cdef const uint8_t *name
        cdef Py_ssize_t size
        if not self.longest:
            for at in range(self.tokens.used):  # all are fetched from memory at once, not one after the other
                token = &self.tokens.at[at]
                name = self.named(self.text.at + token.start, token.size, &size)
                token.hash = hash_bytes(name, size, self.secret)
                prefetch(&self.strings.slots[token.hash & self.strings.mask])
        for at in range(self.tokens.used):
            token = &self.tokens.at[at]
            if token.length > LONGEST_TOKEN:
                self.put_marker(token.length)
            elif not self.longest:
                name = self.named(self.text.at + token.start, token.size, &size)
                self.put_name(name, size, token.hash)
            elif not is_marker(self.text.at + token.start, token.size):
                if self.whole:
                    self.put(self.text.at + token.start, token.size)
                self.put_pieces(token)
            else:
                self.put(self.text.at + token.start, token.size)
        self.tokens.used = self.text.used = 0
        return 0

    cdef int put(self, const uint8_t *text, Py_ssize_t size) except -1 nogil:
        """Adds a token to the terms of the part."""
        text = self.named(text, size, &size)
        return self.put_name(text, size, hash_bytes(text, size, self.secret))

    cdef inline const uint8_t *named(self, const uint8_t *text, Py_ssize_t size, Py_ssize_t *whole) except? NULL nogil:
        """A token behind the tag of the part, until the next one is; sets the size of both."""
        whole[0] = size + self.tag_size
        if not self.tag_size:
            return text
        self.name.used = self.tag_size
        append(&self.name, text, size)
        return self.name.at

    cdef inline int put_name(self, const uint8_t *text, Py_ssize_t size, uint64_t hash) except -1 nogil:
        """Adds a token that already has its tag."""
        cdef int32_t number = self.word(text, size, hash, self.tag_size, self.known)
        return push(&self.level, ABSENT if number < 0 else number)

    cdef int put_marker(self, Py_ssize_t length) except -1 nogil:
        """Adds the marker of a token of so many characters."""
        cdef char marker[32]
        cdef long long power = 1
        while power < length:
            power *= 2
        return self.put(<const uint8_t *> marker, snprintf(marker, sizeof(marker), MARKER, power))

    cdef int put_pieces(self, const Token *token) except -1 nogil:
        """Adds the character n-grams of a word; if it is too short for one, the whole word."""
        cdef Py_ssize_t size, left, right, at
        cdef const uint8_t *word
        cdef bint found = False
        self.cut.used = 0
        reserve(&self.cut, token.size + 2)
        if self.edges:
            append(&self.cut, b"<", 1)
        append(&self.cut, self.text.at + token.start, token.size)
        if self.edges:
            append(&self.cut, b">", 1)
        word = self.cut.at
        for size in range(self.shortest, self.longest + 1):
            right = 0
            for at in range(size):
                right = behind(word, right, self.cut.used)
            if right < 0:
                break
            left = 0
            found = True
            while right >= 0:
                self.put_piece(word + left, right - left)
                left = behind(word, left, self.cut.used)
                right = behind(word, right, self.cut.used)
        if not found:
            self.put_piece(word, self.cut.used)
        return 0

    cdef int put_piece(self, const uint8_t *text, Py_ssize_t size) except -1 nogil:
        """Adds a character n-gram: to the terms of the part, or with a mark after it to those beside its words."""
        cdef int32_t number
        if not self.whole:
            return self.put(text, size)
        self.name.used = self.tag_size
        append(&self.name, text, size)
        append(&self.name, <const uint8_t *> MARKER, 3)
        number = self.word(
            self.name.at, self.name.used, hash_bytes(self.name.at, self.name.used, self.secret), self.tag_size, self.known
        )
        return push(&self.pieces, ABSENT if number < 0 else number)

    cdef int32_t word(
        self, const uint8_t *text, Py_ssize_t size, uint64_t hash, Py_ssize_t tag_size, bint known
    ) except -2 nogil:
        """The number of a word with its tag; -1 for a new one if only known ones are wanted."""
        cdef int32_t number = number_of(&self.strings, text, size, hash, self.secret, known)
        if number == self.about_used:
            if number == self.about_room:
                self.about = <Word *> grown(self.about, &self.about_room, number + 1, sizeof(Word))
            self.about[number] = Word(<int32_t> tag_size, -1, 0)
            self.about_used += 1
        return number

    cdef int32_t ending(self, int32_t number, Py_ssize_t tag_size, bint known) except -2 nogil:
        """The number of a word's text behind its tag among the endings; -1 if only known ones are asked for.

        The tag need not be as long as when the word was seen first: "title:win" can be a word of a plain text too.
        """
        cdef const uint8_t *text
        cdef Py_ssize_t size
        cdef int32_t ending
        cdef bint same
        if number < 0:
            return -1
        same = self.about[number].tag_size == tag_size
        if same and self.about[number].ending >= 0:
            return self.about[number].ending
        text = self.strings.bytes.at + self.strings.starts[number] + tag_size
        size = self.strings.starts[number + 1] - self.strings.starts[number] - tag_size
        ending = number_of(&self.endings, text, size, hash_bytes(text, size, self.secret), self.secret, known)
        if ending < 0:
            return -1
        if ending == self.spellings.used:
            push(&self.spellings, number if same else self.stand_in(text, size))
        if same:
            self.about[number].ending = ending
        return ending

    cdef int32_t stand_in(self, const uint8_t *text, Py_ssize_t size) except -2 nogil:
        """The number of a new word that is this text with an empty tag, or without a tag."""
        cdef Bytes name = Bytes(NULL, 0, 0)
        cdef Py_ssize_t colons = 0
        cdef int32_t number
        append(&name, text, size)
        try:
            while True:
                number = self.word(
                    name.at, name.used, hash_bytes(name.at, name.used, self.secret), colons, False
                )
                if self.about[number].tag_size == colons:
                    return number
                colons += 1
                append(&name, b":", 1)
                memmove(name.at + 1, name.at, name.used - 1)
                name.at[0] = c":"
        finally:
            free(name.at)

    # Cutting ----------------------------------------------------------------------------------------------------------

    cdef int cut_text(self, const Unit *text, Py_ssize_t length) except -1 nogil:
        """Collects the tokens of a text."""
        cdef Scan scan = Scan(NOTHING, False, 0, 0, 0, 0, 0)
        cdef Py_ssize_t at = 0, safe = 0  # there is room for the characters before `safe`
        cdef Py_ssize_t stretch = 0, committed = 0, committed_text = 0  # where the current stretch begins, and what was used before it
        cdef const Entry *entry
        cdef int kind
        cdef bint ask
        while at < length:
            if at >= safe:
                safe = min(at + 4096, length)
                reserve(&self.text, 8 * (safe - at) + 8)  # an apostrophe may be written with each
            entry = self.entry_of(text[at])
            kind = entry.kind & KIND
            ask = False
            if kind == WORD:
                self.go_on(&scan)
                while True:
                    self.put_fold(&scan, entry)
                    at += 1
                    if at >= safe:
                        break
                    entry = self.entry_of(text[at])
                    if entry.kind & KIND != WORD:
                        break
                scan.combining_class = 0
                continue
            if kind == SPACE or kind == SEPARATOR:
                self.close(&scan)
                scan.combining_class = 0
                if kind == SPACE:
                    if self.tokens.used >= WAITING:
                        self.flush()
                    stretch, committed, committed_text = at + 1, self.tokens.used, self.text.used
            elif kind == UNSPACED:
                self.begin_unit(&scan)
                self.put_fold(&scan, entry)
                scan.combining_class = 0
            elif kind == MARK or kind == UNSPACED_MARK:
                if entry.combining_class and entry.combining_class < scan.combining_class:
                    ask = True  # not in canonical order
                else:
                    if scan.state != RUN:
                        if kind == MARK:
                            self.go_on(&scan)
                        else:
                            self.begin_unit(&scan)
                    self.put_fold(&scan, entry)
                    scan.combining_class = entry.combining_class
            elif kind == SYMBOL:
                self.close(&scan)
                self.put_symbol(entry)
                scan.combining_class = 0
            elif kind == APOSTROPHE:
                if scan.state == REST and not scan.held:
                    scan.held = True
                else:
                    self.close(&scan)
                    if self.symbols:
                        self.put_symbol(entry)
                scan.combining_class = 0
            elif kind == JOINER:
                ask = at > stretch and (self.entry_of(text[at - 1]).kind & JOINS or self.symbols and text[at] == 0x200D)
            elif kind == ASK:
                ask = True
            at += 1
            if ask:
                while at < length and self.entry_of(text[at]).kind & KIND != SPACE:
                    at += 1
                self.tokens.used, self.text.used = committed, committed_text
                self.ask(text + stretch, at - stretch)
                scan = Scan(NOTHING, False, 0, 0, 0, 0, 0)
                safe = at
        self.close(&scan)
        return 0

    cdef int ask(self, const Unit *text, Py_ssize_t length) except -1 nogil:
        """Adds the tokens of a stretch of text by calling the tokenizer, unless the result is cached."""
        cdef Answers *answers = &self.answers[sizeof(Unit) >> 1]
        cdef const uint8_t *stretch = <const uint8_t *> text
        cdef Py_ssize_t size = length * sizeof(Unit), start, end
        cdef uint64_t hash
        cdef int32_t number
        if length > REMEMBERED:
            return self.ask_tokenizer(sizeof(Unit), stretch, length, NULL)
        hash = hash_bytes(stretch, size, self.secret)
        number = number_of(&answers.stretches, stretch, size, hash, self.secret, True)
        if number < 0:
            if answers.stretches.count == ANSWERS:
                forget(answers)
            self.ask_tokenizer(sizeof(Unit), stretch, length, &answers.tokens)
            push(&answers.ends, <int32_t> answers.tokens.used)
            number = number_of(&answers.stretches, stretch, size, hash, self.secret, False)
        start = end = answers.ends.at[number - 1] if number else 0
        while end < answers.ends.at[number]:
            if answers.tokens.at[end] == c"\n":
                append(&self.text, answers.tokens.at + start, end - start)
                self.put_token(self.text.used - (end - start), 1)
                start = end + 1
            end += 1
        return 0

    cdef int ask_tokenizer(self, int kind, const uint8_t *text, Py_ssize_t length, Bytes *answer) except -1 with gil:
        """Appends the tokens to a result, a newline after each; if there is none, adds them to the waiting tokens."""
        cdef bytes lines
        tokens = self.rules.tokenize(PyUnicode_FromKindAndData(kind, text, length))
        if answer == NULL:
            return self.put_tokens(tokens)
        lines = b"".join([token.encode() + b"\n" for token in tokens])
        return append(answer, <const uint8_t *> <const char *> lines, len(lines))

    cdef inline const Entry *entry_of(self, uint32_t code) except NULL nogil:
        cdef const Entry *page = self.pages[code >> 8]
        if page == NULL:
            page = self.load(code >> 8)
        return &page[code & 0xFF]

    cdef const Entry *load(self, uint32_t number) except NULL with gil:
        """The entries of a page, made when its first character is used."""
        cdef bytes entries = page(self.rules, number)
        self.kept.append(entries)
        self.pages[number] = <const Entry *> <const char *> entries
        return self.pages[number]

    cdef inline void put_fold(self, Scan *scan, const Entry *entry) noexcept nogil:
        memcpy(self.text.at + self.text.used, entry.fold, 4)
        self.text.used += entry.size
        scan.length += entry.length

    cdef int put_token(self, Py_ssize_t start, Py_ssize_t length) except -1 nogil:
        """Adds a token of so many characters: the text from `start` on."""
        if self.tokens.used == self.tokens.room:
            self.tokens.at = <Token *> grown(self.tokens.at, &self.tokens.room, self.tokens.used + 1, sizeof(Token))
        self.tokens.at[self.tokens.used] = Token(start, self.text.used - start, length, 0)
        self.tokens.used += 1
        return 0

    cdef int put_symbol(self, const Entry *entry) except -1 nogil:
        append(&self.text, entry.fold, entry.size)
        return self.put_token(self.text.used - entry.size, entry.length)

    cdef int put_tokens(self, list tokens) except -1:
        """Adds tokens that Python made."""
        cdef Py_ssize_t size
        cdef const char *text
        for token in tokens:
            text = PyUnicode_AsUTF8AndSize(token, &size)
            append(&self.text, <const uint8_t *> text, size)
            self.put_token(self.text.used - size, 1)
        return 0

    cdef inline int go_on(self, Scan *scan) except -1 nogil:
        """Continues a word, or begins one."""
        if scan.state != REST:
            self.close(scan)
            scan.state, scan.start, scan.length = REST, self.text.used, 0
        elif scan.held:
            scan.held = False
            self.text.at[self.text.used] = c"'"
            self.text.used += 1
            scan.length += 1
        return 0

    cdef int begin_unit(self, Scan *scan) except -1 nogil:
        """Begins the next character of a run, or the run."""
        if scan.state == RUN:
            if scan.start_before >= 0:
                self.put_token(scan.start_before, scan.length_before + scan.length)
            scan.start_before, scan.length_before = scan.start, scan.length
        else:
            self.close(scan)
            scan.state, scan.start_before, scan.length_before = RUN, -1, 0
        scan.start, scan.length = self.text.used, 0
        return 0

    cdef int close(self, Scan *scan) except -1 nogil:
        """Ends the word or the run."""
        if scan.state == REST:
            self.put_token(scan.start, scan.length)
        elif scan.state == RUN:
            if scan.start_before >= 0:
                self.put_token(scan.start_before, scan.length_before + scan.length)
            else:
                self.put_token(scan.start, scan.length)
        if scan.held and self.symbols:
            append(&self.text, b"'", 1)
            self.put_token(self.text.used - 1, 1)
        scan.state, scan.held = NOTHING, False
        return 0


# Scoring --------------------------------------------------------------------------------------------------------------

ctypedef fused Term:
    int32_t
    int64_t

ctypedef fused Class:
    int32_t
    int64_t


def score(
    const int64_t[::1] starts,
    const Term[::1] terms,
    const int32_t[::1] occurrences,
    const int64_t[::1] token_starts,
    const Class[::1] classes,
    const int64_t[::1] weights,
    Py_ssize_t class_count,
    int64_t[::1] out,
):
    cdef Py_ssize_t document, entry, cell
    cdef Py_ssize_t tokens = token_starts.shape[0] - 1
    cdef int64_t *sums
    cdef int64_t times
    cdef Term later
    cdef int64_t entries = starts[starts.shape[0] - 1], cells = token_starts[tokens]
    if (
        min(terms.shape[0], occurrences.shape[0]) < entries
        or min(classes.shape[0], weights.shape[0]) < cells
        or out.shape[0] < (starts.shape[0] - 1) * class_count
    ):
        raise IndexError("a buffer is too short")
    with nogil:
        for document in range(starts.shape[0] - 1):
            sums = &out[0] + document * class_count
            for entry in range(starts[document], starts[document + 1]):
                if entry + 2 * AHEAD < entries:
                    later = terms[entry + 2 * AHEAD]
                    if 0 <= later < tokens:
                        prefetch(&token_starts[later])
                    later = terms[entry + AHEAD]
                    if 0 <= later < tokens:
                        prefetch(&classes[token_starts[later]])
                        prefetch(&weights[token_starts[later]])
                if terms[entry] < 0:
                    continue
                if terms[entry] >= tokens:
                    fail(IndexError, "a term has no cells")
                times = occurrences[entry]
                for cell in range(token_starts[terms[entry]], token_starts[terms[entry] + 1]):
                    if not 0 <= classes[cell] < class_count:
                        fail(IndexError, "a cell's class is not below class_count")
                    sums[classes[cell]] += times * weights[cell]


def find_cells(
    const Term[::1] terms,
    const Class[::1] classes,
    const int64_t[::1] token_starts,
    const int32_t[::1] cell_classes,
    int64_t[::1] out,
):
    cdef Py_ssize_t entry, low, high, middle
    cdef Py_ssize_t tokens = token_starts.shape[0] - 1
    if min(classes.shape[0], out.shape[0]) < terms.shape[0] or cell_classes.shape[0] < token_starts[tokens]:
        raise IndexError("a buffer is too short")
    with nogil:
        for entry in range(terms.shape[0]):
            if entry + 2 * AHEAD < terms.shape[0]:  # later cells are fetched: first where those of a token begin
                if 0 <= terms[entry + 2 * AHEAD] < tokens:
                    prefetch(&token_starts[terms[entry + 2 * AHEAD]])
                if 0 <= terms[entry + AHEAD] < tokens:
                    prefetch(&cell_classes[token_starts[terms[entry + AHEAD]]])
            if not 0 <= terms[entry] < tokens:
                fail(IndexError, "a term has no cells")
            low, high = token_starts[terms[entry]], token_starts[terms[entry] + 1]
            while low < high:
                middle = (low + high) >> 1
                if cell_classes[middle] < classes[entry]:
                    low = middle + 1
                else:
                    high = middle
            if low == token_starts[terms[entry] + 1] or cell_classes[low] != classes[entry]:
                fail(IndexError, "a term has no cell of the class")
            out[entry] = low


# Weighted evidence: as `strata`; see its docstrings ---------------------------------------------------------------------

cdef enum:
    WEIGHED = 1 << 22  # numbers that are kept while documents are weighed


cdef struct Token_told:  # all of a token together, as fetching it from memory takes longer than the arithmetic
    int64_t absent
    int64_t cell  # the first of its cells
    int64_t frequency
    int32_t cells
    int32_t kind  # -1 for none


cdef struct Cell_told:
    int64_t weight
    int64_t label


cdef struct Told:  # by all tokens
    Token_told *tokens
    int32_t *kind  # of each, once more: most are asked for nothing else
    Cell_told *cells
    const int64_t *shared
    const int64_t *possible  # -1 or 0
    const int64_t *below
    const double *up
    const double *spreads
    double share
    double unit  # a unit in nats
    Py_ssize_t token_count, kinds, class_count, possible_count, knots, spread_count


cdef struct Heard:  # of a token
    int64_t *weights  # for each class
    double *values  # the evidence for each class, in units
    int64_t strata[4]  # around it
    double shares[4]  # of these


cdef Heard heard_for(Py_ssize_t classes) except *:
    """Room for the evidence of a token; `free` its weights at the end."""
    cdef Heard heard
    memset(&heard, 0, sizeof(Heard))
    heard.weights = <int64_t *> calloc(2 * classes, 8)
    if heard.weights == NULL:
        raise MemoryError
    heard.values = <double *> (heard.weights + classes)
    return heard


cdef inline int64_t kind_of(const Told *told, int32_t term) except -2 nogil:
    """The kind of a token; -1 for none, and for one outside the vocabulary."""
    if term < 0:
        return -1
    if term >= told.token_count:
        fail(IndexError, "a term has no cells")
    return told.kind[term]


@cython.cdivision(True)
cdef void hear(const Told *told, const Token_told *own, Heard *heard) noexcept nogil:
    """Writes down a token's evidence for each class, and the strata that share it."""
    cdef Py_ssize_t c, j
    cdef int64_t first
    cdef int64_t *weights = heard.weights
    cdef const Cell_told *cell
    cdef const int64_t *shared = told.shared + own.kind * told.class_count
    cdef double spread, up, right
    for c in range(told.class_count):
        weights[c] = own.absent + shared[c]
    for c in range(own.cells):
        cell = &told.cells[own.cell + c]
        weights[cell.label] = cell.weight + shared[cell.label]
    spread = centre(heard.values, weights, told.possible, told.class_count, told.possible_count)
    spread = told.share * (spread * told.unit)
    j = 0
    while j < told.spread_count - 2 and spread >= told.spreads[j + 1]:
        j += 1
    right = (spread - told.spreads[j]) / (told.spreads[j + 1] - told.spreads[j])
    right = min(max(right, 0.0), 1.0)
    up = told.up[own.frequency]
    first = own.kind * told.knots + told.below[own.frequency] * told.spread_count + j
    heard.strata[0], heard.strata[1] = first, first + 1
    heard.strata[2], heard.strata[3] = first + told.spread_count, first + told.spread_count + 1
    heard.shares[0], heard.shares[1] = (1 - up) * (1 - right), (1 - up) * right
    heard.shares[2], heard.shares[3] = up * (1 - right), up * right


cdef inline int32_t token_at(const Told *told, const int32_t[::1] terms, Py_ssize_t entry) noexcept nogil:
    """The token of an entry, if there is one: later ones are prefetched, first what points to more, then this."""
    return terms[entry] if entry < terms.shape[0] and terms[entry] < told.token_count else -1


@cython.final
cdef class packed:
    """The evidence of all tokens, in the form in which it is read fastest, without the interpreter lock."""

    cdef object kept
    cdef Told told

    def __cinit__(self, speech):
        cdef const int64_t[::1] starts = speech.starts, weights = speech.weights, absent = speech.absent
        cdef const int64_t[::1] shared = speech.shared.reshape(-1), kinds = speech.kinds
        cdef const int64_t[::1] frequency = speech.frequency, below = speech.below
        cdef const int32_t[::1] classes = speech.classes
        cdef const int64_t[::1] possible = -speech.possible.astype("i8")
        cdef const double[::1] up = speech.up, spreads = speech.spreads
        cdef Py_ssize_t token, cell, tokens = starts.shape[0] - 1, class_count = possible.shape[0]
        cdef Py_ssize_t kind_count = len(speech.shared)
        if (
            min(absent.shape[0], kinds.shape[0], frequency.shape[0]) < tokens
            or min(classes.shape[0], weights.shape[0]) < starts[tokens]
            or min(class_count, spreads.shape[0] - 1) < 1
        ):
            raise IndexError("a buffer is too short")
        self.kept = speech, possible
        self.told = Told(
            <Token_told *> zeroed(tokens + 1, sizeof(Token_told)),
            <int32_t *> zeroed(tokens + 1, sizeof(int32_t)),
            <Cell_told *> zeroed(starts[tokens] + 1, sizeof(Cell_told)),
            &shared[0], &possible[0], &below[0], &up[0], &spreads[0], speech.share, 2.0 ** -speech.fraction,
            tokens, kind_count, class_count, int(speech.possible.sum()), speech.knots, spreads.shape[0],
        )
        if self.told.tokens == NULL or self.told.kind == NULL or self.told.cells == NULL:
            raise MemoryError
        with nogil:
            for token in range(tokens):
                if not -1 <= kinds[token] < kind_count:
                    fail(IndexError, "a token's kind is too large")
                self.told.kind[token] = <int32_t> kinds[token]
                self.told.tokens[token] = Token_told(
                    absent[token], starts[token], frequency[token],
                    <int32_t> (starts[token + 1] - starts[token]), <int32_t> kinds[token],
                )
            for cell in range(starts[tokens]):
                if not 0 <= classes[cell] < class_count:
                    fail(IndexError, "a cell's class is not below class_count")
                self.told.cells[cell] = Cell_told(weights[cell], classes[cell])

    def __dealloc__(self):
        free(self.told.tokens)
        free(self.told.kind)
        free(self.told.cells)


def add_strata(
    const int64_t[::1] starts, const int32_t[::1] terms, packed speech, int64_t[::1] out, int64_t[::1] lengths
):
    cdef const Told *told = &speech.told
    cdef Py_ssize_t document, entry, corner, classes = told.class_count, documents = starts.shape[0] - 1
    cdef Py_ssize_t size = told.kinds * told.knots * classes
    cdef int32_t later
    cdef int64_t *sums
    cdef Heard heard = heard_for(classes)
    try:
        if min(
            terms.shape[0] - starts[documents],
            out.shape[0] - documents * size,
            lengths.shape[0] - documents * told.kinds,
        ) < 0:
            raise IndexError("a buffer is too short")
        with nogil:
            for document in range(documents):
                sums = &out[0] + document * size
                for entry in range(starts[document], starts[document + 1]):
                    later = token_at(told, terms, entry + 2 * AHEAD)
                    if later >= 0:
                        prefetch(&told.tokens[later])
                    later = token_at(told, terms, entry + AHEAD)
                    if later >= 0:
                        prefetch(&told.cells[told.tokens[later].cell])
                    if kind_of(told, terms[entry]) < 0:
                        continue
                    hear(told, &told.tokens[terms[entry]], &heard)
                    lengths[document * told.kinds + told.tokens[terms[entry]].kind] += 1
                    for corner in range(4):
                        if heard.shares[corner]:
                            add_rounded(
                                sums + heard.strata[corner] * classes, heard.values, heard.shares[corner], classes
                            )
    finally:
        free(heard.weights)


@cython.boundscheck(False)
cdef inline void weigh(int64_t *numbers, const Heard *heard, const double[:, ::1] weights, Py_ssize_t classes) noexcept nogil:
    """Writes down a token's evidence for each class times its weight, in whole units."""
    cdef Py_ssize_t c
    cdef double found
    for c in range(classes):
        found = heard.shares[0] * weights[heard.strata[0], c]
        found = found + heard.shares[1] * weights[heard.strata[1], c]
        found = found + heard.shares[2] * weights[heard.strata[2], c]
        found = found + heard.shares[3] * weights[heard.strata[3], c]
        numbers[c] = 0
        add_rounded(numbers + c, heard.values + c, found, 1)


def add_weighted(
    const int64_t[::1] starts,
    const int32_t[::1] terms,
    packed speech,
    const double[:, ::1] weights,
    int64_t[::1] out,
    int64_t[::1] lengths,
):
    cdef const Told *told = &speech.told
    cdef Py_ssize_t document, entry, c, classes = told.class_count, documents = starts.shape[0] - 1
    cdef Py_ssize_t used = 0, room = min(starts[documents], WEIGHED // classes)
    cdef int32_t later
    cdef int64_t kind
    cdef int64_t *sums
    cdef int64_t *own
    cdef Heard heard = heard_for(classes)
    # Most tokens are met again, and have the same numbers then
    cdef int64_t *numbers = <int64_t *> zeroed((room + 1) * classes, 8)
    cdef int32_t *places = <int32_t *> zeroed(told.token_count + 1, 4)  # there; 0 before a token is met, and for the rest
    try:
        if places == NULL or numbers == NULL:
            raise MemoryError
        if min(
            terms.shape[0] - starts[documents],
            out.shape[0] - documents * told.kinds * classes,
            lengths.shape[0] - documents * told.kinds,
            weights.shape[0] - told.kinds * told.knots,
            weights.shape[1] - classes,
        ) < 0:
            raise IndexError("a buffer is too short")
        with nogil:
            for document in range(documents):
                for entry in range(starts[document], starts[document + 1]):
                    later = token_at(told, terms, entry + 3 * AHEAD)
                    if later >= 0:
                        prefetch(&told.kind[later])
                        prefetch(&places[later])
                    later = token_at(told, terms, entry + 2 * AHEAD)
                    if later >= 0:
                        prefetch(&numbers[places[later] * classes] if places[later] else <int64_t *> &told.tokens[later])
                    later = token_at(told, terms, entry + AHEAD)
                    if later >= 0 and not places[later]:
                        prefetch(&told.cells[told.tokens[later].cell])
                    kind = kind_of(told, terms[entry])
                    if kind < 0:
                        continue
                    if not places[terms[entry]]:
                        if used < room:
                            used += 1
                            places[terms[entry]] = <int32_t> used
                        hear(told, &told.tokens[terms[entry]], &heard)
                        weigh(numbers + places[terms[entry]] * classes, &heard, weights, classes)
                    own = numbers + places[terms[entry]] * classes
                    lengths[document * told.kinds + kind] += 1
                    sums = &out[0] + (document * told.kinds + kind) * classes
                    for c in range(classes):
                        sums[c] += own[c]
    finally:
        free(heard.weights)
        free(places)
        free(numbers)


# Cells ----------------------------------------------------------------------------------------------------------------

cdef struct Cell:
    int64_t occurrences
    int64_t frequency
    int32_t label


cdef int find_ends(const int32_t[::1] keys, int64_t[::1] ends) except -1 nogil:
    """Sets where in sorted order the items with each key begin; placing each of them there moves that to their end."""
    cdef Py_ssize_t at, key, count = ends.shape[0] - 1
    ends[:] = 0
    for at in range(keys.shape[0]):
        if not 0 <= keys[at] < count:
            fail(IndexError, "a cell's token or class is too large")
        ends[keys[at] + 1] += 1
    for key in range(count):
        ends[key + 1] += ends[key]
    return 0


def sum_cells(
    Py_ssize_t token_count,
    Py_ssize_t class_count,
    const int32_t[::1] tokens,
    const int32_t[::1] classes,
    const int64_t[::1] occurrences,
    const int64_t[::1] frequency,
):
    import numpy as np

    cdef Py_ssize_t at, token, entries = tokens.shape[0], first = 0, used = 0
    cdef int32_t entry
    if not entries <= min(classes.shape[0], occurrences.shape[0], frequency.shape[0], 0x7FFFFFFF):
        raise IndexError("a buffer is too short, or has more cells than 31 bits can number")
    token_starts = np.zeros(token_count + 2, np.int64)
    labels, sums = np.empty(entries, np.int32), np.empty((2, entries), np.int64)
    cdef int64_t[::1] end = token_starts[1:], class_end = np.empty(class_count + 1, np.int64)
    cdef int32_t[::1] order = labels, label = labels  # the order is not needed any more when labels are written
    cdef int64_t[:, ::1] sum = sums
    cdef size_t size = (entries + 1) * sizeof(Cell)
    cdef Cell *cells = <Cell *> hinted(malloc(size), size)
    if cells == NULL:
        raise MemoryError
    try:
        with nogil:
            find_ends(classes[:entries], class_end)
            for at in range(entries):
                order[class_end[classes[at]]] = <int32_t> at
                class_end[classes[at]] += 1
            find_ends(tokens, end)
            for at in range(entries):  # the values are moved with their cells: reading them later would be slower
                entry = order[at]
                cells[end[tokens[entry]]] = Cell(occurrences[entry], frequency[entry], classes[entry])
                end[tokens[entry]] += 1
            for token in range(token_count):
                for at in range(first, end[token]):
                    if at == first or cells[at].label != label[used - 1]:
                        label[used], sum[0, used], sum[1, used] = cells[at].label, 0, 0
                        used += 1
                    sum[0, used - 1] += cells[at].occurrences
                    sum[1, used - 1] += cells[at].frequency
                first, end[token] = end[token], used
    finally:
        free(cells)
    return token_starts[: token_count + 1], labels[:used].copy(), sums[0, :used].copy(), sums[1, :used].copy()


def sorted_rows(const int32_t[:, ::1] columns, Py_ssize_t count):
    import numpy as np

    cdef Py_ssize_t at, column, rows = columns.shape[1]
    cdef int64_t[::1] end = np.empty(count + 1, np.int64)
    cdef int32_t[::1] order = np.arange(rows, dtype=np.int32), before = np.empty(rows, np.int32)
    with nogil:
        for column in range(columns.shape[0] - 1, -1, -1):  # rows that are equal in it stay in order
            find_ends(columns[column], end)
            order, before = before, order
            for at in range(rows):
                order[end[columns[column, before[at]]]] = before[at]
                end[columns[column, before[at]]] += 1
    return np.asarray(order)


cdef struct Share:  # of one document in a cell
    int32_t label
    int32_t occurrences


cdef inline Py_ssize_t token_of(int32_t term, Py_ssize_t words) noexcept nogil:
    return term if term >= 0 else words + ~term


def count_entries(
    Py_ssize_t words,
    Py_ssize_t grams,
    Py_ssize_t class_count,
    const int64_t[::1] starts,
    const int32_t[::1] terms,
    const int32_t[::1] occurrences,
    const int32_t[::1] classes,
):
    import numpy as np

    cdef Py_ssize_t document, at, entry, token, tokens = words + grams, documents = classes.shape[0], first = 0, used = 0
    if starts.shape[0] <= documents or min(terms.shape[0], occurrences.shape[0]) < starts[documents]:
        raise IndexError("a buffer is too short")
    token_starts = np.zeros(tokens + 2, np.int64)
    cdef int64_t[::1] end = token_starts[1:], class_end = np.empty(class_count + 1, np.int64), start, sum, frequency
    cdef int32_t[::1] order = np.empty(documents, np.int32), label
    cdef size_t size = (starts[documents] + 1) * sizeof(Share)
    cdef Share *shares = <Share *> hinted(malloc(size), size)
    if shares == NULL:
        raise MemoryError
    start = token_starts
    try:
        with nogil:
            find_ends(classes, class_end)
            for document in range(documents):
                order[class_end[classes[document]]] = <int32_t> document
                class_end[classes[document]] += 1
            for entry in range(starts[documents]):
                if not -grams <= terms[entry] < words:
                    fail(IndexError, "a term is too large")
                end[token_of(terms[entry], words) + 1] += 1
            for token in range(tokens):
                end[token + 1] += end[token]
            for at in range(documents):  # by their classes
                document = order[at]
                for entry in range(starts[document], starts[document + 1]):
                    token = token_of(terms[entry], words)
                    shares[end[token]] = Share(classes[document], occurrences[entry])
                    end[token] += 1
            for token in range(tokens):
                for at in range(start[token], end[token]):
                    used += at == start[token] or shares[at].label != shares[at - 1].label
        labels, sums, frequencies = np.empty(used, np.int32), np.zeros(used, np.int64), np.zeros(used, np.int64)
        label, sum, frequency = labels, sums, frequencies
        used = 0
        with nogil:
            for token in range(tokens):
                for at in range(first, end[token]):
                    if at == first or shares[at].label != label[used - 1]:
                        label[used] = shares[at].label
                        used += 1
                    sum[used - 1] += shares[at].occurrences
                    frequency[used - 1] += 1
                first, end[token] = end[token], used
    finally:
        free(shares)
    return token_starts[: tokens + 1], labels, sums, frequencies


def subtract_entries(
    const int64_t[::1] token_starts,
    const int32_t[::1] classes,
    const int64_t[::1] occurrences,
    const int64_t[::1] frequency,
    const int64_t[::1] cells,
    const int32_t[::1] times,
):
    import numpy as np

    cdef Py_ssize_t entry, cell, token, used = 0, count = token_starts[token_starts.shape[0] - 1]
    if times.shape[0] < cells.shape[0] or min(classes.shape[0], occurrences.shape[0], frequency.shape[0]) < count:
        raise IndexError("a buffer is too short")
    starts, labels, sums = np.zeros(token_starts.shape[0], np.int64), np.empty(count, np.int32), np.empty((2, count), np.int64)
    cdef int64_t[::1] start = starts
    cdef int32_t[::1] label = labels
    cdef int64_t[:, ::1] sum = sums
    with nogil:
        sum[0, :] = occurrences[:count]
        sum[1, :] = frequency[:count]
        for entry in range(cells.shape[0]):
            if entry + AHEAD < cells.shape[0] and 0 <= cells[entry + AHEAD] < count:
                prefetch(&sum[0, cells[entry + AHEAD]])
                prefetch(&sum[1, cells[entry + AHEAD]])
            if not 0 <= cells[entry] < count:
                fail(IndexError, "there is no such cell")
            sum[0, cells[entry]] -= times[entry]
            sum[1, cells[entry]] -= 1
        for token in range(token_starts.shape[0] - 1):
            for cell in range(token_starts[token], token_starts[token + 1]):
                if sum[1, cell] > 0:
                    label[used], sum[0, used], sum[1, used] = classes[cell], sum[0, cell], sum[1, cell]
                    used += 1
            start[token + 1] = used
    return starts, labels[:used], sums[0, :used], sums[1, :used]


# Texts ----------------------------------------------------------------------------------------------------------------

def spelled(
    const uint8_t[::1] text, const int64_t[::1] edges, const int32_t[::1] tag_lengths, const int32_t[:, ::1] rows
):
    cdef Bytes out = Bytes(NULL, 0, 0)
    cdef Py_ssize_t row, column, count = tag_lengths.shape[0]
    cdef int64_t start, size
    cdef int32_t word
    if edges.shape[0] != count + 1 or edges[count] > text.shape[0]:
        raise IndexError("a buffer is too short")
    try:
        with nogil:
            for row in range(rows.shape[0]):
                for column in range(rows.shape[1]):
                    word = rows[row, column]
                    if word < 0 and column:
                        break
                    if not 0 <= word < count:
                        fail(IndexError, "no word has this number")
                    start = edges[word]
                    if column:
                        out.at[out.used - 1] = c" "
                        start += tag_lengths[word]
                    size = edges[word + 1] - start
                    append(&out, &text[start], size)
        return out.at[:out.used] if out.used else b""
    finally:
        free(out.at)


def find_lines(const uint8_t[::1] text, const uint8_t[::1] wanted):
    import numpy as np

    cdef Ints found = Ints(NULL, 0, 0)
    cdef Py_ssize_t at = 0, end, place = 0, want = 0, after
    cdef int order
    try:
        with nogil:
            while at < text.shape[0] and want < wanted.shape[0]:
                end, after = line_end(text, at), line_end(wanted, want)
                order = memcmp(&text[at], &wanted[want], min(end - at, after - want))  # the newline sorts as an end does
                if not order:
                    push(&found, <int32_t> place)
                if order <= 0:
                    at = end
                    place += 1
                if order >= 0:
                    want = after
        return np.array(<int32_t[:found.used]> found.at if found.used else [], np.int64)
    finally:
        free(found.at)


def are_tokens(bytes text):
    cdef const uint8_t[::1] line = text
    cdef const uint8_t *character
    cdef Py_ssize_t before = -1, at = 0, end, place
    cdef bint possible = True
    with nogil:
        while at < line.shape[0] and possible:
            end = line_end(line, at)
            possible = end > at + 1 and (before < 0 or memcmp(&line[before], &line[at], min(at - before, end - at)) < 0)
            for place in range(at, end - 1):
                character = &line[place]
                if character[0] < 0x20 or character[0] == 0x7F or character[0] == 0xC2 and character[1] < 0xA0:
                    possible = False
            before, at = at, end
    return possible


cdef inline Py_ssize_t line_end(const uint8_t[::1] text, Py_ssize_t at) except -1 nogil:
    """Where the line that begins there ends, with its newline."""
    cdef const void *newline = memchr(&text[at], c"\n", text.shape[0] - at)
    if newline == NULL:
        fail(ValueError, "a line without a newline")
    return <const uint8_t *> newline - &text[0] + 1


# Rows of a model file -------------------------------------------------------------------------------------------------

cdef int put_number(Bytes *line, int64_t number, uint8_t end) except -1 nogil:
    """Appends the decimal digits of a number that is not negative, and a character after them."""
    cdef uint8_t digits[20]
    cdef int at = 20
    if number < 0:
        fail(ValueError, "a count is negative")
    while True:
        at -= 1
        digits[at] = <uint8_t> (c"0" + number % 10)
        number = number // 10
        if not number:
            break
    append(line, &digits[at], 20 - at)
    return append(line, &end, 1)


@cython.cdivision(True)
cdef int64_t number_at(const uint8_t **text) except -1 nogil:
    """The number that begins there; `text` moves behind its digits."""
    cdef int64_t number = 0
    cdef int digit = text[0][0] - c"0"
    if not 0 <= digit <= 9:
        fail(ValueError, "counts that are not numbers in threes")
    while 0 <= digit <= 9:
        if number > (INT64_MAX - digit) // 10:
            fail(ValueError, "a count that is too large")
        number = 10 * number + digit
        text[0] += 1
        digit = text[0][0] - c"0"
    return number


cdef inline int64_t number_before_comma(const uint8_t **text) except -1 nogil:
    cdef int64_t number = number_at(text)
    if text[0][0] != c",":
        fail(ValueError, "counts that are not numbers in threes")
    text[0] += 1
    return number


def read_rows(bytes text, const int64_t[::1] documents):
    import numpy as np

    cdef const uint8_t *at = text
    cdef Py_ssize_t cell = 0, token = 0, tokens = text.count(b"\n"), cells = (text.count(b",") + tokens) // 3
    cdef int64_t last = -1, index
    token_starts, classes = np.zeros(tokens + 1, np.int64), np.empty(cells, np.int32)
    occurrences, frequencies = np.empty(cells, np.int64), np.empty(cells, np.int64)
    cdef int64_t[::1] start = token_starts, times = occurrences, frequency = frequencies
    cdef int32_t[::1] label = classes
    if text and not text.endswith(b"\n"):
        raise ValueError("counts without a newline at the end")
    with nogil:
        while token < tokens:
            if cell == cells:
                fail(ValueError, "counts that are not numbers in threes")
            index = number_before_comma(&at)
            times[cell] = number_before_comma(&at)
            frequency[cell] = number_at(&at)
            if not last < index < documents.shape[0] or not 0 < frequency[cell] <= min(times[cell], documents[index]):
                fail(ValueError, "counts that are impossible")
            label[cell] = <int32_t> index
            last = index
            cell += 1
            if at[0] == c"\n":
                token += 1
                start[token] = cell
                last = -1
            elif at[0] != c",":
                fail(ValueError, "counts that are not numbers in threes")
            at += 1
    return token_starts, classes, occurrences, frequencies


def row_lines(
    const int64_t[::1] token_starts,
    const int32_t[::1] classes,
    const int64_t[::1] occurrences,
    const int64_t[::1] frequency,
):
    cdef Bytes lines = Bytes(NULL, 0, 0)
    cdef Py_ssize_t token, cell, tokens = token_starts.shape[0] - 1
    if min(classes.shape[0], occurrences.shape[0], frequency.shape[0]) < token_starts[tokens]:
        raise IndexError("a buffer is too short")
    try:
        with nogil:
            for token in range(tokens):
                for cell in range(token_starts[token], token_starts[token + 1]):
                    put_number(&lines, classes[cell], c",")
                    put_number(&lines, occurrences[cell], c",")
                    put_number(&lines, frequency[cell], c"," if cell + 1 < token_starts[token + 1] else c"\n")
                if token_starts[token] == token_starts[token + 1]:
                    append(&lines, <const uint8_t *> b"\n", 1)
        return lines.at[:lines.used].decode("ascii") if lines.used else ""
    finally:
        free(lines.at)
