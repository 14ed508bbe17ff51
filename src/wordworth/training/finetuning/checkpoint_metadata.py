"""`wordworth.json`: what predicting with a fine-tuned model needs besides its weights."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, get_args

from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.json_file import read_object, require_fields
from wordworth.models.pooling import SentencePooling
from wordworth.tasks import task_types
from wordworth.training.task_heads.base import Cut

FACTS = "wordworth.json"
VERSION = 1
AGAIN = "run wordworth finetune again, or copy the folder again"
"""How to repair a damaged folder of a fine-tuned model."""
_MOST_TOKENS = 10**9
_NEEDED: Mapping[str, type | UnionType] = {"kind": str, "classes": list, "tokens": int, "cut": str, "second": bool}
_OPTIONAL: Mapping[str, type | UnionType] = {
    "pooling": str | None,
    "columns": list,
    "context": int,
    "crf": bool,
    "bilstm": bool,
    "embeddings": bool,
    "features": str | None,
    "threshold": int | float,
}
_KNOWN = {"cut": get_args(Cut), "pooling": (*get_args(SentencePooling), "pooler", None)}


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write what predicting needs, as JSON."""
    text = json.dumps({"version": VERSION, **facts}, indent=1, sort_keys=True, ensure_ascii=False)
    write_text(folder / FACTS, text + "\n")


def read_facts(folder: Path) -> dict[str, Any]:
    """Read what `write_facts` wrote.

    Raises:
        BadInput: there is no such file, it is damaged, or a newer version wrote it.
    """
    path = folder / FACTS
    if not path.is_file():
        mend = "give the --out folder of a wordworth finetune run"
        raise BadInput("this is not the folder of a fine-tuned model", where=str(path), mend=mend)
    facts = read_object(path, AGAIN)
    if facts.get("version") != VERSION:
        raise BadInput(f"unknown format version {facts.get('version')!r:.20}", where=str(path), mend="update wordworth")
    require_fields(
        facts, {**_NEEDED, **{name: _OPTIONAL[name] for name in _OPTIONAL if name in facts}}, str(path), AGAIN
    )
    damaged = _out_of_range(facts)
    if damaged is not None:
        raise BadInput(f"this file is damaged: invalid value of {damaged!r}", where=str(path), mend=AGAIN)
    return facts


def _out_of_range(facts: Mapping[str, Any]) -> str | None:
    """Return the name of the first field with a value that no fine-tuning would write, or None."""
    ranges = {
        **{name: facts.get(name) in values for name, values in _KNOWN.items() if name in facts},
        "kind": task_types.todays_name(facts["kind"]) in task_types.names(),
        "classes": all(isinstance(name, str) for name in facts["classes"]),
        "columns": all(isinstance(name, str) for name in facts.get("columns", ())),
        "tokens": 0 < facts["tokens"] < _MOST_TOKENS,
        "context": 0 <= facts.get("context", 0) < _MOST_TOKENS,
        "threshold": math.isfinite(facts.get("threshold", 0.0)),
    }
    return next((name for name, holds in ranges.items() if not holds), None)
