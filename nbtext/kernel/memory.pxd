"""What the compiled modules share: memory that grows, memory fetched ahead of its use, and errors without the lock."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, realloc
from libc.string cimport memcpy


cdef extern from *:
    """
    #include <stdint.h>
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

    #define prefetch __builtin_prefetch
    """
    void *hinted(void *memory, size_t size) nogil
    void prefetch(const void *address) nogil


cdef enum:
    AHEAD = 8  # how many terms earlier a term is fetched from memory


cdef struct Ints:
    int32_t *at
    Py_ssize_t used
    Py_ssize_t room


cdef struct Bytes:
    uint8_t *at
    Py_ssize_t used
    Py_ssize_t room


cdef inline int fail(object error, str reason) except -1 with gil:
    raise error(reason)


cdef inline void *zeroed(size_t count, size_t size) noexcept nogil:
    return hinted(calloc(count, size), count * size)


cdef inline void *grown(void *memory, Py_ssize_t *room, Py_ssize_t needed, size_t size) except NULL nogil:
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
