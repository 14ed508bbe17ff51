"""The supported checkpoint families, one file each."""

from __future__ import annotations

from wordworth.errors import BadInput, nearest
from wordworth.models.families.base import Family
from wordworth.models.families.bert import BERT
from wordworth.models.families.bilm import BILM
from wordworth.models.families.distilbert import DISTILBERT
from wordworth.models.families.elmo import ELMO
from wordworth.models.families.gpt2 import GPT2
from wordworth.models.families.roberta import ROBERTA
from wordworth.models.families.wordworth_bert import OUR_BERT

FAMILIES = (BERT, DISTILBERT, ROBERTA, GPT2, BILM, ELMO, OUR_BERT)

__all__ = ["BERT", "BILM", "DISTILBERT", "ELMO", "FAMILIES", "GPT2", "OUR_BERT", "ROBERTA", "Family", "family_of"]


def family_of(model_type: str, where: str) -> Family:
    """Look up the family of checkpoints with this `model_type`.

    Raises:
        BadInput: it is not supported; the message suggests the nearest and lists all.
    """
    known = {name: family for family in FAMILIES for name in family.model_types}
    if model_type not in known:
        hint = nearest(model_type, known)
        mend = hint if hint.startswith("there is") else f"{hint} Supported are {', '.join(known)}"
        raise BadInput(f"model type {model_type!r} is not supported", where=where, mend=mend)
    return known[model_type]
