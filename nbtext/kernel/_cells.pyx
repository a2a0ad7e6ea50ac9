# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""Counts as cells, and scores, compiled: what `cells` does, without the interpreter lock."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from .memory cimport AHEAD, fail, hinted, prefetch

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
    cdef int64_t[::1] end = token_starts[1:], start = token_starts, sum, frequency
    cdef int32_t[::1] order = sorted_rows(np.asarray(classes)[None], class_count), label
    cdef size_t size = (starts[documents] + 1) * sizeof(Share)
    cdef Share *shares = <Share *> hinted(malloc(size), size)
    if shares == NULL:
        raise MemoryError
    try:
        with nogil:
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
