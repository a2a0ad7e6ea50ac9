# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""The Indexer, compiled: what `indexer` does, without the interpreter lock.

A part of a document goes through three steps. `cut_text` reads its characters by the table of `characters` and collects
tokens; `flush` numbers them; `count_words` and `lengthen` count them, and pair them up to n-grams. Each step is a plain
loop over the result of the one before it.
"""

import os
from array import array

cimport cython
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_FromKindAndData
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memmove, memset

from .memory cimport AHEAD, Bytes, Ints, append, fail, grown, prefetch, push, reserve
from .tables cimport Gram, Grams, Strings, gram_of, hash_bytes, number_of, prefetch_gram, rehash, rehash_grams, release

from ..tokenizers import rules_of
from ..tokenizers._lengths import LONGEST
from .batch import Batch
from .characters import page
from .indexer import check


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)


cdef struct Word:
    int32_t tag_size  # how many of its bytes are the tag and the colon
    int32_t ending  # number of its text after the tag among the endings, or -1
    int32_t entry  # where it was counted last


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
    ABSENT = -0x80000000  # no term: neither the number of a word nor ~number of an n-gram

cdef Py_ssize_t LONGEST_TOKEN = LONGEST
cdef const char *MARKER = b"\xe2\x8b\xaf%lld"  # as in _lengths.py


cdef object copied(Ints *ints):
    """A copy as a buffer that Python can read."""
    copy = array("i")
    if ints.used:
        copy.frombytes(<const uint8_t[:ints.used * sizeof(int32_t)]> <const uint8_t *> ints.at)
    return copy


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
