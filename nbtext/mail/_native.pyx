# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, binding=True
"""The busiest loops over messages, compiled. Each does what a function or class in plain Python does; see there."""

cimport cython

cdef enum:
    LONGEST_REMEMBERED = 400  # as in tags.py
    FIRST_WIDTHLESS = 0xAD  # as in pages.py

cdef enum:  # the places of the fields of a `tags.Tag`
    NAME, CLOSES, BREAKS, REACH, ENDS, WITHIN, STRENGTH, IS_RAW, IS_SHOWN, IS_VOID, OWN

cdef enum:  # and of a `styles.Look`
    GONE, VISIBLE, SIZE, INK, GROUND, HIDES


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t at)
    bint PyUnicode_IS_ASCII(object text)
    bint Py_UNICODE_ISTITLE(Py_UCS4 letter)
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 letter, Py_ssize_t start, Py_ssize_t end, int direction) except -2
    str PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)


cdef struct Text:
    int kind  # bytes per character
    const void *data
    Py_ssize_t size


cdef inline Text text_of(str written) noexcept:
    return Text(PyUnicode_KIND(written), PyUnicode_DATA(written), PyUnicode_GET_LENGTH(written))


cdef inline Py_UCS4 letter_at(const Text *text, Py_ssize_t at) noexcept:
    """The character at a position; a NUL after the end."""
    return PyUnicode_READ(text.kind, text.data, at) if at < text.size else 0


cdef inline Py_ssize_t after_space(const Text *text, Py_ssize_t at) noexcept:
    while at < text.size and PyUnicode_READ(text.kind, text.data, at).isspace():
        at += 1
    return at


cdef inline Py_ssize_t before_space(const Text *text, Py_ssize_t start, Py_ssize_t end) noexcept:
    while end > start and PyUnicode_READ(text.kind, text.data, end - 1).isspace():
        end -= 1
    return end


cdef inline object of(record, Py_ssize_t place):
    """A field of a named tuple."""
    return (<tuple> record)[place]


# Header fields --------------------------------------------------------------------------------------------------------


def fields_of(str head not None, Py_ssize_t most, Py_ssize_t longest):
    """As `fields.plain_fields_of`."""
    cdef Text text = text_of(head)
    cdef Py_ssize_t start = 0, end
    cdef str line
    cdef list found = []
    while start <= text.size and len(found) < most:
        end = line_end(head, &text, start)
        if is_folded(&text, end):
            while is_folded(&text, end):
                end = line_end(head, &text, end + 1)
            line = (<str> PyUnicode_Substring(head, start, end)).replace("\n", "")
            found.append(field_of(line, 0, min(len(line), longest)))
        else:
            found.append(field_of(head, start, min(end, start + longest)))
        start = end + 1
    return found


cdef inline Py_ssize_t line_end(str written, const Text *text, Py_ssize_t at) except -1:
    cdef Py_ssize_t end = PyUnicode_FindChar(written, c"\n", at, text.size, 1)
    return text.size if end < 0 else end


cdef inline bint is_folded(const Text *text, Py_ssize_t end) noexcept:
    """Whether the line that ends here goes on in the next."""
    cdef Py_UCS4 following = letter_at(text, end + 1)
    return following == c" " or following == c"\t"


cdef tuple field_of(str written, Py_ssize_t start, Py_ssize_t end):
    """The name and the value in a line; for a line that is no field, the name is empty."""
    cdef Text text = text_of(written)
    cdef Py_ssize_t colon = start, at
    while colon < end and PyUnicode_READ(text.kind, text.data, colon) != c":":
        colon += 1
    cdef Py_ssize_t name_end = before_space(&text, start, colon)
    for at in range(start, name_end):
        if PyUnicode_READ(text.kind, text.data, at) in (c" ", c"\t"):
            colon = end
    if colon == end:
        return "", PyUnicode_Substring(written, start, end)
    name = (<str> PyUnicode_Substring(written, start, name_end)).lower()
    at = min(after_space(&text, colon + 1), end)
    return name, PyUnicode_Substring(written, at, before_space(&text, at, end))


# Words ----------------------------------------------------------------------------------------------------------------


cdef struct Word:
    Py_ssize_t start
    Py_ssize_t end
    bint may_link


cdef struct Marks:  # of shouting, in all words so far
    bint bang
    bint bangs
    bint dollar
    Py_ssize_t long_words
    Py_ssize_t capitals


def survey(str written not None, Py_ssize_t first, str prefix not None):
    """As `evidence.plain_survey`."""
    cdef Text text = text_of(written)
    cdef Marks marks = Marks(False, False, False, 0, 0)
    cdef Word word = word_at(&text, after_space(&text, 0), &marks)
    cdef list beginning = [], linked = []
    while word.start < text.size:
        if len(beginning) < first:
            beginning.append(PyUnicode_Substring(written, word.start, word.end))
        if word.may_link:
            linked.append(PyUnicode_Substring(written, word.start, word.end))
        word = word_at(&text, after_space(&text, word.end), &marks)
    facts = ["bang"] if marks.bang else []
    if marks.bangs:
        facts.append("bangs")
    if marks.dollar:
        facts.append("dollar")
    if marks.long_words:
        facts.append(f"capitals_{marks.capitals * 10 // marks.long_words}")
    return " ".join([prefix + fact for fact in facts]), " ".join(beginning), " ".join(linked)


cdef Word word_at(const Text *text, Py_ssize_t start, Marks *marks) noexcept:
    """The word from a position to the next white space."""
    cdef Py_ssize_t at = start
    cdef Py_UCS4 c, last = 0
    cdef bint upper = False, lower = False, may_link = False
    while at < text.size:
        c = PyUnicode_READ(text.kind, text.data, at)
        if c"a" <= c <= c"z":
            lower = True
        elif c"A" <= c <= c"Z":
            upper = True
        elif c.isspace():
            break
        elif c == c"!":
            marks.bang = True
            marks.bangs |= last == c"!"
        elif c == c"$":
            marks.dollar = True
        elif c == c":" or c == c"." and (last == c"w" or last == c"W"):
            may_link = True
        elif c >= 128:
            lower |= c.islower() or Py_UNICODE_ISTITLE(c)
            upper |= c.isupper()
        last = c
        at += 1
    if at - start > 3:
        marks.long_words += 1
        marks.capitals += upper and not lower
    return Word(start, at, may_link)


def hosts(str written not None):
    """As `links.plain_hosts`."""
    cdef str lower = written.lower()
    cdef Text text = text_of(lower)
    cdef Py_ssize_t at = 0, end
    cdef list found = []
    while at < text.size:
        end = host_end(&text, at)
        if end:
            found.append(PyUnicode_Substring(lower, at, end))
        while letter_at(&text, at) == c"." or in_label(letter_at(&text, at)):  # a host begins only after other characters
            at += 1
        at += 1
    return tuple(found)


def as_word(str value not None):
    """As `links.plain_as_word`."""
    cdef str lower = value.lower()
    cdef Text text = text_of(lower)
    cdef list pieces = []
    cdef Py_ssize_t at, start = 0
    for at in range(text.size):
        if not in_word(PyUnicode_READ(text.kind, text.data, at)):
            pieces.append(PyUnicode_Substring(lower, start, at))
            start = at + 1
    pieces.append(PyUnicode_Substring(lower, start, text.size))
    return "_".join(pieces)


cdef inline bint in_word(Py_UCS4 c) noexcept:
    if c < 128:
        return c"a" <= c <= c"z" or c"0" <= c <= c"9" or c == c"_"
    return c.isalnum()


cdef inline bint in_label(Py_UCS4 c) noexcept:
    return c == c"-" or in_word(c)


cdef inline Py_ssize_t label_end(const Text *text, Py_ssize_t at) noexcept:
    """Where the letters end of which labels consist, or the longest label."""
    cdef Py_ssize_t most = at + 63
    while at < most and in_label(letter_at(text, at)):
        at += 1
    return at


cdef Py_ssize_t host_end(const Text *text, Py_ssize_t at) noexcept:
    """Where a host ends that begins here, with a dot and at most 20 after it; 0 if none does."""
    cdef Py_ssize_t end = label_end(text, at), after, dots
    if end == at:
        return 0
    for dots in range(21):
        after = label_end(text, end + 1) if letter_at(text, end) == c"." else 0
        if dots == 20 or after <= end + 1:
            return end if dots else 0
        end = after


# Pages ----------------------------------------------------------------------------------------------------------------


cdef inline bint is_letter(Py_UCS4 c) noexcept:
    return c"a" <= c <= c"z" or c"A" <= c <= c"Z"


cdef inline bint ends_name(Py_UCS4 c) noexcept:
    return c == c"/" or c == c">" or c.isspace()


cdef inline bint ends_attribute(Py_UCS4 c) noexcept:
    return c == c"=" or ends_name(c)


cdef inline bint ends_value(Py_UCS4 c) noexcept:
    return c == c">" or c.isspace()


cdef Py_ssize_t behind(const Text *text, Py_UCS4 letter, Py_ssize_t at) noexcept:
    """Where the next such character ends, or the text."""
    while at < text.size:
        if PyUnicode_READ(text.kind, text.data, at) == letter:
            return at + 1
        at += 1
    return text.size


cdef Py_ssize_t markup_end(const Text *text, Py_ssize_t at) noexcept:
    """Where the markup ends that begins with a "<"; 0 if this begins none."""
    cdef Py_UCS4 c = letter_at(text, at + 1)
    if is_letter(c) or c == c"/" and is_letter(letter_at(text, at + 2)):
        at += 2
        while at < text.size and not ends_name(PyUnicode_READ(text.kind, text.data, at)):
            at += 1
        while at < text.size:
            c = PyUnicode_READ(text.kind, text.data, at)
            at += 1
            if c == c">":
                return at
            if c == c"=":
                at = value_at(text, at).after
        return text.size
    if c == c"!" and letter_at(text, at + 2) == c"-" and letter_at(text, at + 3) == c"-":
        return comment_end(text, at + 4)
    return behind(text, c">", at + 2) if c == c"!" or c == c"?" or c == c"/" else 0


cdef struct Value:  # of an attribute, without its quotes
    Py_ssize_t start
    Py_ssize_t end
    Py_ssize_t after  # its closing quote


cdef Value value_at(const Text *text, Py_ssize_t at) noexcept:
    """The value after an equals sign."""
    cdef Py_ssize_t start = after_space(text, at), after
    cdef Py_UCS4 c = letter_at(text, start)
    if c == c'"' or c == c"'":
        start += 1
        after = behind(text, c, start)
        return Value(start, after - (after > start and letter_at(text, after - 1) == c), after)
    at = start
    while at < text.size and not ends_value(PyUnicode_READ(text.kind, text.data, at)):
        at += 1
    return Value(start, at, at)


cdef Py_ssize_t comment_end(const Text *text, Py_ssize_t start) noexcept:
    """Where a comment ends whose text starts here, which may be after `-->` or `--!>`, or where the page ends."""
    cdef Py_ssize_t at = start
    if letter_at(text, at) == c">":
        return at + 1
    if letter_at(text, at) == c"-" and letter_at(text, at + 1) == c">":
        return at + 2
    while at < text.size:
        at = behind(text, c">", at)
        if letter_at(text, at - 1) != c">":
            break
        if at - start >= 3 and letter_at(text, at - 2) == c"-" and letter_at(text, at - 3) == c"-":
            return at
        if at - start >= 4 and letter_at(text, at - 2) == c"!" and letter_at(text, at - 3) == c"-" and letter_at(text, at - 4) == c"-":
            return at
    return text.size


def pieces(str written not None, speaking not None, unescaped not None):
    """As `tags.plain_pieces`."""
    cdef Text text = text_of(written)
    cdef bint closes = letter_at(&text, 1) == c"/"
    cdef Py_ssize_t start = 1 + closes, at = start, equals
    cdef Value value
    cdef dict attributes = {}
    if not is_letter(letter_at(&text, at)):
        return "", False, attributes
    while at < text.size and not ends_name(PyUnicode_READ(text.kind, text.data, at)):
        at += 1
    name = (<str> PyUnicode_Substring(written, start, at)).lower()
    if letter_at(&text, text.size - 1) == c">":
        text.size -= 1
    while at < text.size and not closes:
        start = at
        while at < text.size and not ends_attribute(PyUnicode_READ(text.kind, text.data, at)):
            at += 1
        if start == at:
            at += 1
            continue
        attribute = (<str> PyUnicode_Substring(written, start, at)).lower()
        value = Value(at, at, at)
        equals = after_space(&text, at)
        if letter_at(&text, equals) == c"=":
            value = value_at(&text, equals + 1)
        at = value.after
        if attribute in speaking and attribute not in attributes:
            attributes[attribute] = unescaped(PyUnicode_Substring(written, value.start, value.end))
    return name, closes, attributes


@cython.final
cdef class Tags:
    """As `tags.plain_tags`."""

    cdef str html
    cdef Text text
    cdef Py_ssize_t at
    cdef object tag_of, unremembered, raw_end, no_tag

    def __cinit__(self, str html not None):
        from .tags import NO_TAG, raw_end, tag_of

        self.html, self.text = html, text_of(html)
        self.tag_of, self.unremembered, self.raw_end, self.no_tag = tag_of, tag_of.__wrapped__, raw_end, NO_TAG

    def __iter__(self):
        return self

    def __next__(self):
        cdef Py_ssize_t before = self.at, start = before, end = 0
        cdef tuple found
        if before < 0:
            raise StopIteration
        while True:
            start = PyUnicode_FindChar(self.html, c"<", start, self.text.size, 1)
            if start < 0:
                self.at = -1
                return PyUnicode_Substring(self.html, before, self.text.size), self.no_tag, (), ""
            end = markup_end(&self.text, start)
            if end:
                break
            start += 1
        self.at = end
        text = PyUnicode_Substring(self.html, before, start)
        tag_of = self.tag_of if end - start <= LONGEST_REMEMBERED else self.unremembered
        found = tag_of(PyUnicode_Substring(self.html, start, end))
        tag = found[0]
        raw = ""
        if of(tag, IS_RAW):
            self.at = self.raw_end(self.html, end, of(tag, NAME))
            raw = PyUnicode_Substring(self.html, end, self.at)
        return text, tag, found[1], raw


cdef inline Py_ssize_t letters(str written) noexcept:
    """The number of characters that are not white space."""
    cdef Text text = text_of(written)
    cdef Py_ssize_t at, count = 0
    for at in range(text.size):
        count += not PyUnicode_READ(text.kind, text.data, at).isspace()
    return count


cdef inline bint is_common(str written) noexcept:
    """Whether all characters are ones before the first without width."""
    cdef Text text = text_of(written)
    cdef Py_ssize_t at
    if PyUnicode_IS_ASCII(written):
        return True
    for at in range(text.size):
        if PyUnicode_READ(text.kind, text.data, at) >= FIRST_WIDTHLESS:
            return False
    return True


@cython.final
cdef class Reader:
    """As `pages.PlainReader`."""

    cdef readonly list shown, hidden, links
    cdef object rules, styled, unescaped
    cdef dict widthless
    cdef bint done
    cdef Py_ssize_t room[2]
    cdef list open_
    cdef dict places

    def __cinit__(self, rules, Py_ssize_t most):
        from .pages import OUTERMOST, WIDTHLESS, styled, unescaped

        self.shown, self.hidden, self.links = [], [], []
        self.rules, self.styled, self.unescaped, self.widthless = rules, styled, unescaped, WIDTHLESS
        self.room[0] = self.room[1] = most
        self.open_ = [OUTERMOST]
        self.places = {}

    def read(self, found):
        cdef str text, raw
        cdef tuple to
        cdef bint breaks
        cdef Py_ssize_t place, count
        look = (<tuple> self.open_[0])[1]
        for text, tag, to, raw in found:
            breaks = of(tag, BREAKS)
            if text:
                count = letters(text)
                if count or not breaks:
                    self.add(text, count, look)
            if breaks:
                self.shown.append(" ")
                if self.hidden:
                    self.hidden.append(" ")
            if to:
                self.links += to
            if of(tag, CLOSES):
                place = self.place(of(tag, NAME))
                if place and place >= self.bound(tag):
                    look = self.cut(place)
            elif of(tag, NAME):
                ends = of(tag, ENDS)
                if ends:
                    place = self.ended_unsaid(tag, ends)
                    if place:
                        look = self.cut(place)
                if self.rules is not None or not of(tag, IS_VOID):
                    look = self.start(tag, look, raw)
            if self.done:
                break

    cdef inline Py_ssize_t place(self, name) except -1:
        place = self.places.get(name)
        return 0 if place is None else place

    cdef int add(self, str text, Py_ssize_t count, look) except -1:
        cdef bint hides = of(look, HIDES)
        cdef list into = self.hidden if hides else self.shown
        if not count:
            into.append(" ")
        elif self.room[hides] > 0:
            if "&" in text:
                text = self.unescaped(text)
                count = letters(text)
            if not is_common(text):
                text = text.translate(self.widthless)
                count = letters(text)
            into.append(text)
            if not hides and self.hidden:
                self.hidden.append(" ")
            self.room[hides] -= count
            if self.room[0] <= 0:
                self.done = True
        return 0

    cdef object start(self, tag, look, str raw):
        cdef Py_ssize_t previous, place, strength
        cdef tuple bounds
        properties = of(tag, OWN) if self.rules is None else self.rules.properties(tag)
        own = self.styled(look, properties) if properties else look
        if self.rules is not None and self.rules.is_done:
            self.done = True
        if of(tag, IS_VOID):
            return look
        if of(tag, IS_RAW):
            if of(tag, IS_SHOWN) and raw:
                self.add(raw, letters(raw), own)
            return look
        name, strength = of(tag, NAME), of(tag, STRENGTH)
        previous = self.place(name)
        if own is look and not (strength or previous or self.rules is not None):
            return look
        place = len(self.open_)
        bounds = (<tuple> self.open_[place - 1])[3]
        if strength:
            bounds = (0, place, place if strength > 1 else bounds[2], place if strength > 2 else bounds[3])
        self.open_.append((tag, own, previous, bounds))
        self.places[name] = place
        if self.rules is not None:
            self.rules.opened(tag)
        return own

    cdef Py_ssize_t bound(self, tag) except -1:
        cdef Py_ssize_t around = (<tuple> (<tuple> self.open_[len(self.open_) - 1])[3])[of(tag, REACH)]
        for each in of(tag, WITHIN):
            around = max(around, self.place(each))
        return around

    cdef Py_ssize_t ended_unsaid(self, tag, ends) except -1:
        cdef Py_ssize_t place, around = -1, least = 0
        for name in ends:
            place = self.place(name)
            if place:
                if around < 0:
                    around = self.bound(tag)
                if place > around and (not least or place < least):
                    least = place
        return least

    cdef object cut(self, Py_ssize_t place):
        cdef tuple last
        while len(self.open_) > place:
            last = self.open_.pop()
            tag = last[0]
            self.places[of(tag, NAME)] = last[2]
            if self.rules is not None:
                self.rules.closed(tag)
        return (<tuple> self.open_[place - 1])[1]
