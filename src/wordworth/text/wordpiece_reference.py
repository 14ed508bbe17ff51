"""Google's WordPiece in plain Python: the slow, obvious specification of `tokenizer.Tokenizer`.

`Rules` lists as data all differences between the `tokenizers` library and Google's code, except the versions of Unicode
that they were built with. Devlin et al. 2019 (arXiv 1810.04805), `tokenization.py` of google-research/bert.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """The options of a BERT tokenizer; Google's and Hugging Face's implementations differ in some of them.

    Attributes:
        lowercase: whether to lower-case and strip accents (uncased models); False changes no character.
        longest_word: maximal number of characters in a word; a longer word becomes [UNK].
        dropped: Unicode's general categories whose characters are deleted, except tab, line feed and carriage return.
        ideographs: inclusive code point ranges whose characters are words of their own.
        final_sigma: whether a capital sigma that ends a word becomes `ς`, as in Unicode's conditional lower case.
    """

    lowercase: bool = True
    longest_word: int = 200
    dropped: frozenset[str] = frozenset({"Cc", "Cf"})
    ideographs: tuple[tuple[int, int], ...] = _GOOGLE_IDEOGRAPHS
    final_sigma: bool = True


GOOGLE = Rules()


def cased(rules: Rules) -> Rules:
    """Return the same rules without lower-casing, for a cased model."""
    return replace(rules, lowercase=False)


def pieces(text: str, vocabulary: Container[str], rules: Rules = GOOGLE) -> list[str]:
    """Return the word pieces of a text, without special tokens.

    Args:
        text: the text.
        vocabulary: the known pieces.
        rules: the options of the tokenizer.

    >>> pieces("unwanted, running", {"un", "##want", "##ed", ",", "runn", "##ing"})
    ['un', '##want', '##ed', ',', 'runn', '##ing']
    """
    return [piece for word in basic_words(text, rules) for piece in word_pieces(word, vocabulary, rules.longest_word)]


def basic_words(text: str, rules: Rules = GOOGLE) -> list[str]:
    """Return the words of `text`, cleaned, and lower-cased if the rules say so, as Google's `BasicTokenizer` does.

    >>> basic_words("Don't stop!")
    ['don', "'", 't', 'stop', '!']
    """
    cleaned = "".join(_cleaned(character, rules) for character in text)
    words = cleaned.split()
    folded = [_folded(word, rules) for word in words] if rules.lowercase else words
    return [part for word in folded for part in _split(word, is_punctuation)]


def word_pieces(word: str, vocabulary: Container[str], longest_word: int = GOOGLE.longest_word) -> list[str]:
    """Return the pieces of a word, the longest match first from the left; [UNK] if pieces do not cover the word.

    Args:
        word: the word.
        vocabulary: the known pieces.
        longest_word: most characters of a word; a longer word becomes [UNK].

    >>> word_pieces("unwanted", {"un", "##want", "##ed", "##wanted"})
    ['un', '##wanted']
    """
    if len(word) > longest_word:
        return ["[UNK]"]
    matched: list[str] = []
    start = 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        matched.append(mark + word[start:end])
        start = end
    return matched


def is_whitespace(character: str) -> bool:
    """Return whether a character is a tab, line feed, carriage return or of category Zs (20 code points in all)."""
    return character in "\t\n\r" or unicodedata.category(character) == "Zs"


def is_punctuation(character: str) -> bool:
    """Return whether a character is one of the 32 ASCII signs (`$`, `+`, `^` among them) or of category P."""
    return character in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" or unicodedata.category(character).startswith("P")


def is_ideograph(character: str, rules: Rules = GOOGLE) -> bool:
    """Return whether a character is a word of its own, as Chinese characters are; kana and hangul are not."""
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
    """Yield the parts of a word: each character for which `alone` holds, and the runs between them."""
    run = ""
    for character in word:
        if not alone(character):
            run += character
            continue
        yield from filter(None, (run, character))
        run = ""
    if run:
        yield run
