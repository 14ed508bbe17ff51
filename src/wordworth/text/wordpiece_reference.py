"""WordPiece after Google's rules, in plain Python: the slow, obvious specification of `tokenizer.Tokenizer`.

Nothing runs through here but tests. `Rules` names as data everything in which the `tokenizers` library departs from
Google's code; only the version of Unicode each was built with stands outside it. Devlin et al. 2019 (arXiv
1810.04805), `tokenization.py` of google-research/bert.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace

_GOOGLE_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_MISTYPED = {(0x2B820, 0x2CEAF): (0x2B920, 0x2CEAF)}  # the library leaves 256 ideographs of extension E unsplit
_LIBRARY_IDEOGRAPHS = tuple(_MISTYPED.get(block, block) for block in _GOOGLE_IDEOGRAPHS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """What a BERT tokenizer can be asked to do, and where the two implementations differ.

    Attributes:
        lowercase: lower-case and strip accents (uncased models); False changes no character.
        longest_word: a word of more characters becomes [UNK] unread.
        dropped: general categories that are deleted from the text, tab, line feed and carriage return aside.
        ideographs: inclusive code point ranges whose characters are words of their own.
        final_sigma: a capital sigma that ends a word becomes `ς`, as Unicode's conditional lower case has it.
    """

    lowercase: bool = True
    longest_word: int = 200
    dropped: frozenset[str] = frozenset({"Cc", "Cf"})
    ideographs: tuple[tuple[int, int], ...] = _GOOGLE_IDEOGRAPHS
    final_sigma: bool = True


GOOGLE = Rules()
LIBRARY = Rules(
    longest_word=100,
    dropped=frozenset({"Cc", "Cf", "Co"}),
    ideographs=_LIBRARY_IDEOGRAPHS,
    final_sigma=False,
)

RECLASSIFIED = "\u166d\u1734\u1885\u1886"
"""Old characters whose category has changed since the library's Unicode; all others on which it differs are younger."""


def cased(rules: Rules) -> Rules:
    """The same rules for a cased model."""
    return replace(rules, lowercase=False)


def pieces(text: str, vocabulary: Container[str], rules: Rules = GOOGLE) -> list[str]:
    """The word pieces of `text`, without special tokens.

    >>> pieces("unwanted, running", {"un", "##want", "##ed", ",", "runn", "##ing"})
    ['un', '##want', '##ed', ',', 'runn', '##ing']
    """
    return [piece for word in basic_words(text, rules) for piece in word_pieces(word, vocabulary, rules.longest_word)]


def basic_words(text: str, rules: Rules = GOOGLE) -> list[str]:
    """The words between which pieces never reach, cleaned and folded (Google's `BasicTokenizer`).

    >>> basic_words("Don't stop!")
    ['don', "'", 't', 'stop', '!']
    """
    cleaned = "".join(_cleaned(character, rules) for character in text)
    words = cleaned.split()
    folded = [_folded(word, rules) for word in words] if rules.lowercase else words
    return [part for word in folded for part in _split(word, is_punctuation)]


def word_pieces(word: str, vocabulary: Container[str], longest_word: int = GOOGLE.longest_word) -> list[str]:
    """Longest match first from the left; a word with any part outside the vocabulary is [UNK] as a whole.

    >>> word_pieces("unwanted", {"un", "##want", "##ed", "##wanted"})
    ['un', '##wanted']
    """
    if len(word) > longest_word:
        return ["[UNK]"]
    found: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        found.append(mark + word[start:end])
        start = end
    return found


def is_whitespace(character: str) -> bool:
    """Tab, line feed, carriage return and category Zs: 20 code points in all."""
    return character in "\t\n\r" or unicodedata.category(character) == "Zs"


def is_punctuation(character: str) -> bool:
    """The 32 ASCII signs (`$`, `+`, `^` among them) and category P; no other symbol."""
    return character in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" or unicodedata.category(character).startswith("P")


def is_ideograph(character: str, rules: Rules = GOOGLE) -> bool:
    """Whether a character is a word of its own: Chinese ones are; kana and hangul are not."""
    return any(first <= ord(character) <= last for first, last in rules.ideographs)


def _cleaned(character: str, rules: Rules) -> str:
    if is_whitespace(character):
        return " "
    if character in "\x00\ufffd" or unicodedata.category(character) in rules.dropped:
        return ""
    return f" {character} " if is_ideograph(character, rules) else character


def _folded(word: str, rules: Rules) -> str:
    lower = word.lower() if rules.final_sigma else "".join(character.lower() for character in word)
    decomposed = unicodedata.normalize("NFD", lower)
    return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")


def _split(word: str, alone: Callable[[str], bool]) -> Iterator[str]:
    """The runs of a word, and each character for which `alone` holds by itself."""
    run = ""
    for character in word:
        if not alone(character):
            run += character
            continue
        yield from filter(None, (run, character))
        run = ""
    if run:
        yield run
