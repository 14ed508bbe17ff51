"""BERT and its family (BERT, DistilBERT, RoBERTa, XLM-R); variants are fields of `BertConfig`.

Devlin et al. 2019 (arXiv 1810.04805), as in `modeling.py` of google-research/bert.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn
from torch.nn import functional

from wordworth.models.batch import Batch
from wordworth.models.dropout import Dropout
from wordworth.models.layer_norm import LayerNorm
from wordworth.models.transformer import Transformer, TransformerConfig
from wordworth.models.transformer_layers import zero_embedding


@dataclass(frozen=True, kw_only=True, slots=True)
class BertConfig(TransformerConfig):
    """A member of the BERT family; the defaults are BERT-base, uncased.

    Attributes:
        segments: rows of the segment (token type) table; 0 where the model has none.
        embedding_size: width of the tables if not `hidden_size`; a linear map then projects to `hidden_size`.
        pooler: whether the model has a tanh layer over the first token.
    """

    segments: int = 2
    embedding_size: int | None = None
    pooler: bool = True


class BertEmbedding(nn.Module):
    """Embedding of word pieces: word + segment + position, normalised."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        width = config.embedding_size or config.hidden_size
        self.word = zero_embedding(config.vocab_size, width)
        self.position = zero_embedding(config.max_positions, width) if config.positions == "learned" else None
        self.segment = zero_embedding(config.segments, width) if config.segments else None
        self.norm = LayerNorm(width, config.norm_eps)
        self.dropout = Dropout(config.dropout)
        self.projection = nn.Linear(width, config.hidden_size) if width != config.hidden_size else None

    def forward(self, batch: Batch) -> Tensor:
        """Embed a batch: [tokens, hidden_size]."""
        x: Tensor = self.word(batch.ids)
        if self.segment is not None:
            x = x + self._segment_rows(self.segment.weight, batch)
        if self.position is not None:
            x = x + self.position(batch.positions + self.config.first_position)
        x = self.dropout(self.norm(x))
        return x if self.projection is None else self.projection(x)

    def _segment_rows(self, rows: Tensor, batch: Batch) -> Tensor:
        """[tokens, width], or [width] for all tokens: a one-hot product instead of a look-up.

        A look-up sums its gradient in the dtype of the rows. Thousands of tokens share each of the two rows: in
        bfloat16 a fifth of their gradient would be lost.
        """
        if self.config.segments == 1:
            return rows[0]
        return functional.one_hot(batch.segments, self.config.segments).to(rows.dtype) @ rows


def bert(config: BertConfig) -> Transformer:
    """Build an encoder of the family, with weights still to be drawn (`init_weights`) or read (`checkpoint`)."""
    return Transformer(config, BertEmbedding(config), pooler=config.pooler)
