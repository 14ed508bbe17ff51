"""Train a vocabulary of unigrams (Kudo 2018, arXiv 1804.10959, section 3.2), as SentencePiece does.

A text's probability is the product of the probabilities of its pieces. The first vocabulary is the frequent substrings
of words. Then two steps alternate: expectation maximisation estimates the pieces' probabilities, and the quarter of the
pieces whose removal lowers the likelihood least is dropped.

The trainer of the `tokenizers` library returns other probabilities, and at times other pieces, at each run; this
trainer always returns the same. The space before a word is the word's first character. Each distinct word is read once,
weighted by its count.
"""

from __future__ import annotations

from math import ceil, log

import numpy as np
from tokenizers import models

from wordworth.progress import Progress
from wordworth.text.subwords.pre_tokenization import SPACE_MARK, splitting
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.special_tokens import ROLES, SPECIAL, with_special_tokens
from wordworth.text.subwords.unigram_candidates import Candidates
from wordworth.text.subwords.word_counts import ALWAYS, Words, alphabet, require_size
from wordworth.text.tokenizer_files import LoadedTokenizer

_LONGEST_WORD = 100
_MOST_CHARACTERS = 2_000_000
"""Maximal number of characters of the distinct words in training: of more words, only the most frequent are used."""
_ESTIMATES = 2
"""Steps of expectation maximisation before each time that pieces are dropped."""
_KEPT = 0.75
_MARGIN = 1.1
"""Pieces are dropped until this many times the vocabulary size are left; the most probable of the rest are chosen."""
_DIGITS = 6


def train_unigram(words: Words, settings: TokenizerSettings, progress: Progress) -> LoadedTokenizer:
    """Train a vocabulary of unigrams on counted words.

    Special tokens are the first pieces of the vocabulary; the other pieces are in order of falling probability.

    Args:
        words: word -> count; a space before a word is written `▁`.
        settings: the settings of training, of which `size`, `least`, `coverage`, `exact` and the casing are used.
        progress: progress display, advanced by rounds of expectation maximisation.

    Raises:
        BadInput: `settings.exact` is True, and the vocabulary cannot have exactly `settings.size` pieces.
    """
    always = {character.lower() for character in ALWAYS} if settings.uncased else set(ALWAYS)
    characters = alphabet(words, settings.coverage) | always | {SPACE_MARK}
    least = len(SPECIAL) + len(characters)
    learned = _learned(words, characters)
    room = settings.size - len(SPECIAL) - len(characters.difference(*learned))
    scores = _pruned(learned, room, settings.least, progress) if learned else {}
    chosen = _chosen(scores, characters, settings.size - len(SPECIAL))
    if settings.exact:
        require_size(len(SPECIAL) + len(chosen), settings.size, least)
    vocabulary = [*((name, 0.0) for name in SPECIAL), *chosen]
    model = models.Unigram(vocabulary, unk_id=SPECIAL.index(ROLES["unk"]), byte_fallback=False)
    return with_special_tokens(model, splitting("unigram", lowercase=settings.uncased))


def _learned(words: Words, characters: set[str]) -> dict[str, int]:
    """Return word -> count, of the most frequent words that consist of the characters; ties are broken by spelling."""
    learned, left = dict[str, int](), _MOST_CHARACTERS
    for word, number in sorted(words.items(), key=lambda item: (-item[1], item[0])):
        if len(word) <= _LONGEST_WORD and characters.issuperset(word):
            left -= len(word)
            if left < 0:
                break
            learned[word] = number
    return learned


def _pruned(words: dict[str, int], size: int, least: int, progress: Progress) -> dict[str, float]:
    """Return piece -> log-probability, after pieces were dropped until about `size` pieces are left.

    Args:
        words: words with their counts.
        size: number of pieces.
        least: fewest occurrences of a piece of several characters.
        progress: progress display, advanced by rounds.
    """
    candidates = Candidates.of(list(words), list(words.values()), size, least)
    weights = np.array(list(words.values()), dtype=np.float64)
    target = max(int(size * _MARGIN), int(candidates.single.sum()))
    with progress.step("pieces", total=_rounds(len(candidates.pieces), target)) as bar:
        while True:
            for _ in range(_ESTIMATES):
                candidates = candidates.estimated(weights)
            bar.advance()
            now = len(candidates.pieces)
            if now <= target:
                return dict(zip(candidates.pieces, candidates.scores.tolist(), strict=True))
            candidates = candidates.pruned(weights, max(target, int(now * _KEPT)))


def _rounds(pieces: int, target: int) -> int:
    """Return the number of rounds after which at most `target` pieces are left, if each round drops a quarter."""
    return 1 + max(0, ceil(log(max(target, 1) / pieces, _KEPT)))


def _chosen(scores: dict[str, float], characters: set[str], size: int) -> list[tuple[str, float]]:
    """Return (piece, log-probability) of all characters and of the most probable other pieces.

    The most probable piece comes first; ties are broken by spelling. A character without a log-probability gets the
    lowest log-probability of all pieces.

    Args:
        scores: piece -> log-probability.
        characters: characters that are in the vocabulary in any case.
        size: number of pieces to return; more are returned if there are more characters.
    """
    lowest = min(scores.values(), default=-1.0)
    rounded = {piece: round(score, _DIGITS) for piece, score in scores.items()}
    needed = {character: rounded.get(character, round(lowest, _DIGITS)) for character in characters}
    others = sorted(((piece, score) for piece, score in rounded.items() if piece not in needed), key=_rank)
    return sorted([*needed.items(), *others[: max(0, size - len(needed))]], key=_rank)


def _rank(item: tuple[str, float]) -> tuple[float, str]:
    return -item[1], item[0]
