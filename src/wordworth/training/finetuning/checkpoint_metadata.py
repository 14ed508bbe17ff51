"""The files beside the weights of a fine-tuned model: `wordworth.json`, which predicting needs, and `README.md`.

The README, a model card, says which library loads the folder, and which parts other libraries ignore.
"""

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
from wordworth.tasks import task_types
from wordworth.training.finetuning.run_folder import METADATA, model_folder

VERSION = 1
AGAIN = "run wordworth finetune again, or copy the folder again"
"""How to repair a damaged folder of a fine-tuned model."""
_MOST_TOKENS = 10**9
ZERO_HEADS = "zero_heads"
"""The field with the number of attention heads whose weights are 0."""
LEARNED_FROM = "learned_from"
"""The field with the SHA-256 of the files that the training rows are from."""
DISTILLED = "distilled"
"""The field of a student that says by which `method` it learned, and how many `teacher_layers` there were."""
RUNG = "rung"
"""The field of a rung of the ladder, whose folder has no network: what its representation and its head need."""
TAGGER, CRF, BILSTM = "tagger", "crf", "bilstm"
"""The field of `RUNG` that says which tagger its head is, and its two values; other heads lack the field."""
CASCADE = "cascade"
"""The field of two models of which the second answers where the first is unsure: the threshold and its loss."""
START = "start"
"""The field that says what the run began from: `model`, its `fingerprint`, and the `random_seed` of random weights."""
STAGES = "stages"
"""The field of `START` that names the tasks of the stages before, the first one first."""
OPTIONS_ONLY = "options_only"
"""The field that says whether options are read without their context and question."""
_NEEDED: Mapping[str, type | UnionType] = {"kind": str, "classes": list, "second": bool}
_OF_NETWORK: Mapping[str, type | UnionType] = {"tokens": int, "cut": str}
_OPTIONAL: Mapping[str, type | UnionType] = {
    "pooling": str | None,
    "columns": list,
    "context": int,
    "crf": bool,
    "bilstm": bool,
    "embeddings": bool,
    OPTIONS_ONLY: bool,
    "features": str | None,
    "threshold": int | float,
    "probe": dict,
    RUNG: dict,
    CASCADE: dict,
    ZERO_HEADS: int,
    LEARNED_FROM: list,
    DISTILLED: dict,
    START: dict,
}
_CARD = """---
library_name: {library}
tags: [wordworth, {kind}]
---

# Fine-tuned on {name}

Task kind: {kind}. Input length: at most {tokens} tokens.{classes}

## To use it

`wordworth predict THIS-FOLDER input.jsonl --out answers.jsonl`, in Python `wordworth.predict`, use the whole model.

{others}
"""
_CRF = """In transformers the CRF over the scores is missing: its transition scores are in `head.safetensors`, and the
tag with a word's largest score need not be the prediction."""
_CONTEXT = """Wordworth reads a sentence together with its neighbours in the document, {0} tokens in all; transformers
reads it alone."""
_THRESHOLD = """Wordworth predicts no answer where the score of no answer exceeds the best answer's by more than {0:g};
transformers does not know this threshold."""
_ZEROS = """The weights of {0} attention heads are 0: the predictions of a model without them, at the speed of the whole
one."""
_REMOVED = "No other library loads it: attention heads were removed from its layers."
_NO_CLASS = """transformers has no class with mean pooling under its scores: its `AutoModelFor...` classes would
initialise a fresh layer. `--pooling pooler` makes a model that transformers loads completely."""
_ALONE = """Wordworth reads each option alone, without its context and question."""
_SHOWN = 12


def write_metadata(folder: Path, metadata: Mapping[str, Any]) -> None:
    """Write the metadata that prediction needs into `wordworth.json`."""
    text = json.dumps({"version": VERSION, **metadata}, indent=1, sort_keys=True, ensure_ascii=False)
    write_text(folder / METADATA, text + "\n")


def read_metadata(folder: Path) -> dict[str, Any]:
    """Read the metadata of a model folder from `wordworth.json`.

    Raises:
        BadInput: there is no such file, it is damaged, or a newer version wrote it.
    """
    path = model_folder(folder) / METADATA
    metadata = read_object(path, AGAIN)
    version = metadata.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < VERSION:
        raise BadInput("this file is damaged: no format version in it", where=str(path), mend=AGAIN)
    if version > VERSION:
        raise BadInput(f"unknown format version {version!r:.20}", where=str(path), mend="update wordworth")
    is_network = metadata.keys().isdisjoint((RUNG, CASCADE))
    needed = {**_NEEDED, **(_OF_NETWORK if is_network else {})}
    optional = {name: kind for name, kind in _OPTIONAL.items() if name in metadata}
    require_fields(metadata, {**needed, **optional}, str(path), AGAIN)
    damaged = _out_of_range(metadata)
    if damaged is not None:
        raise BadInput(f"this file is damaged: invalid value of {damaged!r}", where=str(path), mend=AGAIN)
    return metadata


def _out_of_range(metadata: Mapping[str, Any]) -> str | None:
    """Return the name of the first field with a value that no fine-tuning would write, or None."""
    known = _known() if "cut" in metadata else {}
    ranges = {
        **{name: metadata.get(name) in values for name, values in known.items() if name in metadata},
        "kind": task_types.todays_name(metadata["kind"]) in task_types.names(),
        "classes": all(isinstance(name, str) for name in metadata["classes"]),
        **{
            field: all(isinstance(each, str) for each in metadata.get(field, ())) for field in ("columns", LEARNED_FROM)
        },
        "tokens": 0 < metadata.get("tokens", 1) < _MOST_TOKENS,
        "context": 0 <= metadata.get("context", 0) < _MOST_TOKENS,
        f"{CASCADE}.threshold": isinstance(metadata.get(CASCADE, {"threshold": 0}).get("threshold"), int | float),
        "threshold": math.isfinite(metadata.get("threshold", 0.0)),
    }
    return next((name for name, holds in ranges.items() if not holds), None)


def _known() -> dict[str, tuple[str | None, ...]]:
    """Return field -> its possible values, for fields that only a fine-tuned network has; this imports torch."""
    from wordworth.models.pooling import SentencePooling
    from wordworth.training.task_heads.base import Cut

    return {"cut": get_args(Cut), "pooling": (*get_args(SentencePooling), "pooler", None)}


def write_model_card(folder: Path, metadata: Mapping[str, Any]) -> None:
    """Write the model card, `README.md`, into a model folder that already holds all other files.

    Args:
        folder: the model folder.
        metadata: the metadata that `write_metadata` wrote.
    """
    library, others = _others(folder, metadata)
    classes = metadata["classes"]
    listed = ", ".join(classes[:_SHOWN]) + (", ..." if len(classes) > _SHOWN else "")
    text = _CARD.format(
        library=library,
        kind=metadata["kind"],
        name=metadata.get("name", "a task"),
        tokens=metadata["tokens"],
        classes=f" {len(classes)} classes: {listed}." if classes else "",
        others="\n\n".join(others),
    )
    write_text(folder / "README.md", text)


def _others(folder: Path, metadata: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the library that loads the folder, and notes about it and about other libraries."""
    from wordworth.models.families import family_of
    from wordworth.models.pruned_heads_field import FIELD

    config = read_object(folder / "config.json")
    if not family_of(config["model_type"]).class_prefixes:
        return "wordworth", ["No other library loads it."]
    if config.get(FIELD):
        return "wordworth", [_REMOVED]
    above = _above(folder, metadata)
    if above:
        return "transformers", [f"transformers loads only the encoder: {above} in `head.safetensors`."]
    if (folder / "modules.json").is_file():
        notes = ["sentence-transformers loads it: its `encode` gives the scores.", _NO_CLASS]
        return "sentence-transformers", [*notes, *_missing(metadata)]
    return "transformers", [f"transformers loads it as `{config['architectures'][0]}`.", *_missing(metadata)]


def _above(folder: Path, metadata: Mapping[str, Any]) -> str:
    """Return a phrase for the layers above the encoder if no class of another library has them, else ""."""
    if metadata.get("features"):
        return "the tagger over its frozen states is"
    if metadata.get("bilstm"):
        return "the BiLSTM above it and the layers above that are"
    alone = (folder / "modules.json").is_file() and not (folder / "2_Dense").is_dir()
    return "the output layer is" if alone else ""


def _missing(metadata: Mapping[str, Any]) -> list[str]:
    """Return notes on what transformers ignores."""
    notes = [_CRF] if metadata.get("crf") else []
    notes += [_ALONE] if metadata.get(OPTIONS_ONLY) else []
    notes += [_ZEROS.format(metadata[ZERO_HEADS])] if metadata.get(ZERO_HEADS) else []
    notes += [_CONTEXT.format(metadata["context"])] if metadata.get("context") else []
    return notes + ([_THRESHOLD.format(metadata["threshold"])] if metadata.get("threshold") is not None else [])
