"""`VisitEncoder`: a transformer without positions that encodes a patient's visit (G-BERT, Shang et al. 2019).

A visit has a set of medical codes of each kind, such as diagnoses and drugs; each set becomes one vector.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.encoder_base import Encoder
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.transformer import Transformer, init_weights
from wordworth.models.transformer_config import TransformerConfig
from wordworth.text.patient_visits import Flags, Numbers

FIRST, MASK = 0, 1
"""Ids of the first token of a set, whose state is the vector of the set, and of a masked code."""
_SPECIAL = 2


class VisitEmbedding(nn.Module):
    """Embedding of the medical codes of visits: a code's vector plus its kind's vector, then layer norm; no positions.

    Args:
        tables: for each kind of code, a module whose call returns the vectors of all codes, [codes, width].
        config: config of the transformer.
    """

    def __init__(self, tables: Sequence[nn.Module], config: TransformerConfig) -> None:
        super().__init__()
        self.tables = nn.ModuleList(tables)
        self.special = nn.Embedding(_SPECIAL, config.hidden_size)
        self.kinds = nn.Embedding(len(tables), config.hidden_size)
        self.norm = LayerNorm(config.hidden_size, config.norm_eps)
        self.dropout = Dropout(config.dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Return the vectors of all tokens, float32 [tokens, width]; `batch.segments` holds the kind of each code."""
        vectors = torch.cat([self.special.weight, *(table() for table in self.tables)])
        dropped: Tensor = self.dropout(self.norm(vectors[batch.ids] + self.kinds(batch.segments)))
        return dropped


class VisitEncoder(nn.Module):
    """A transformer that encodes a visit's medical codes: the set of codes of each kind becomes one vector.

    Args:
        tables: for each kind of code, a module whose call returns the vectors of all codes, [codes, width].
        sizes: number of codes of each kind.
        config: config of the transformer; its positions are not used.
        generator: draws the weights of the transformer.
    """

    def __init__(
        self, tables: Sequence[nn.Module], sizes: Sequence[int], config: TransformerConfig, generator: torch.Generator
    ) -> None:
        super().__init__()
        self.offsets = [_SPECIAL, *(_SPECIAL + np.cumsum(sizes)[:-1]).tolist()]
        self.encoder: Encoder = Transformer(config, VisitEmbedding(tables, config))
        init_weights(self.encoder, config.initializer_range, generator)

    @property
    def width(self) -> int:
        """Width of a vector."""
        return self.encoder.width

    def forward(self, ids: Sequence[tuple[Numbers, Numbers]], visits: int) -> list[Tensor]:
        """Return for each kind of code the vectors of all visits, float32 [visits, width].

        Equal sets are encoded only once, with the same dropout. This saves most of the time if most sets repeat, for
        example, if the same drugs are prescribed at each visit.

        Args:
            ids: for each kind, (int64 [entries], the index of each entry's visit; int64 [entries], its code id), as
                `code_ids` returns them; some code ids may be replaced by `MASK`.
            visits: number of visits.
        """
        sets = [distinct_sets(visit, code, visits) for visit, code in ids]
        batch = packed([different for different, _ in sets]).to(self.encoder.device)
        states = self.encoder(batch)[batch.starts[:-1].long()]
        by_kind = states.split([len(different) for different, _ in sets])
        return [own[torch.from_numpy(of_visit)] for own, (_, of_visit) in zip(by_kind, sets, strict=True)]

    def code_ids(self, kind: int, flags: Flags) -> tuple[Numbers, Numbers]:
        """Return, for every code of every visit, the index of the visit, ascending, and the id of the code: int64 [n].

        Args:
            kind: index of the kind of code, 0 or 1.
            flags: bool [visits, codes], whether each visit has each code of the kind.
        """
        visit, code = np.nonzero(flags)
        return visit, code + self.offsets[kind]


def distinct_sets(visit: Numbers, code: Numbers, visits: int) -> tuple[list[Numbers], Numbers]:
    """Return the distinct sets of codes, and for each visit the index of its set, int64 [visits].

    Args:
        visit: int64 [n], the index of each code's visit, ascending.
        code: int64 [n], the id of each code.
        visits: number of visits; some may have no codes.
    """
    numbers: dict[bytes, int] = {}
    sets, of_visit = list[Numbers](), np.empty(visits, dtype=np.int64)
    ends = np.cumsum(np.bincount(visit, minlength=visits))
    for index, codes in enumerate(np.split(code, ends[:-1])):
        own = np.sort(codes)
        of_visit[index] = number = numbers.setdefault(own.tobytes(), len(sets))
        if number == len(sets):
            sets.append(own)
    return sets, of_visit


def packed(sets: Sequence[Sequence[Numbers]]) -> Batch:
    """Return one batch with a sequence for each set of code ids: a first token, then the ids.

    The sequences of all sets of the first kind of code come first, then the sequences of the second kind.

    Args:
        sets: for each kind, int64 [codes] for each set, the ids of its codes; an empty set becomes a sequence of the
            first token alone.
    """
    every = [own for of_kind in sets for own in of_kind]
    lengths = np.array([1 + len(own) for own in every])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    ids = np.concatenate([np.append(FIRST, own) for own in every])
    kinds = np.repeat(np.arange(len(sets)), [len(of_kind) for of_kind in sets])
    return Batch(*(torch.from_numpy(each) for each in (ids, np.repeat(kinds, lengths), starts)))
