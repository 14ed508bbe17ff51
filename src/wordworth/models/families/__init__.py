"""The supported checkpoint families, one file each, by model type; other packages can add theirs."""

from __future__ import annotations

from dataclasses import replace

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.models.encoder_base import EncoderConfig, Reads
from wordworth.models.families.base import Family
from wordworth.models.transformer_config import TransformerConfig
from wordworth.registry import Registry

__all__ = ["FAMILIES", "Family", "architectures", "family_of", "new_config", "reads_of"]

_HERE = "wordworth.models.families."
_BUILTIN = {
    "bert": f"{_HERE}bert:BERT",
    "distilbert": f"{_HERE}distilbert:DISTILBERT",
    "roberta": f"{_HERE}roberta:ROBERTA",
    "xlm-roberta": f"{_HERE}roberta:ROBERTA",
    "camembert": f"{_HERE}roberta:ROBERTA",
    "mpnet": f"{_HERE}mpnet:MPNET",
    "electra": f"{_HERE}electra:ELECTRA",
    "modernbert": f"{_HERE}modernbert:MODERNBERT",
    "gpt2": f"{_HERE}gpt2:GPT2",
    "wordworth-bilm": f"{_HERE}bilm:BILM",
    "elmo": f"{_HERE}elmo:ELMO",
    "wordworth-bert": f"{_HERE}wordworth_bert:OUR_BERT",
    "wordworth-pre-norm-bert": f"{_HERE}wordworth_bert:OUR_BERT",
    "wordworth-entity-bert": f"{_HERE}entity_bert:ENTITY_BERT",
}
FAMILIES: Registry[Family] = Registry(
    "architecture",
    group="wordworth.architectures",
    builtin=_BUILTIN,
)
"""Families by model type; another package adds a family by an entry point of the group, or by `FAMILIES.register`."""
_PRETRAINED = {"bert": "bert", "causal-bert": "bert", "gpt": "gpt2", "bilm": "wordworth-bilm"}
"""Architecture that `pretrain` builds -> its model type; another package's architecture is named by its model type."""


def family_of(model_type: str, where: str = "") -> Family:
    """Return the family of checkpoints with a given `model_type`.

    Args:
        model_type: the value of `model_type` in a `config.json`.
        where: the folder of the checkpoint, for the error message.

    Raises:
        BadInput: the model type is not supported; the message suggests the nearest and lists all.
    """
    try:
        return FAMILIES.get(model_type)
    except NotFound as error:
        known = FAMILIES.names()
        hint = nearest(model_type, known)
        mend = hint if hint.startswith("there is") else f"{hint} Supported are {', '.join(known)}"
        raise BadInput(f"model type {model_type!r} is not supported", where=where, mend=mend) from error


def architectures() -> list[str]:
    """Return the names of the architectures that `pretrain` can build, this package's own first."""
    return [*_PRETRAINED, *(name for name in FAMILIES.names() if name not in _BUILTIN)]


def new_config(architecture: str, sizes: TransformerConfig) -> EncoderConfig:
    """Return the config of a new model to pretrain, from the sizes and options that a recipe sets for a BERT.

    Raises:
        NotFound: there is no such architecture, or Wordworth only reads checkpoints of this kind.
    """
    family = FAMILIES.get(_PRETRAINED.get(architecture, architecture)) if architecture in architectures() else None
    if family is None or family.new is None:
        raise NotFound(f"unknown architecture {architecture!r}", mend=nearest(architecture, architectures()))
    return family.new(replace(sizes, causal=architecture == "causal-bert"))


def reads_of(architecture: str) -> Reads:
    """Return how a new model of this architecture reads: `masked`, `causal` or `bidirectional`.

    Raises:
        NotFound: there is no such architecture.
    """
    return new_config(architecture, TransformerConfig()).reads
