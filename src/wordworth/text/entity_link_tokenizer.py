"""`LinkedTokenizer`: encodes texts with links to entities, and marks the token at which an entity's mention begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.json_file import read_object
from wordworth.text.entity_links import ENTITY, MARKERS, NO_ENTITY, LinkedText, Mention, entities_key, parse_links
from wordworth.text.tokenizer import Ids, Tokenizer
from wordworth.text.tokenizer_files import LoadedTokenizer, open_folder
from wordworth.text.tokens import Tokens, require_texts
from wordworth.text.unknown_entity import UnknownEntity
from wordworth.text.word_boundaries import align, words

CONFIG = "config.json"


class _Insertion(NamedTuple):
    """A marker's token to insert on one side of a mention.

    Attributes:
        before: index of the token before which the marker is inserted.
        piece: index of the mention's first or last token; the marker gets its segment.
        marker: a key of `MARKERS`.
        character: index of the character of the text with link markup that is the marker's span.
    """

    before: int
    piece: int
    marker: str
    character: int


class LinkedTokenizer(Tokenizer):
    """The tokenizer of a model that fuses entity vectors, for texts with links such as `[[Q84|London]]`.

    The feature `entity` of the tokens is the entity's row in the model's table at the first piece of a mention, and -1
    elsewhere. If a link has a marker (such as `HD:`, see `entity_links`), the marker's token is put before and after
    the mention. Offsets count characters of the text with link markup.

    Args:
        opened: the tokenizer, as loaded from its files.
        entities: the identifier of each row of the model's entity table.
    """

    def __init__(self, opened: LoadedTokenizer, entities: Sequence[str]) -> None:
        super().__init__(opened)
        self.rows = {entity: row for row, entity in enumerate(entities)}

    @classmethod
    def read(cls, folder: Path | str) -> Self:
        """Read the tokenizer in the folder of a model that fuses entities.

        Raises:
            BadInput: the folder holds no tokenizer, or a damaged one, or is not of a model that fuses entities.
        """
        listed = read_object(Path(folder) / CONFIG).get("entities")
        if not isinstance(listed, list):
            raise BadInput("this model has no entities", where=str(folder), mend="make one with `wordworth kg fuse`")
        return cls(open_folder(Path(folder)), listed)

    @cached_property
    def entities_key(self) -> str:
        """A hash of the identifiers of the entities in the model's entity table, in their order."""
        return entities_key(self.rows)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of 32 hexadecimal digits that changes whenever any text could be encoded differently."""
        return content_key(super().fingerprint, self.entities_key)

    def encode(self, texts: Sequence[str], second: Sequence[str] | None = None) -> list[Tokens]:
        """Return the tokens of each text, or of each pair of texts, with the feature `entity`.

        The feature is the row of a mention's entity at the first token of the mention, and -1 elsewhere.

        Raises:
            BadInput: an item is not a string, `second` has another length, or a link is to an unknown entity.
        """
        sides = [[parse_links(text) for text in require_texts(side)] for side in (texts, second) if side is not None]
        read = super().encode(*([linked.text for linked in side] for side in sides))
        marked = zip(*(side for side in (texts, second) if side is not None), strict=True)
        return [
            self._linked(tokens, linked, originals)
            for tokens, linked, originals in zip(read, zip(*sides, strict=True), marked, strict=True)
        ]

    def encode_words(self, sentences: Sequence[Sequence[str]]) -> list[Tokens]:
        """Return the tokens of sentences that are already split into words; the words cannot have links."""
        return [
            replace(tokens, features={ENTITY: np.full(len(tokens), NO_ENTITY, dtype=np.int64)})
            for tokens in super().encode_words(sentences)
        ]

    def ids(self, texts: Sequence[str], second: Sequence[str] | None = None, *, special: bool = True) -> list[Ids]:
        """Return only the token ids of each text, int64 [tokens], as `encode` returns them.

        Args:
            texts: the texts.
            second: the second text of each pair; None for single texts.
            special: whether to add the special tokens around a text.
        """
        sequences = self.encode(texts, second)
        return [tokens.ids if special else tokens.ids[tokens.offsets[:, 1] > 0] for tokens in sequences]

    def row(self, entity: str, text: str) -> int:
        """Return the row of an entity in the model's entity table, -1 for the empty identifier.

        Args:
            entity: the identifier.
            text: the text that links to the entity, which the error shows.

        Raises:
            UnknownEntity: the table has no such entity.
        """
        if not entity:
            return NO_ENTITY
        row = self.rows.get(entity)
        if row is None:
            raise UnknownEntity(entity, text)
        return row

    def require_entities(self, texts: Iterable[str]) -> None:
        """Check that the model's entity table has every entity that the texts link to.

        Raises:
            UnknownEntity: the table lacks one.
        """
        for text in texts:
            for mention in parse_links(text).mentions:
                self.row(mention.entity, text)

    def literal(self) -> LinkedTokenizer:
        """Return a copy of the tokenizer that reads `[MASK]` and the like in a text as plain characters."""
        return LinkedTokenizer(super().literal().opened, tuple(self.rows))

    def _linked(self, tokens: Tokens, linked: Sequence[LinkedText], originals: Sequence[str]) -> Tokens:
        """Return tokens with the feature `entity` and with markers; offsets and words refer to the texts with markup.

        Args:
            tokens: the tokens of the text or pair without link markup.
            linked: the text, or both texts, without link markup, with the mentions.
            originals: the text, or both texts, with link markup.
        """
        entity = np.full(len(tokens), NO_ENTITY, dtype=np.int64)
        offsets, word_of, before = tokens.offsets.copy(), np.full(len(tokens), -1, dtype=np.int32), 0
        inserted = list[_Insertion]()
        for parsed, original, inner in zip(linked, originals, self._texts(tokens, len(linked)), strict=True):
            starts, ends = tokens.offsets[inner].T
            for mention in parsed.mentions:
                pieces = inner[(ends > mention.start) & (starts < mention.end)]
                if len(pieces) and entity[pieces[0]] == NO_ENTITY:
                    entity[pieces[0]] = self.row(mention.entity, original)
                if len(pieces) and mention.marker:
                    inserted += _around(mention, pieces, parsed)
            offsets[inner] = np.stack([parsed.source[starts], parsed.source[ends - 1] + 1], axis=1)
            aligned = align(offsets[inner], words(original))
            word_of[inner] = np.where(aligned >= 0, aligned + before, -1)
            before += len(words(original))
        changed = replace(tokens, offsets=offsets, words=word_of, features={ENTITY: entity})
        return self._with_markers(changed, inserted) if inserted else changed

    def _texts(self, tokens: Tokens, texts: int) -> list[NDArray[np.int64]]:
        """Return the indices of each text's tokens, for a number of texts; a text ends at the next special token."""
        is_special = tokens.offsets[:, 1] == 0
        number = np.minimum(np.cumsum(is_special) - self.prefix, texts - 1)
        return [np.flatnonzero(~is_special & (number == which)) for which in range(texts)]

    def _with_markers(self, tokens: Tokens, inserted: Sequence[_Insertion]) -> Tokens:
        at = np.array([each.before for each in inserted])
        ids = np.array([self.vocabulary[MARKERS[each.marker]] for each in inserted])
        marks = np.array([(each.character, each.character + 1) for each in inserted], dtype=np.int32)
        return Tokens(
            ids=np.insert(tokens.ids, at, ids),
            segments=np.insert(tokens.segments, at, tokens.segments[[each.piece for each in inserted]]),
            offsets=np.insert(tokens.offsets, at, marks, axis=0),
            words=np.insert(tokens.words, at, -1),
            features={ENTITY: np.insert(tokens.features[ENTITY], at, NO_ENTITY)},
        )


def open_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer in a folder, a `LinkedTokenizer` if the folder is of a model that fuses entities.

    Raises:
        BadInput: the folder holds no tokenizer, or a damaged one.
    """
    config = folder / CONFIG
    has_entities = config.is_file() and "entities" in read_object(config)
    return LinkedTokenizer.read(folder) if has_entities else Tokenizer.read(folder)


def _around(mention: Mention, pieces: NDArray[np.int64], parsed: LinkedText) -> list[_Insertion]:
    """Return the markers to insert on both sides of a mention.

    The span of each marker is one character of the link markup.

    Args:
        mention: the mention.
        pieces: the indices of the mention's tokens.
        parsed: the text of the mention.
    """
    first, last = parsed.source[[mention.start, mention.end - 1]].tolist()
    return [
        _Insertion(int(pieces[0]), int(pieces[0]), mention.marker, first - 1),
        _Insertion(int(pieces[-1]) + 1, int(pieces[-1]), mention.marker, last + 1),
    ]
