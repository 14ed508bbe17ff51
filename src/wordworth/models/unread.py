"""How much of some texts a model's vocabulary lacks: a model made for one language turns another's texts into noise."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.models.encoder import TextEncoder
from wordworth.models.static_table import StaticTable


def unread(model: TextEncoder | StaticTable, texts: Sequence[str]) -> float:
    """The share of the texts' words (of a table) or pieces (of an encoder) that the model does not know; 0 of none.

    An encoder reads these as its mark for the unknown, a table leaves them out.
    """
    if isinstance(model, StaticTable):
        found = model.lexicon.find(texts)
        unknown, pieces = found.unknown, found.unknown + len(found.rows)
    else:
        mark = model.tokenizer.special_ids.get("unk", -1)
        ids = model.tokenizer.ids(texts, special=False)
        unknown, pieces = sum(int((one == mark).sum()) for one in ids), sum(map(len, ids))
    return unknown / pieces if pieces else 0.0
