# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""Weighted evidence of many documents, compiled: what `strata` does, without the interpreter lock."""

cimport cython
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from .memory cimport AHEAD, fail, prefetch, zeroed


cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

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
    """
    void add_rounded(int64_t *sums, const double *values, double share, size_t count) nogil
    double centre(double *values, const int64_t *numbers, const int64_t *mask, size_t count, size_t some) nogil


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
