"""Make an encoder that fuses entities from a BERT and a table of entity vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import torch
from torch import Tensor

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.checkpoint import Checkpoint
from wordworth.models.entity_fusion.config import EntityBertConfig
from wordworth.models.entity_fusion.entity_table import EntityTable
from wordworth.models.families.bert import BERT, BertConfig
from wordworth.models.families.entity_bert import ENTITY_BERT
from wordworth.models.transformer import init_weights
from wordworth.models.vocabulary_transfer import with_vocabulary
from wordworth.text.derived_tokenizers import extend_vocabulary
from wordworth.text.entity_links import MARKERS
from wordworth.text.tokenizer import Tokenizer

_MOST_HEADS = 4
_WORDS = "embedding.word.weight"


def fuse(
    checkpoint: Checkpoint, tokenizer: Tokenizer, table: EntityTable, *, layers: int | None = None, seed: int = 0
) -> tuple[Checkpoint, Tokenizer]:
    """Return an encoder that fuses the entities of a table into its upper layers, and its tokenizer.

    All weights of the text encoder are kept, so that the states of a text without entities stay the same to the bit.
    New weights (attention over entities, maps from and to entities) are drawn as for a new BERT. The table is scaled
    to a mean square of 1 and never trained. The vocabulary is extended by the markers of mentions.

    Args:
        checkpoint: a BERT with bidirectional attention and all its heads.
        tokenizer: the tokenizer of the checkpoint.
        table: vectors of entities; the number of attention heads over entities is the largest number up to 4 that
            divides the width of the vectors.
        layers: number of upper layers that fuse entities; None for half of all layers.
        seed: decides the new weights.

    Raises:
        BadInput: the model is not a BERT with bidirectional attention and all its heads, it has too few layers, or its
            vocabulary cannot be extended.
    """
    config = _fused_config(checkpoint, table, layers)
    longer = extend_vocabulary(tokenizer, MARKERS.values())
    grown, _ = with_vocabulary(checkpoint, tokenizer, longer)
    model = ENTITY_BERT.build(replace(config, vocab_size=grown.model.config.vocab_size))
    generator = torch.Generator().manual_seed(seeds.child_seed(seed, "entity fusion"))
    init_weights(model, config.initializer_range, generator)
    weights = {**model.state_dict(), **grown.model.state_dict()}
    weights["body.entities"] = torch.from_numpy(table.scaled())
    weights[_WORDS] = _with_distinct_markers(weights[_WORDS], longer, config.initializer_range, generator)
    model.load_state_dict(weights)
    raw = {name: value for name, value in grown.raw.items() if name not in {"model_type", "architectures"}}
    return replace(grown, model=model.eval(), family=ENTITY_BERT, raw=raw), longer


def _fused_config(checkpoint: Checkpoint, table: EntityTable, layers: int | None) -> EntityBertConfig:
    config, width = checkpoint.model.config, table.vectors.shape[1]
    if checkpoint.family is not BERT or not isinstance(config, BertConfig) or config.causal or config.pruned_heads:
        mend = "name a plain BERT, such as mini or minilm"
        raise BadInput("entities are fused into a plain BERT, which this model is not", mend=mend)
    chosen = max(1, config.num_layers // 2) if layers is None else layers
    if not 1 <= chosen <= config.num_layers:
        what = f"{chosen} layers cannot fuse entities: the model has {config.num_layers}"
        raise BadInput(what, where="--layers", mend=f"give a number from 1 to {config.num_layers}")
    heads = max(number for number in range(1, _MOST_HEADS + 1) if width % number == 0)
    sizes: Mapping[str, object] = {each.name: getattr(config, each.name) for each in fields(config)}
    return EntityBertConfig(
        **sizes,  # type: ignore[arg-type]  # each field has its type
        entities=table.ids,
        entity_size=width,
        entity_heads=heads,
        fused_layers=chosen,
    )


def _with_distinct_markers(words: Tensor, tokenizer: Tokenizer, std: float, generator: torch.Generator) -> Tensor:
    """Return a copy of the word table with random numbers added to the rows of the markers, which were all equal."""
    rows = torch.tensor([tokenizer.vocabulary[marker] for marker in MARKERS.values()])
    changed = words.clone()
    changed[rows] += std * torch.randn(len(rows), words.shape[1], generator=generator)
    return changed
