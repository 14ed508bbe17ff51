"""`Tokenizer`: text becomes the ids a model reads, each tied to its characters and its word.

This and `tokenizer_folder` are the one door to the `tokenizers` library; `wordpiece` is its specification in plain
Python. Nothing is ever cut or padded here, whatever a checkpoint's files ask for: `windows` deals with long texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import tokenizers
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.json_file import parse_json
from wordworth.text.chunk_text import can_split_anywhere, is_word_local, part_starts
from wordworth.text.encoding import Tokens
from wordworth.text.tokenizer_files import Opened, open_folder, open_wordpiece
from wordworth.text.tokenizer_rules import no_panic, within_time
from wordworth.text.validation import require_texts
from wordworth.text.vocabulary_files import has_capitals
from wordworth.text.word_boundaries import Span, align, words

_CHUNK_CHARACTERS = 1 << 18
_CHUNK_TEXTS = 4096
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")

Ids = NDArray[np.int64]


def _stay_quiet_in_forks() -> None:
    """Let the library use all cores here and one in forked children, where its threads do not exist.

    Unless the user set `TOKENIZERS_PARALLELISM`; unset, the library would warn at every fork.
    """
    if "TOKENIZERS_PARALLELISM" not in os.environ:
        os.environ["TOKENIZERS_PARALLELISM"] = "true"
        if hasattr(os, "register_at_fork"):  # absent where there is no fork
            os.register_at_fork(after_in_child=lambda: os.environ.update(TOKENIZERS_PARALLELISM="false"))


_stay_quiet_in_forks()


class Tokenizer:
    """A tokenizer of any family (WordPiece, byte pairs, unigrams) as its checkpoint's files define it.

    A special token that stands literally in a text, such as `[MASK]`, is read as that token, as in `transformers`.
    Offsets are exact but for one case of the library: a spacing mark before which Unicode's canonical order puts
    another mark trades places with it.
    """

    def __init__(self, opened: Opened) -> None:
        self._opened, self._library = opened, opened.library
        self._names = opened.names

    @classmethod
    def read(cls, folder: Path | str) -> Tokenizer:
        """The tokenizer of a checkpoint folder: `tokenizer.json`, else `vocab.txt`, else `vocab.json` + `merges.txt`.

        A path to one `tokenizer.json` under any name will do as well.

        Raises:
            BadInput: nothing there is a tokenizer, or what is there is damaged.
        """
        return cls(open_folder(Path(folder)))

    @classmethod
    def wordpiece(cls, vocab_path: Path | str, *, lowercase: bool = True) -> Tokenizer:
        """BERT's tokenizer from a bare `vocab.txt`, uncased or cased as the caller says.

        Raises:
            BadInput: the file is no vocabulary, or lacks [UNK], [CLS] or [SEP].
        """
        return cls(open_wordpiece(Path(vocab_path), {"do_lower_case": lowercase}))

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """The tokens of each text, or of each pair of texts, special tokens included, at any length.

        `offsets` count characters of the text as given (of its own text in a pair); `words` index `words.words(text)`,
        those of the second text after those of the first, and are -1 where a token touches no word.

        Raises:
            BadInput: something in `texts` is not text, or `second` has another length.
        """
        first, other = require_texts(texts), None if second is None else require_texts(second)
        if other is None:
            return self._sequences(first, None, lambda place: [words(first[place])])
        return self._sequences(first, other, lambda place: [words(first[place]), words(other[place])])

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """The tokens of sentences whose words are given; `Tokens.words` index them.

        The words are read with one blank between them, and `offsets` count characters of that text. A word of which
        nothing is left (only control characters, say) has no token: `words.first_pieces` gives -1 for it.

        Raises:
            BadInput: a word is not text.
        """
        given = [require_texts(sentence) for sentence in sentences]
        joined = [" ".join(sentence) for sentence in given]
        return self._sequences(joined, None, lambda place: [_joined_spans(given[place])])

    def ids(self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True) -> list[Ids]:
        """The ids alone, int64 [t] a text: what `encode` gives, faster, for where offsets are not needed.

        Args:
            texts: any number of texts.
            second: the second text of each pair.
            special: whether to put the special tokens around a text.

        Raises:
            BadInput: something in `texts` is not text, or `second` has another length.
        """
        found: list[Ids] = []
        for chunk in _chunks(require_texts(texts), None if second is None else require_texts(second)):
            if self._in_parts(chunk):
                parts = self.ids([part for _, part in _parts(chunk[0][0])], special=False)
                found.append(self._framed(np.concatenate(parts), special=special))
                continue
            encodings = self._read(self._library.encode_batch_fast, chunk, special=special)
            found.extend(np.array(encoding.ids, dtype=np.int64) for encoding in encodings)
        return found

    def token(self, index: int) -> str:
        """The piece behind an id.

        Raises:
            BadInput: no piece has this id.
        """
        piece = self._library.id_to_token(index) if index >= 0 else None
        if piece is None:
            raise BadInput(f"no token has the id {index}", mend=f"ids run from 0 to {self.vocab_size - 1}")
        return piece

    def tokens(self, ids: Ids) -> list[str]:
        """The pieces behind ids [t].

        Raises:
            BadInput: no piece has one of them.
        """
        return [self.token(index) for index in ids.tolist()]

    def spelling(self, index: int) -> str:
        """The piece behind an id as a person reads it: the bytes and blanks that it stands for; `##` stays.

        Raises:
            BadInput: no piece has this id.
        """
        piece = self.token(index)
        by_bytes = isinstance(self._library.pre_tokenizer, tokenizers.pre_tokenizers.ByteLevel)
        decoder = self._library.decoder or (tokenizers.decoders.ByteLevel() if by_bytes else None)
        return piece if decoder is None else str(decoder.decode([piece])).strip()

    @cached_property
    def pieces(self) -> Mapping[str, int]:
        """Every piece of the vocabulary, special and added tokens with it, and its id."""
        return dict(sorted(self._library.get_vocab(with_added_tokens=True).items(), key=lambda entry: entry[1]))

    def literal(self) -> Tokenizer:
        """The same tokenizer, but for it `[MASK]` and the like in a text are characters, as they were in a corpus."""
        library = tokenizers.Tokenizer.from_str(self._library.to_str())
        library.encode_special_tokens = True
        return Tokenizer(replace(self._opened, library=library))

    @cached_property
    def vocab_size(self) -> int:
        """One more than the highest id: the rows an embedding table needs, also for the marks around a text."""
        marks = (self._read(self._library.encode_batch, [texts])[0].ids for texts in (("",), ("", "")))
        return 1 + max(chain(self._library.get_vocab(with_added_tokens=True).values(), *marks), default=-1)

    @cached_property
    def lowercase(self) -> bool:
        """Whether upper case is lost (an uncased model)."""
        normalizer = self._library.normalizer
        with no_panic(self._opened.where):
            return normalizer is not None and "wordworth" in normalizer.normalize_str("Wordworth")

    @cached_property
    def has_capitals(self) -> bool:
        """Whether the vocabulary was made from cased text; with `lowercase`, capitals in it can never be reached."""
        special = set(self.special_tokens.values())
        return has_capitals(piece for piece in self._library.get_vocab() if piece not in special)

    @cached_property
    def special_tokens(self) -> Mapping[str, str]:
        """Each special token by its role: unk, cls, sep, pad, mask, bos, eos, as far as the vocabulary has them."""
        return {role: self._names[role] for role in self.special_ids}

    @cached_property
    def special_ids(self) -> dict[str, int]:
        """The id of each special token by its role."""
        ids = {role: self._library.token_to_id(name) for role, name in self._names.items()}
        return {role: index for role, index in ids.items() if index is not None}

    @cached_property
    def blank_mark(self) -> str:
        """What a piece after a blank begins with: "Ġ" of byte pairs, "▁" of sentencepiece, nothing of WordPiece."""
        return next((mark for mark in "Ġ▁" if any(piece.startswith(mark) for piece in self.pieces)), "")

    @cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that change whenever any text could be read differently."""
        return content_key(self._library.to_str())

    def without_end_mark(self) -> Tokenizer:
        """This tokenizer without the special tokens behind one text, which a model would take for a prompt's end.

        Pairs keep theirs. One whose marks are no template (GPT-2's has none) is as it was.
        """
        whole = parse_json(self._library.to_str())
        marks = whole["post_processor"]
        if not self.suffix or marks is None or marks["type"] != "TemplateProcessing":
            return self
        texts = [place for place, item in enumerate(marks["single"]) if "Sequence" in item]
        marks["single"] = marks["single"][: texts[-1] + 1]
        return Tokenizer(replace(self._opened, library=tokenizers.Tokenizer.from_str(json.dumps(whole))))

    def to_json(self) -> str:
        """The whole tokenizer as the text of a `tokenizer.json`; reading it back gives an equal one."""
        return str(self._library.to_str(pretty=True))

    @property
    def prefix(self) -> int:
        """How many special tokens stand before one text."""
        return self._frame[0]

    @property
    def suffix(self) -> int:
        """How many special tokens stand after one text."""
        return self._frame[1]

    @cached_property
    def _frame(self) -> tuple[int, int]:
        """Special tokens before and after a text, seen on a piece of the vocabulary that is read as something."""
        for text in chain(["a"], _pieces(self._library)):
            (encoding,) = self._read(self._library.encode_batch, [(text,)])
            inner = [sequence is not None for sequence in encoding.sequence_ids]
            if any(inner):
                return inner.index(True), inner[::-1].index(True)
        raise BadInput("this tokenizer reads no text at all", mend="fetch its files again")

    @cached_property
    def _has_segments(self) -> bool:
        """Without marks between two texts there are no segments either (GPT-2)."""
        return self._library.num_special_tokens_to_add(is_pair=True) > 0

    @cached_property
    def reads_words_alone(self) -> bool:
        """Whether pieces are those of words and ASCII punctuation marks, each read by itself, as BERT does.

        True of a `literal` tokenizer only: a special token of several words would not be seen.
        """
        return self._library.encode_special_tokens and is_word_local(self._library)

    @cached_property
    def _parts_freely(self) -> bool:
        return can_split_anywhere(self._library)

    def _in_parts(self, chunk: list[tuple[str, ...]]) -> bool:
        """Whether this chunk is one text so long that the library should not hold it whole."""
        text = chunk[0][0]
        alone = len(chunk) == 1 == len(chunk[0]) and len(text) > _CHUNK_CHARACTERS
        return alone and self._parts_freely and len(part_starts(text)) > 1

    def _sequences(
        self, texts: list[str], second: list[str] | None, spans: Callable[[int], list[list[Span]]]
    ) -> list[Tokens]:
        """The tokens of texts or pairs; `spans` gives the words of each text of the sequence at a place."""
        done: list[Tokens] = []
        for chunk in _chunks(texts, second):
            if self._in_parts(chunk):
                done.append(self._long_tokens(chunk[0][0], *spans(len(done))))
                continue
            for encoding in self._read(self._library.encode_batch, chunk):
                done.append(self._tokens(encoding, spans(len(done))))
        return done

    def _read(
        self, encode: Callable[..., list[tokenizers.Encoding]], chunk: list[tuple[str, ...]], *, special: bool = True
    ) -> list[tokenizers.Encoding]:
        """What the library makes of a chunk; within bounds of time where the tokenizer has patterns of its own."""
        reading = partial(encode, _inputs(chunk), add_special_tokens=special)
        if self._opened.patterned:
            return within_time(reading, sum(map(len, chain.from_iterable(chunk))), self._opened.where)
        with no_panic(self._opened.where):
            return reading()

    def _long_tokens(self, text: str, spans: list[Span]) -> Tokens:
        """The tokens of a very long text, read part by part."""
        found: list[tuple[Ids, NDArray[np.int32]]] = []
        for start, part in _parts(text):
            encoding = self._library.encode(_encodable(part), add_special_tokens=False)
            offsets = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2) + np.int32(start)
            found.append((np.array(encoding.ids, dtype=np.int64), offsets))
        ids = self._framed(np.concatenate([ids for ids, _ in found]), special=True)
        offsets = np.concatenate([offsets for _, offsets in found])
        framed = np.pad(offsets, ((self.prefix, self.suffix), (0, 0)))
        return Tokens(ids=ids, segments=np.zeros_like(ids), offsets=framed, words=align(framed, spans))

    def _framed(self, ids: Ids, *, special: bool) -> Ids:
        marks = np.array(self._library.encode("").ids if special else [], dtype=np.int64)
        return np.concatenate([marks[: self.prefix], ids, marks[self.prefix :]])

    def _tokens(self, encoding: tokenizers.Encoding, spans: list[list[Span]]) -> Tokens:
        """Move one encoding of the library into arrays, its words after the `spans` of each text."""
        offsets = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
        sequences = np.array([-1 if which is None else which for which in encoding.sequence_ids], dtype=np.int32)
        indices = np.full(len(offsets), -1, dtype=np.int32)
        before = 0
        for which, bounds in enumerate(spans):
            mine = sequences == which
            found = align(offsets[mine], bounds)
            indices[mine] = np.where(found >= 0, found + before, -1)
            before += len(bounds)
        segments = np.array(encoding.type_ids, dtype=np.int64) * self._has_segments
        return Tokens(ids=np.array(encoding.ids, dtype=np.int64), segments=segments, offsets=offsets, words=indices)


def _chunks(texts: list[str], second: list[str] | None) -> Iterator[list[tuple[str, ...]]]:
    """Runs of texts small enough that the library's bulky encodings of one run fit in memory."""
    if second is not None and len(second) != len(texts):
        raise BadInput(f"{len(texts)} first texts but {len(second)} second texts", mend="give one for each")
    chunk: list[tuple[str, ...]] = []
    characters = 0
    for pair in zip(texts) if second is None else zip(texts, second, strict=True):
        length = sum(map(len, pair))
        if chunk and (len(chunk) == _CHUNK_TEXTS or characters + length > _CHUNK_CHARACTERS):
            yield chunk
            chunk, characters = [], 0
        chunk.append(pair)
        characters += length
    if chunk:
        yield chunk


def _inputs(chunk: list[tuple[str, ...]]) -> list[str] | list[tuple[str, str]]:
    """What the library reads: UTF-8 has no lone surrogates, so each becomes U+FFFD, one character for one."""
    pairs = [tuple(map(_encodable, pair)) for pair in chunk]
    return [pair[0] if len(pair) == 1 else (pair[0], pair[1]) for pair in pairs]  # type: ignore[return-value]  # a chunk holds singles or pairs, never both


def _parts(text: str) -> list[tuple[int, str]]:
    """The parts of a very long text, each with its first character's place."""
    return [(start, text[start:end]) for start, end in pairwise([*part_starts(text), len(text)])]


def _pieces(library: tokenizers.Tokenizer) -> Iterator[str]:
    """The vocabulary, not built before it is asked for."""
    yield from library.get_vocab(with_added_tokens=False)


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.translate(_SURROGATES)
    return text


def _joined_spans(given: Sequence[str]) -> list[Span]:
    """Where each word stands when they are joined by single blanks."""
    ends = np.cumsum([len(word) + 1 for word in given], dtype=np.int64) - 1
    return [(int(end) - len(word), int(end)) for word, end in zip(given, ends, strict=True)]
