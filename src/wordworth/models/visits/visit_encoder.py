"""`VisitEncoder`: a transformer without positions makes a vector of each set of codes (G-BERT, Shang et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.encoder import Encoder
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.transformer import Transformer, TransformerConfig, init_weights
from wordworth.text.visits import Flags, Numbers

FIRST, MASK = 0, 1
"""Ids of the token whose state is the vector of a set, and of a masked code."""
_SPECIAL = 2


class VisitEmbedding(nn.Module):
    """The sum of a code's vector and of its kind's, normalised; order has no part in it.

    Args:
        tables: the module of each kind whose call returns the vectors of its codes.
        config: of the transformer.
    """

    def __init__(self, tables: Sequence[nn.Module], config: TransformerConfig) -> None:
        super().__init__()
        self.tables = nn.ModuleList(tables)
        self.special = nn.Embedding(_SPECIAL, config.hidden_size)
        self.kinds = nn.Embedding(len(tables), config.hidden_size)
        self.norm = LayerNorm(config.hidden_size, config.norm_eps)
        self.dropout = Dropout(config.dropout)

    def forward(self, batch: Batch) -> Tensor:
        """Return the vectors of all tokens, float32 [tokens, width]; a batch's segments are its kinds."""
        vectors = torch.cat([self.special.weight, *(table() for table in self.tables)])
        dropped: Tensor = self.dropout(self.norm(vectors[batch.ids] + self.kinds(batch.segments)))
        return dropped


class VisitEncoder(nn.Module):
    """Encodes the set of codes of each kind of a visit.

    Args:
        tables: as in `VisitEmbedding`, of each kind.
        sizes: number of codes of each kind.
        config: of the transformer; it has no use for positions.
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
        """Return the vectors of some visits for each kind, float32 [visits, width].

        Equal sets are encoded once, which spares most of the work where drugs are prescribed again and again; dropout
        is the same for them.

        Args:
            ids: of each kind the codes of all visits, as `code_ids` returns them; some may be masked.
            visits: their number.
        """
        sets = [distinct_sets(visit, code, visits) for visit, code in ids]
        batch = packed([different for different, _ in sets]).to(self.encoder.device)
        states = self.encoder(batch)[batch.starts[:-1].long()]
        by_kind = states.split([len(different) for different, _ in sets])
        return [own[torch.from_numpy(of_visit)] for own, (_, of_visit) in zip(by_kind, sets, strict=True)]

    def code_ids(self, kind: int, flags: Flags) -> tuple[Numbers, Numbers]:
        """Return the visit of each code, ascending, and its id, int64 [n] each.

        Args:
            kind: 0 or 1.
            flags: bool [visits, codes], which codes of the kind each visit has.
        """
        visit, code = np.nonzero(flags)
        return visit, code + self.offsets[kind]


def distinct_sets(visit: Numbers, code: Numbers, visits: int) -> tuple[list[Numbers], Numbers]:
    """Return the different sets of codes, and the number of each visit's set, int64 [visits].

    Args:
        visit: int64 [n], the visit of each code, ascending.
        code: int64 [n], its id.
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
    """Return sets of ids as one batch, each after a first token: those of the first kind, then those of the next.

    Args:
        sets: of each kind, the ids of each set; one without ids is its first token alone.
    """
    every = [own for of_kind in sets for own in of_kind]
    lengths = np.array([1 + len(own) for own in every])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    ids = np.concatenate([np.append(FIRST, own) for own in every])
    kinds = np.repeat(np.arange(len(sets)), [len(of_kind) for of_kind in sets])
    return Batch(*(torch.from_numpy(each) for each in (ids, np.repeat(kinds, lengths), starts)))
