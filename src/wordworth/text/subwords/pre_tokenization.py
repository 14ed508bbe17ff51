"""How texts are normalised and split into words before a vocabulary's pieces are found in them.

For byte pairs and unigrams, a text is split at white space, between letters, numbers and other characters, and around
Chinese ideographs (BERT puts spaces around ideographs: google-research/bert, multilingual.md). Combining marks belong
to their letters, unlike in GPT-2's own pattern, which cuts the words of Hindi at each vowel sign. For WordPiece, a text
is split by BERT's rules: letters and numbers stay together, and each punctuation mark is a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tokenizers import Regex, decoders, normalizers, pre_tokenizers

from wordworth.text.wordpiece_reference import GOOGLE

Algorithm = Literal["wordpiece", "byte-level", "unigram"]
SPACE_MARK = "▁"
"""SentencePiece's mark of a space before a word."""


def _word_pattern(space: str) -> str:
    """Return a regular expression that matches each word, with the space before it, and each other run of spaces."""
    ideographs = "".join(f"{chr(first)}-{chr(last)}" for first, last in GOOGLE.ideographs)
    letters = rf"[[\p{{L}}\p{{M}}]&&[^{ideographs}]]+"
    others = rf"[^\s{space}\p{{L}}\p{{M}}\p{{N}}]+"
    return rf"{space}?(?:[{ideographs}]|{letters}|\p{{N}}+|{others})|\s+(?!\S)|\s+|{space}"


_BYTE_WORDS, _UNIGRAM_WORDS, _BLANKS = _word_pattern(" "), _word_pattern(SPACE_MARK), r"\s+"
_OWN_PATTERNS = frozenset({_BYTE_WORDS, _UNIGRAM_WORDS, _BLANKS})


@dataclass(frozen=True, slots=True)
class Splitting:
    """The normaliser, splitter and decoder of a tokenizer: everything but its vocabulary.

    Attributes:
        normalizer: changes the characters of a text; None leaves them as they are.
        splitter: splits a text into words.
        decoder: joins pieces to a text; None for WordPiece, which does not keep spaces.
    """

    normalizer: normalizers.Normalizer | None
    splitter: pre_tokenizers.PreTokenizer
    decoder: decoders.Decoder | None = None


def splitting(algorithm: Algorithm, *, lowercase: bool) -> Splitting:
    """Return the normaliser, splitter and decoder for a kind of vocabulary (WordPiece, byte pairs or unigrams).

    Cased byte pairs keep every text unchanged, so that it can be decoded exactly. Unigrams normalise to NFKC and reduce
    a run of white space to one space, as SentencePiece does.

    Args:
        algorithm: the kind of vocabulary.
        lowercase: whether texts are lower-cased and lose their accents, by BERT's rules.
    """
    if algorithm == "wordpiece":
        return Splitting(normalizers.BertNormalizer(lowercase=lowercase), pre_tokenizers.BertPreTokenizer())
    lower = normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False, lowercase=True)
    if algorithm == "byte-level":
        steps = [_split(_BYTE_WORDS), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
        return Splitting(lower if lowercase else None, pre_tokenizers.Sequence(steps), decoders.ByteLevel())
    spaces = [normalizers.Replace(Regex(_BLANKS), " "), normalizers.Strip(left=False, right=True)]
    normalizer = normalizers.Sequence([normalizers.NFKC(), *([lower] if lowercase else []), *spaces])
    marked = pre_tokenizers.Metaspace(replacement=SPACE_MARK, prepend_scheme="first")
    decoder = decoders.Metaspace(replacement=SPACE_MARK, prepend_scheme="first")
    return Splitting(normalizer, pre_tokenizers.Sequence([marked, _split(_UNIGRAM_WORDS)]), decoder)


def _split(pattern: str) -> pre_tokenizers.Split:
    return pre_tokenizers.Split(Regex(pattern), "isolated")


def has_foreign_patterns(rules: list[object]) -> bool:
    """Return whether the rules of a tokenizer hold regular expressions that are not Wordworth's own.

    Wordworth's expressions finish on every text; others might not.

    Args:
        rules: parsed parts of a `tokenizer.json`.
    """
    waiting = list(rules)
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            if str(each.get("Regex", _BLANKS)) not in _OWN_PATTERNS:
                return True
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return False
