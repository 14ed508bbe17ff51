"""Give a model a new vocabulary: known pieces keep their rows, and new pieces start as means of old rows.

A new piece is spelled with old pieces, and its row is the mean of their rows. A mean is a better start than a random
vector (Hewitt 2021, "Initializing New Word Embeddings for Pretrained Language Models"; Gee et al. 2022, arXiv
2210.15575).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.lm_heads import word_table
from wordworth.text.tokenizer import Tokenizer

HEADS_BY_PIECE = ("heads.mlm.bias", "heads.bilm.bias", "heads.bilm.output.weight")
"""Tensors of heads that have a row for each piece, as the word table has."""
_MARK = "##"


@dataclass(frozen=True, slots=True)
class VocabularyTransfer:
    """A plan to change a vocabulary: each row of the new embedding matrix is the mean of some rows of the old one.

    Attributes:
        new_rows: int64 [k], indices of rows of the new matrix, ascending, each repeated for every old row in its mean.
        old_rows: int64 [k], the index of the old row for each entry of `new_rows`; the index past the last old row
            stands for the mean of all old rows.
        old_size: number of rows of the old matrix.
        shared: number of pieces that both vocabularies have.
        spelt: number of new pieces that are spelled with old ones.
        unknown: number of pieces that the old vocabulary cannot spell; their rows are the mean of all old rows.
    """

    new_rows: NDArray[np.int64]
    old_rows: NDArray[np.int64]
    old_size: int
    shared: int
    spelt: int
    unknown: int

    @property
    def new_size(self) -> int:
        """Number of entries of the new vocabulary."""
        return int(self.new_rows[-1]) + 1

    def rows(self, table: Tensor) -> Tensor:
        """Return the token embedding matrix for the new vocabulary, [new_size, ...].

        Args:
            table: [old_size or more, ...], the matrix for the old vocabulary.
        """
        new_rows, old_rows = torch.from_numpy(self.new_rows), torch.from_numpy(self.old_rows)
        known = table[: self.old_size].float()
        source_rows = torch.cat([known, known.mean(0, keepdim=True)])[old_rows]
        sums = source_rows.new_zeros(self.new_size, *table.shape[1:]).index_add_(0, new_rows, source_rows)
        counts = torch.bincount(new_rows).view(-1, *[1] * (table.dim() - 1))
        return (sums / counts).to(table.dtype)


def plan_transfer(old: Tokenizer, new: Tokenizer) -> VocabularyTransfer:
    """Plan how each piece of the new vocabulary is spelled in the old one.

    Special tokens keep their role, and a piece in both vocabularies keeps its row. Any other piece is spelled with the
    longest old pieces from the left, as WordPiece does. If the two vocabularies mark the inside of words differently,
    the old tokenizer reads the piece as a text of its own instead.
    """
    special = {new.special_tokens[role]: index for role, index in old.special_ids.items() if role in new.special_tokens}
    known = {**old.vocabulary, **special}
    by_id = {index: piece for piece, index in new.vocabulary.items()}
    spelling = _Spelling(old, new, known, _mark(old) if _mark(old) == _mark(new) else None)
    spelt = [spelling.of(by_id[index], index) if index in by_id else [] for index in range(new.vocab_size)]
    sources_of = [each or [old.vocab_size] for each in spelt]
    num_kept = sum(piece in known for piece in by_id.values())
    num_unknown = sum(not spelt[index] for index in by_id)
    return VocabularyTransfer(
        new_rows=np.repeat(np.arange(len(sources_of)), [len(each) for each in sources_of]),
        old_rows=np.array([source for each in sources_of for source in each], dtype=np.int64),
        old_size=old.vocab_size,
        shared=num_kept,
        spelt=len(by_id) - num_kept - num_unknown,
        unknown=num_unknown,
    )


def with_vocabulary(checkpoint: Checkpoint, old: Tokenizer, new: Tokenizer) -> tuple[Checkpoint, VocabularyTransfer]:
    """Return a copy of a checkpoint, heads included, that has a new vocabulary, and the plan by which it was made.

    The plan tells from which old rows each row of the new embedding matrix was made.

    Args:
        checkpoint: any model that reads pieces; it is not changed.
        old: the tokenizer of the checkpoint.
        new: the new tokenizer.

    Raises:
        BadInput: the model reads no pieces, or its positions depend on the padding id, which the new vocabulary changes
            (RoBERTa).
    """
    _check(checkpoint, old, new)
    transfer, model = plan_transfer(old, new), checkpoint.model
    config = replace(model.config, vocab_size=transfer.new_size)  # type: ignore[type-var]  # every config is a dataclass
    new_model = checkpoint.family.build(config)
    weights = dict(model.state_dict())
    weights["embedding.word.weight"] = transfer.rows(weights["embedding.word.weight"])
    new_model.load_state_dict(weights)
    heads = {
        name: transfer.rows(tensor) if name in HEADS_BY_PIECE else tensor for name, tensor in checkpoint.heads.items()
    }
    ids = {f"{role}_token_id": index for role, index in new.special_ids.items()}
    raw = {**checkpoint.raw, **{name: index for name, index in ids.items() if name in checkpoint.raw}}
    return replace(checkpoint, model=new_model.train(model.training), heads=heads, raw=raw), transfer


def _check(checkpoint: Checkpoint, old: Tokenizer, new: Tokenizer) -> None:
    rows, config = len(word_table(checkpoint.model)), checkpoint.model.config
    if rows < old.vocab_size:
        message = f"the old tokenizer knows {old.vocab_size} pieces, the weights {rows}"
        raise BadInput(message, mend="use the tokenizer that belongs to the weights")
    counts_padding = config.first_position > 0
    if counts_padding and old.special_ids.get("pad") != new.special_ids.get("pad"):
        message = "positions of this model begin after the padding token's id, which the new vocabulary changes"
        raise BadInput(message, mend=f"give its padding token the id {old.special_ids.get('pad')}")


@dataclass(frozen=True, slots=True)
class _Spelling:
    """Spells new pieces with old pieces.

    Attributes:
        old: the old tokenizer.
        new: the new tokenizer.
        known: old piece -> its id.
        mark: the prefix of pieces inside a word; None if it differs between the two vocabularies.
    """

    old: Tokenizer
    new: Tokenizer
    known: Mapping[str, int]
    mark: str | None

    def of(self, piece: str, index: int) -> list[int]:
        """Return the ids of the old pieces that spell a new piece; an empty list if the old vocabulary cannot spell it.

        Args:
            piece: the new piece.
            index: its id in the new vocabulary.
        """
        if piece in self.known:
            return [self.known[piece]]
        if self.mark is not None:
            return _longest_first(piece, self.known, self.mark)
        ids = self.old.ids([self.new.spelling(index).removeprefix(_MARK)], special=False)[0].tolist()
        return [] if self.old.special_ids.get("unk") in ids else ids


def _mark(tokenizer: Tokenizer) -> str:
    return _MARK if any(piece.startswith(_MARK) for piece in tokenizer.vocabulary) else ""


def _longest_first(piece: str, known: Mapping[str, int], mark: str) -> list[int]:
    """Return the ids of the longest known pieces from the left; an empty list if some part has no match."""
    inner = bool(mark) and piece.startswith(mark)
    body, ids, start = piece.removeprefix(mark) if inner else piece, list[int](), 0
    while start < len(body):
        prefix = mark if inner or start else ""
        candidates = (end for end in range(len(body), start, -1) if prefix + body[start:end] in known)
        end = next(candidates, None)
        if end is None:
            return []
        ids.append(known[prefix + body[start:end]])
        start = end
    return ids
