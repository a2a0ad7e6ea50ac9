# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""Tokens and their counts as lines of text, compiled: what `lines` does, without the interpreter lock."""

cimport cython
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp

from .memory cimport Bytes, Ints, append, fail, push


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
