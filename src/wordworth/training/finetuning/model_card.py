"""The README.md of a fine-tuned model: which library loads it, and which parts other libraries ignore."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.files import write_text
from wordworth.json_file import read_object
from wordworth.models.families import family_of

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
_NO_CLASS = """transformers has no class with mean pooling under its scores: its `AutoModelFor...` classes would
initialise a fresh layer. `--pooling pooler` makes a model that transformers loads completely."""
_SHOWN = 12


def write_tuned_card(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the card into a model folder that holds all other files already."""
    library, others = _others(folder, facts)
    classes = facts["classes"]
    listed = ", ".join(classes[:_SHOWN]) + (", ..." if len(classes) > _SHOWN else "")
    text = _CARD.format(
        library=library,
        kind=facts["kind"],
        name=facts.get("name", "a task"),
        tokens=facts["tokens"],
        classes=f" {len(classes)} classes: {listed}." if classes else "",
        others="\n\n".join(others),
    )
    write_text(folder / "README.md", text)


def _others(folder: Path, facts: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the library that loads the folder, and notes about it and about other libraries."""
    config = read_object(folder / "config.json")
    if not family_of(config["model_type"]).class_prefixes:
        return "wordworth", ["No other library loads it."]
    above = _above(folder, facts)
    if above:
        return "transformers", [f"transformers loads only the encoder: {above} in `head.safetensors`."]
    if (folder / "modules.json").is_file():
        return "sentence-transformers", ["sentence-transformers loads it: its `encode` gives the scores.", _NO_CLASS]
    return "transformers", [f"transformers loads it as `{config['architectures'][0]}`.", *_missing(facts)]


def _above(folder: Path, facts: Mapping[str, Any]) -> str:
    """Return a phrase for the layers above the encoder if no class of another library has them, else ""."""
    if facts.get("features"):
        return "the tagger over its frozen states is"
    if facts.get("bilstm"):
        return "the BiLSTM above it and the layers above that are"
    alone = (folder / "modules.json").is_file() and not (folder / "2_Dense").is_dir()
    return "the output layer is" if alone else ""


def _missing(facts: Mapping[str, Any]) -> list[str]:
    """Return notes on what transformers ignores."""
    notes = [_CRF] if facts.get("crf") else []
    notes += [_CONTEXT.format(facts["context"])] if facts.get("context") else []
    return notes + ([_THRESHOLD.format(facts["threshold"])] if facts.get("threshold") is not None else [])
