"""A WordPiece vocabulary from a corpus, of exactly the size asked for and the same at every run.

The `tokenizers` library trains it, by merging the most frequent pair of pieces until there are enough (the rule of byte
pairs, by which every open WordPiece is trained). Left alone it numbers the pieces of one character in an order that
changes from run to run, and breaks ties by that number; here they are numbered before it begins.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

from wordworth.errors import BadInput
from wordworth.files import require_writable, sweep_neighbours, write_text
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.documents import Corpus, CorpusSettings, Document, DocumentReader, corpus_files, without_text
from wordworth.text.corpus.tokenize_corpus import chunks, expected_characters
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_saving import save_tokenizer

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ALWAYS = frozenset(string.digits + string.ascii_letters + string.punctuation + "‘’“”–—…«»·•°§£€")
"""Characters that every vocabulary can spell, whatever its corpus: a reader will meet them."""
_REPEATS = 1_000
_LONGEST = models.WordPiece().max_input_chars_per_word
"""Characters of a word; the library reads longer ones as [UNK]."""

Words = Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPieceSettings:
    """What vocabulary is asked for.

    Attributes:
        size: pieces, special tokens with them.
        exact: whether another number of pieces, where the corpus supports fewer or has more characters, is refused.
        lowercase: uncased: lower case, accents dropped.
        coverage: share of the corpus's characters that the vocabulary must be able to spell; the rarest of the rest
            are left to [UNK].
        least: how often a pair of pieces must stand in the corpus to become one.
        corpus: how the corpus is read.
    """

    size: int = 16_000
    exact: bool = True
    lowercase: bool = True
    coverage: float = 0.99995
    least: int = 2
    corpus: CorpusSettings = field(default_factory=CorpusSettings)


@dataclass(frozen=True, slots=True)
class Trained:
    """What was trained, and how well it reads its corpus.

    Attributes:
        tokenizer: the tokenizer.
        words: words and punctuation marks in the corpus.
        pieces: what they are read as, [UNK] with them.
        unknown: words that are read as [UNK].
    """

    tokenizer: Tokenizer
    words: int
    pieces: int
    unknown: int


def train_wordpiece(
    corpus: Corpus, out: Path | str, settings: WordPieceSettings, progress: Progress = SILENT
) -> Trained:
    """Train a BERT tokenizer and write its folder (`vocab.txt`, `tokenizer.json`, `tokenizer_config.json`).

    The same corpus and settings give the same bytes. The special tokens are the first five pieces: [PAD] is 0.

    Raises:
        BadInput: the corpus cannot be read, holds no text, or does not support so many pieces; a model or another
            tokenizer lies in `out`, or it cannot be written.
    """
    place = Path(out)
    require_writable(place)
    if (place / "config.json").exists():
        raise BadInput(
            "a model is here, which reads by its own tokenizer", where=str(place), mend="choose another --out"
        )
    there = _pieces_there(place)
    if settings.exact and len(there) not in {0, settings.size}:
        raise _another(place, len(there))
    words = _counted(corpus, settings, progress)
    vocabulary = _vocabulary(words, settings)
    if there and there != vocabulary:
        raise _another(place, len(there))
    for name in ("vocab.txt", "tokenizer_config.json", "tokenizer.json"):
        sweep_neighbours(place / name)
    write_text(place / "vocab.txt", "".join(f"{piece}\n" for piece in vocabulary))
    tokenizer = Tokenizer.wordpiece(place / "vocab.txt", lowercase=settings.lowercase)
    save_tokenizer(tokenizer, place)
    return _report(tokenizer, words)


def _pieces_there(place: Path) -> list[str]:
    """The pieces of the tokenizer that lies in a folder; none where there is none.

    Raises:
        BadInput: it is no WordPiece of ours.
    """
    if (place / "vocab.txt").exists():
        return (place / "vocab.txt").read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n")
    if (place / "tokenizer.json").exists():
        raise BadInput("a tokenizer is here already", where=str(place), mend="choose another --out")
    return []


def _another(place: Path, pieces: int) -> BadInput:
    mend = "choose another --out, or delete it if nothing was made with it"
    return BadInput(f"another tokenizer, of {pieces:,} pieces, is here", where=str(place), mend=mend)


def _counted(corpus: Corpus, settings: WordPieceSettings, progress: Progress) -> Words:
    """How often each word stands in the corpus, after BERT's normalisation and splitting."""
    files, words = corpus_files(corpus), Words()
    reader = DocumentReader(settings.corpus)
    splitter = _Splitter(settings.lowercase)
    with progress.step("words", total=expected_characters(files)) as bar:
        for chunk in chunks(reader.documents(files)):
            splitter.count(chunk, words)
            bar.advance(sum(len(document.text) for document in chunk))
    if not words:
        raise without_text(files)
    return words


class _Splitter:
    """BERT's words of texts, counted: those that occur equally often are split in one call."""

    def __init__(self, lowercase: bool) -> None:  # noqa: FBT001 - the one choice there is
        self.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
        self.splitter = pre_tokenizers.BertPreTokenizer()

    def count(self, documents: Iterable[Document], words: Words) -> None:
        raw = Counter(word for document in documents for word in document.text.split())
        for number, some in groupby(sorted(raw.items(), key=_number), key=_number):
            text = self.normalizer.normalize_str(" ".join(word for word, _ in some))
            for word, count in Counter(word for word, _ in self.splitter.pre_tokenize_str(text)).items():
                words[word] += count * number


def _number(item: tuple[str, int]) -> int:
    return item[1]


def _vocabulary(words: Words, settings: WordPieceSettings) -> list[str]:
    """The pieces in the order of their ids."""
    always = {character.lower() for character in ALWAYS} if settings.lowercase else ALWAYS
    alphabet = _alphabet(words, settings.coverage) | always
    inside = sorted({character for word in words for character in word[1:]} & alphabet)
    single = [*SPECIAL, *(f"##{character}" for character in inside)]
    library = tokenizers.Tokenizer(models.WordPiece())
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=settings.size,
        min_frequency=settings.least,
        show_progress=False,
        special_tokens=single,
        limit_alphabet=len(alphabet),
        initial_alphabet=sorted(alphabet),
    )
    library.train_from_iterator(_lines(words, alphabet), trainer)
    found = library.get_vocab(with_added_tokens=False)
    if settings.exact and len(found) != settings.size:
        raise _unsupported(len(found), settings.size, len(single) + len(alphabet))
    return sorted(found, key=lambda piece: (piece not in SPECIAL, found[piece]))


def _unsupported(found: int, size: int, least: int) -> BadInput:
    if found > size:
        what = f"{size:,} pieces do not hold the {least:,} special tokens and single characters of this corpus"
        return BadInput(what, mend=f"give --size {least} or more")
    what = f"this corpus supports {found:,} pieces, not {size:,}: no pair of pieces is frequent any more"
    return BadInput(what, mend=f"give --size {found} or less, or more text")


def _alphabet(words: Words, coverage: float) -> set[str]:
    """The commonest characters that make up the share asked for; among equals, by code point."""
    counts = Counter[str]()
    for word, number in words.items():
        for character in word:
            counts[character] += number
    left = sum(counts.values()) * coverage
    kept = set[str]()
    for character, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if left <= 0:
            break
        kept.add(character)
        left -= number
    return kept


def _lines(words: Words, alphabet: set[str]) -> Iterator[str]:
    """The corpus again, word by word, each as often as it occurs; words that will be [UNK] teach nothing.

    They are those that cannot be spelt, and those too long to be read: of what was never meant for reading (keys,
    pictures in letters) one line would fill the vocabulary with its fragments, and the trainer's time with its square.
    """
    for word, number in sorted(words.items()):
        if len(word) <= _LONGEST and alphabet.issuperset(word):
            for _ in range(number // _REPEATS):
                yield f"{word} " * _REPEATS
            yield f"{word} " * (number % _REPEATS)


def _report(tokenizer: Tokenizer, words: Words) -> Trained:
    unknown = tokenizer.special_ids["unk"]
    pieces = missed = 0
    for (_, number), ids in zip(words.items(), tokenizer.literal().ids(list(words), special=False), strict=True):
        pieces += number * len(ids)
        missed += number * int((ids == unknown).any())
    return Trained(tokenizer, words.total(), pieces, missed)
