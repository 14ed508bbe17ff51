"""A fast, rule-based sentence splitter for paragraphs in any script."""

from __future__ import annotations

import re

Span = tuple[int, int]

LONGEST = 2_000
"""Maximal number of characters in a sentence; a longer stretch without a full stop is cut at a space."""

_CLOSING = r"\"'”’»›)\]}）」』】〉》"
_OPENING = r"\"'“‘«‹(\[{¿¡—–\-"
_WITHOUT_BLANK = "。！？｡"
_ALWAYS = f"{_WITHOUT_BLANK}।॥۔؟։።၊။"
_END = re.compile(rf"([.!?…{_ALWAYS}]+[{_CLOSING}]*)(\s+[{_OPENING}\s]*|$)?")
_WORD_BREAKS = re.compile(r"[\s(\[\"'“‘«—–-]")
_FIRST_WORD = re.compile(r"\w+")
_LONGEST_ABBREVIATION = 6


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


_TITLES = _words(
    "adm attys brig capt cmdr col cpl det dr esq fr gen gov hon insp lt maj messrs mlle mm mme mr mrs ms msgr mt mx "
    "pfc pres prof pvt rep reps rev sen sens sgt sr ste supt bros vs viz cf eg ie nos figs fig eq eqs ref refs "
    "sec vol vols pp ed eds trans herr hr fru bzw usw ca z.b d.h u.a dipl ing nr str sra srta ud uds"
)
_BEFORE_NUMBERS = _words(
    "no nos p pp art ch chap col n nr op par fig figs eq eqs sec vol vols v vv "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_MOSTLY_INSIDE = _words("al approx ave blvd co corp dept est etc inc jr ltd rd st univ a.m p.m e.g i.e u.s u.k u.n d.c")
_STARTERS = _words(
    "a after all although an and another as at because before both but by during each even for from he her his how "
    "however i if in it its many meanwhile moreover most my no nobody not now of on once one only or our she since so "
    "some such that the their then there these they this those though thus to today two under until we what when "
    "where whether which while who why with yet you your"
)


def sentences(paragraph: str) -> list[Span]:
    """Return the span of every sentence of a paragraph in order: (first character, character after the last).

    White space around a sentence is left out. A full stop ends a sentence unless it belongs to an abbreviation, an
    initial or a number, or is followed by a lower-case word. `!`, `?` and the full stops of other scripts always end a
    sentence, except before a lower-case word (a quotation that continues). Closing quotes and brackets belong to the
    sentence before. A "sentence" of more than 2,000 characters is cut at spaces.

    >>> text = 'He met Dr. Hale at 5 p.m. in Rome. "Why?" she asked. No. 7 won.'
    >>> [text[a:b] for a, b in sentences(text)]
    ['He met Dr. Hale at 5 p.m. in Rome.', '"Why?" she asked.', 'No. 7 won.']
    """
    spans: list[Span] = []
    begin = 0
    for match in _END.finditer(paragraph):
        if _ends(paragraph, match):
            _add(spans, paragraph, begin, match.end(1))
            begin = match.end(1)
    _add(spans, paragraph, begin, len(paragraph))
    return spans


def _ends(text: str, match: re.Match[str]) -> bool:
    """Return whether a sentence ends at the punctuation that `match` has found in a text."""
    marks, blanks = match.groups()
    if blanks is None:
        return marks[0] in _WITHOUT_BLANK
    following = match.end()
    if following == len(text) or marks[0] in _ALWAYS:
        return True
    if text[following].islower():
        return False
    if marks != ".":
        return True  # "!", "?", "…", or a full stop with a closing quote or bracket after it
    end = match.start()
    word = text[text.rfind(" ", max(0, end - 40), end) + 1 : end]
    if len(word) > _LONGEST_ABBREVIATION and word.isalpha():
        return True
    return not _abbreviates(_WORD_BREAKS.split(word)[-1], text, following)


def _abbreviates(word: str, text: str, following: int) -> bool:
    """Return whether the full stop after `word` marks an abbreviation, judged by the text from index `following` on."""
    lower = word.lower()
    if lower in _TITLES:
        return True
    digit = text[following].isdigit()
    if digit and lower in _BEFORE_NUMBERS:
        return True
    inside = lower in _MOSTLY_INSIDE or (word.isalpha() and len(word) == 1 and word.isupper() and word != "I")
    return (inside or _dotted(word)) and not digit and not _starts_sentence(text, following)


def _dotted(word: str) -> bool:
    """Return whether a word is letters with full stops between them: `U.S`, `z.B`."""
    return len(word) > 2 and all(len(part) == 1 for part in word.split("."))  # noqa: PLR2004 - two letters and a stop


def _starts_sentence(text: str, start: int) -> bool:
    """Return whether the word at index `start` is capitalised, and rarely is except at the start of a sentence."""
    word = _FIRST_WORD.match(text, start, start + 12)
    return word is not None and word.group()[0].isupper() and word.group().lower() in _STARTERS


def _add(spans: list[Span], text: str, begin: int, end: int) -> None:
    """Add the sentence from index `begin` to `end` to the spans, cut into several spans if it is too long."""
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    while end - begin > LONGEST:
        blank = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
        cut = blank if blank > 0 else begin + LONGEST
        spans.append((begin, cut))
        begin = cut + (blank > 0)
    if begin < end:
        spans.append((begin, end))
