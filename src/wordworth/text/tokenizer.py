"""`Tokenizer`: encode texts as the ids that a model reads, with the character offsets and the word of each id.

Only this module and `tokenizer_files` use the `tokenizers` library; `wordpiece_reference` specifies it in plain Python.
Nothing is truncated or padded here, whatever a checkpoint's files ask for: `windows` handles long texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import tokenizers
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.json_file import parse_json
from wordworth.text.split_long_texts import can_split_anywhere, is_word_local, part_starts
from wordworth.text.tokenizer_files import LoadedTokenizer, has_capitals, open_folder, open_wordpiece
from wordworth.text.tokenizer_limits import run_with_time_limit, translate_panics
from wordworth.text.tokens import Tokens, encodable, require_texts
from wordworth.text.word_boundaries import Span, align, joined_spans, words

_CHUNK_CHARACTERS = 1 << 18
_CHUNK_TEXTS = 4096

Ids = NDArray[np.int64]
Inputs: TypeAlias = list[str] | list[tuple[str, str]]
"""Texts or pairs of texts, as the library accepts them."""


def _stay_quiet_in_forks() -> None:
    """Let the library use all cores in this process and one in forked children, where its threads do not exist.

    A value of `TOKENIZERS_PARALLELISM` that the user set is respected; unset, the library would warn at every fork.
    """
    if "TOKENIZERS_PARALLELISM" not in os.environ:
        os.environ["TOKENIZERS_PARALLELISM"] = "true"
        if hasattr(os, "register_at_fork"):  # absent where there is no fork
            os.register_at_fork(after_in_child=lambda: os.environ.update(TOKENIZERS_PARALLELISM="false"))


_stay_quiet_in_forks()


class Tokenizer:
    """A tokenizer of any family (WordPiece, byte pairs, unigrams) as its checkpoint's files define it.

    A special token that stands literally in a text, such as `[MASK]`, is read as that token, as in `transformers`.
    Offsets are exact with one exception, which comes from the `tokenizers` library: if Unicode's canonical order swaps
    a spacing mark and the mark after it, their offsets are swapped too.
    """

    def __init__(self, opened: LoadedTokenizer) -> None:
        self.opened, self._library = opened, opened.library
        self._names = opened.special_tokens

    @classmethod
    def read(cls, folder: Path | str) -> Tokenizer:
        """Read the tokenizer of a folder: `tokenizer.json`, else `vocab.txt`, else `vocab.json` and `merges.txt`.

        A path to a single `tokenizer.json` under any name also works.

        Raises:
            BadInput: the folder holds no tokenizer, or a damaged one.
        """
        return cls(open_folder(Path(folder)))

    @classmethod
    def wordpiece(cls, vocab_path: Path | str, *, lowercase: bool = True) -> Tokenizer:
        """Return BERT's tokenizer for a bare `vocab.txt`.

        Args:
            vocab_path: the file.
            lowercase: whether texts are lower-cased, as for an uncased model.

        Raises:
            BadInput: the file is not a vocabulary, or lacks [UNK], [CLS] or [SEP].
        """
        return cls(open_wordpiece(Path(vocab_path), {"do_lower_case": lowercase}))

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts, with special tokens and at any length.

        `offsets` count characters of the original text (in a pair: of the token's own text). `words` are indices of
        `word_boundaries.words(text)`, with the words of the second text after the words of the first; -1 where a token
        touches no word.

        Raises:
            BadInput: an item of `texts` is not a string, or `second` has another length.
        """
        first, other = require_texts(texts), None if second is None else require_texts(second)
        if other is None:
            return self._sequences(first, None, lambda index: [words(first[index])])
        return self._sequences(first, other, lambda index: [words(first[index]), words(other[index])])

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """Return the tokens of sentences already split into words; `Tokens.words` is the index of each token's word.

        The words are joined by single spaces, and `offsets` count characters of that text. If the tokenizer drops all
        characters of a word (control characters, say), the word has no token: `word_boundaries.first_pieces` gives -1
        for it.

        Raises:
            BadInput: a word is not a string.
        """
        sentence_words = [require_texts(sentence) for sentence in sentences]
        joined = [" ".join(sentence) for sentence in sentence_words]
        return self._sequences(joined, None, lambda index: [joined_spans(sentence_words[index])])

    def ids(self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True) -> list[Ids]:
        """Return only the token ids of each text, int64 [tokens]; faster than `encode`, with the same result.

        Args:
            texts: any number of texts.
            second: the second text of each pair; None for single texts.
            special: whether to add the special tokens around a text.

        Raises:
            BadInput: an item of `texts` is not a string, or `second` has another length.
        """
        sequences: list[Ids] = []
        for chunk in _chunks(require_texts(texts), None if second is None else require_texts(second)):
            if (long := self._long_text(chunk)) is not None:
                parts = self.ids([part for _, part in _parts(long)], special=False)
                sequences.append(self._with_special_tokens(np.concatenate(parts), special=special))
                continue
            encodings = self._read(self._library.encode_batch_fast, chunk, special=special)
            sequences.extend(np.array(encoding.ids, dtype=np.int64) for encoding in encodings)
        return sequences

    def token(self, index: int) -> str:
        """Return the piece with an id.

        Args:
            index: the id.

        Raises:
            BadInput: no piece has this id.
        """
        piece = self._library.id_to_token(index) if index >= 0 else None
        if piece is None:
            raise BadInput(f"no token has the id {index}", mend=f"ids run from 0 to {self.vocab_size - 1}")
        return piece

    def tokens(self, ids: Ids) -> list[str]:
        """Return the piece of each of some ids.

        Args:
            ids: int64 [n], the ids.

        Raises:
            BadInput: an id has no piece.
        """
        return [self.token(index) for index in ids.tolist()]

    def spelling(self, index: int) -> str:
        """Return the piece with an id in readable form: bytes and spaces decoded, `##` unchanged.

        Args:
            index: the id.

        Raises:
            BadInput: no piece has this id.
        """
        piece = self.token(index)
        by_bytes = isinstance(self._library.pre_tokenizer, tokenizers.pre_tokenizers.ByteLevel)
        decoder = self._library.decoder or (tokenizers.decoders.ByteLevel() if by_bytes else None)
        return piece if decoder is None else str(decoder.decode([piece])).strip()

    @cached_property
    def vocabulary(self) -> Mapping[str, int]:
        """The vocabulary, special and added tokens included: each piece and its id, in the order of ids."""
        return dict(sorted(self._library.get_vocab(with_added_tokens=True).items(), key=lambda entry: entry[1]))

    def literal(self) -> Tokenizer:
        """Return a copy of the tokenizer that reads `[MASK]` and the like in a text as plain characters."""
        library = tokenizers.Tokenizer.from_str(self._library.to_str())
        library.encode_special_tokens = True
        return Tokenizer(replace(self.opened, library=library))

    @cached_property
    def vocab_size(self) -> int:
        """The highest id plus one, which is the number of rows that a token embedding matrix needs."""
        blank: tuple[Inputs, ...] = ([""], [("", "")])
        marks = (self._read(self._library.encode_batch, inputs)[0].ids for inputs in blank)
        return 1 + max(chain(self._library.get_vocab(with_added_tokens=True).values(), *marks), default=-1)

    @cached_property
    def lowercase(self) -> bool:
        """Whether the tokenizer lower-cases texts, as the tokenizer of an uncased model does."""
        normalizer = self._library.normalizer
        with translate_panics(self.opened.where):
            return normalizer is not None and "wordworth" in normalizer.normalize_str("Wordworth")

    @cached_property
    def has_capitals(self) -> bool:
        """Whether the vocabulary was made from cased text, so that some of its pieces have capitals.

        If the tokenizer lower-cases texts, such pieces can never match.
        """
        special = set(self.special_tokens.values())
        return has_capitals(piece for piece in self._library.get_vocab() if piece not in special)

    @cached_property
    def special_tokens(self) -> Mapping[str, str]:
        """The special tokens of the vocabulary by their roles (unk, cls, sep, pad, mask, bos, eos)."""
        return {role: self._names[role] for role in self.special_ids}

    @cached_property
    def special_ids(self) -> dict[str, int]:
        """The ids of the special tokens by their roles (unk, cls, sep, pad, mask, bos, eos)."""
        ids = {role: self._library.token_to_id(name) for role, name in self._names.items()}
        return {role: index for role, index in ids.items() if index is not None}

    @cached_property
    def blank_mark(self) -> str:
        """The character for a space at the start of a piece: "Ġ" (byte pairs), "▁" (SentencePiece), else ""."""
        return next((mark for mark in "Ġ▁" if any(piece.startswith(mark) for piece in self.vocabulary)), "")

    @cached_property
    def fingerprint(self) -> str:
        """A hash of 32 hexadecimal digits that changes whenever any text could be encoded differently."""
        return content_key(self._library.to_str())

    def without_suffix(self) -> Tokenizer:
        """Return a copy that adds no special tokens after a single text, for prompts that a model continues.

        Pairs of texts keep their special tokens. A tokenizer without a template of special tokens, such as GPT-2's, is
        returned unchanged.
        """
        whole = parse_json(self._library.to_str())
        template = whole["post_processor"]
        if not self.suffix or template is None or template["type"] != "TemplateProcessing":
            return self
        texts = [index for index, item in enumerate(template["single"]) if "Sequence" in item]
        template["single"] = template["single"][: texts[-1] + 1]
        return Tokenizer(replace(self.opened, library=tokenizers.Tokenizer.from_str(json.dumps(whole))))

    def to_json(self) -> str:
        """Return the text of a `tokenizer.json`; reading it gives an equal tokenizer."""
        return str(self._library.to_str(pretty=True))

    @property
    def prefix(self) -> int:
        """The number of special tokens that are put before a single text."""
        return self._special_counts[0]

    @property
    def suffix(self) -> int:
        """The number of special tokens that are put after a single text."""
        return self._special_counts[1]

    @cached_property
    def _special_counts(self) -> tuple[int, int]:
        """Number of special tokens before and after a text, counted around the first text tried that has a token."""
        for text in chain(["a"], _pieces(self._library)):
            (encoding,) = self._read(self._library.encode_batch, [text])
            inner = [sequence is not None for sequence in encoding.sequence_ids]
            if any(inner):
                return inner.index(True), inner[::-1].index(True)
        raise BadInput("this tokenizer reads no text at all", mend="fetch its files again")

    @cached_property
    def _has_segments(self) -> bool:
        """Whether pairs have segment ids: not if the tokenizer adds no special tokens to a pair (GPT-2)."""
        return self._library.num_special_tokens_to_add(is_pair=True) > 0

    @cached_property
    def is_word_local(self) -> bool:
        """Whether the pieces of a word or ASCII punctuation mark never depend on its neighbours, as in BERT.

        The property is False unless the tokenizer is `literal`, as a special token might span several words.
        """
        return self._library.encode_special_tokens and is_word_local(self._library)

    @cached_property
    def _can_split_anywhere(self) -> bool:
        return can_split_anywhere(self._library)

    def _long_text(self, chunk: Inputs) -> str | None:
        """Return the text of a chunk that is a single text, too long for the library to encode whole; else None."""
        text = chunk[0]
        if len(chunk) > 1 or not isinstance(text, str) or len(text) <= _CHUNK_CHARACTERS:
            return None
        return text if self._can_split_anywhere and len(part_starts(text)) > 1 else None

    def _sequences(
        self, texts: list[str], second: list[str] | None, spans: Callable[[int], list[list[Span]]]
    ) -> list[Tokens]:
        """Return the tokens of texts or pairs; `spans(i)` returns the spans of the words of each text of sequence i."""
        done: list[Tokens] = []
        for chunk in _chunks(texts, second):
            if (long := self._long_text(chunk)) is not None:
                done.append(self._long_tokens(long, *spans(len(done))))
                continue
            for encoding in self._read(self._library.encode_batch, chunk):
                done.append(self._tokens(encoding, spans(len(done))))
        return done

    def _read(
        self, encode: Callable[..., list[tokenizers.Encoding]], chunk: Inputs, *, special: bool = True
    ) -> list[tokenizers.Encoding]:
        """Encode a chunk with the library, under a time limit where the tokenizer has its own regular expressions."""
        reading = partial(encode, chunk, add_special_tokens=special)
        if self.opened.has_foreign_patterns:
            return run_with_time_limit(reading, sum(map(_length, chunk)), self.opened.where)
        with translate_panics(self.opened.where):
            return reading()

    def _long_tokens(self, text: str, spans: list[Span]) -> Tokens:
        """Return the tokens of a very long text, read part by part."""
        parts: list[tuple[Ids, NDArray[np.int32]]] = []
        for start, part in _parts(text):
            encoding = self._library.encode(part, add_special_tokens=False)
            offsets = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2) + np.int32(start)
            parts.append((np.array(encoding.ids, dtype=np.int64), offsets))
        ids = self._with_special_tokens(np.concatenate([ids for ids, _ in parts]), special=True)
        offsets = np.concatenate([offsets for _, offsets in parts])
        framed = np.pad(offsets, ((self.prefix, self.suffix), (0, 0)))
        return Tokens(ids=ids, segments=np.zeros_like(ids), offsets=framed, words=align(framed, spans))

    def _with_special_tokens(self, ids: Ids, *, special: bool) -> Ids:
        marks = np.array(self._library.encode("").ids if special else [], dtype=np.int64)
        return np.concatenate([marks[: self.prefix], ids, marks[self.prefix :]])

    def _tokens(self, encoding: tokenizers.Encoding, spans: list[list[Span]]) -> Tokens:
        """Turn one encoding of the library into arrays; `spans` are the words of each text."""
        offsets = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
        sequences = np.array([-1 if which is None else which for which in encoding.sequence_ids], dtype=np.int32)
        indices = np.full(len(offsets), -1, dtype=np.int32)
        before = 0
        for which, bounds in enumerate(spans):
            in_text = sequences == which
            word_indices = align(offsets[in_text], bounds)
            indices[in_text] = np.where(word_indices >= 0, word_indices + before, -1)
            before += len(bounds)
        segments = np.array(encoding.type_ids, dtype=np.int64) * self._has_segments
        return Tokens(ids=np.array(encoding.ids, dtype=np.int64), segments=segments, offsets=offsets, words=indices)


def _chunks(texts: list[str], second: list[str] | None) -> Iterator[Inputs]:
    """Yield groups of inputs small enough that the library's bulky encodings of one group fit in memory.

    A lone surrogate, which has no UTF-8, becomes U+FFFD in the inputs.
    """
    if second is not None and len(second) != len(texts):
        raise BadInput(f"{len(texts)} first texts but {len(second)} second texts", mend="give one for each")
    first = map(encodable, texts)
    chunk: list[Any] = []
    characters = 0
    for each in first if second is None else zip(first, map(encodable, second), strict=True):
        length = _length(each)
        if chunk and (len(chunk) == _CHUNK_TEXTS or characters + length > _CHUNK_CHARACTERS):
            yield chunk
            chunk, characters = [], 0
        chunk.append(each)
        characters += length
    if chunk:
        yield chunk


def _length(text_or_pair: str | tuple[str, str]) -> int:
    """Return the number of characters of a text, or of both texts of a pair."""
    return len(text_or_pair) if isinstance(text_or_pair, str) else sum(map(len, text_or_pair))


def _parts(text: str) -> list[tuple[int, str]]:
    """Return the parts of a very long text, each with the offset of its first character."""
    return [(start, text[start:end]) for start, end in pairwise([*part_starts(text), len(text)])]


def _pieces(library: tokenizers.Tokenizer) -> Iterator[str]:
    """Yield the pieces of the vocabulary, which is built when the first one is requested."""
    yield from library.get_vocab(with_added_tokens=False)
