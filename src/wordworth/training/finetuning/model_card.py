"""The README.md of a fine-tuned model: what reads it whole, and what other libraries leave out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordworth.files import write_text
from wordworth.json_file import read_object
from wordworth.models.families.bilm import BILM
from wordworth.models.families.elmo import ELMO
from wordworth.models.families.wordworth_bert import OUR_BERT

_CARD = """---
library_name: {library}
tags: [wordworth, {kind}]
---

# Fine-tuned on {name}

A task of kind {kind}; at most {tokens} tokens are read at once.{classes}

## To use it

`wordworth predict THIS-FOLDER input.jsonl --out answers.jsonl`, in Python `wordworth.predict`, answers with all of it.

{others}
"""
_OURS = frozenset(family.architecture for family in (BILM, ELMO, OUR_BERT))
_CRF = """Scores of transformers lack the CRF that reads them here: its transitions from tag to tag are in
`head.safetensors`, and the tag with a word's largest score need not be the answer."""
_CONTEXT = """A sentence is read here with its neighbours in the document, {0} tokens in all; transformers reads it
alone."""
_THRESHOLD = """Nothing is answered here where the score of no answer exceeds the best answer's by more than {0:g};
transformers knows nothing of this threshold."""
_NO_CLASS = """No class of transformers has a mean under its scores: its `AutoModelFor...` classes would draw a fresh
layer. `--pooling pooler` makes a model that it loads whole."""
_SHOWN = 12


def write_tuned_card(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the card of a model folder that holds all else already."""
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
    """The library that loads the folder, and what is to be known of it and of others."""
    named = read_object(folder / "config.json")["architectures"][0]
    if named in _OURS:
        return "wordworth", ["No other library reads it."]
    above = _above(folder, facts)
    if above:
        return "transformers", [f"transformers finds the encoder alone in it: {above} in `head.safetensors`."]
    if (folder / "modules.json").is_file():
        return "sentence-transformers", ["sentence-transformers loads it: its `encode` gives the scores.", _NO_CLASS]
    return "transformers", [f"transformers loads it as `{named}`.", *_missing(facts)]


def _above(folder: Path, facts: Mapping[str, Any]) -> str:
    """What is above the encoder, where no class of another library has such layers; else ""."""
    if facts.get("features"):
        return "the tagger that reads its frozen states is"
    if facts.get("bilstm"):
        return "the BiLSTM above it and the layers that read that are"
    alone = (folder / "modules.json").is_file() and not (folder / "2_Dense").is_dir()
    return "the layer that gives the scores is" if alone else ""


def _missing(facts: Mapping[str, Any]) -> list[str]:
    """What the scores of transformers lack."""
    found = [_CRF] if facts.get("crf") else []
    found += [_CONTEXT.format(facts["context"])] if facts.get("context") else []
    return found + ([_THRESHOLD.format(facts["threshold"])] if facts.get("threshold") is not None else [])
