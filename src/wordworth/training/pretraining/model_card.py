"""The model card: what the model is, what it was trained on and how, how well it does, and its limits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wordworth.models.sentence_transformers_format import read_sentence_settings
from wordworth.sentence_formatting import count_of, percent
from wordworth.text.corpus.token_store import TokenStore, store_name
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.corpus_statistics import CORPUS
from wordworth.training.pretraining.export import library
from wordworth.training.pretraining.model import PretrainingModel
from wordworth.training.pretraining.recipe import IDLE, OF_FRESH
from wordworth.training.pretraining.run_logger import RISEN, fresh_heads_note

_ROWS = 12
_FALLEN = 0.2
"""A rate that ends at this fraction of its highest has come down."""
_BAG = 0.1
"""Nats gained from word order below which a model is no more than a bag of words."""
_KINDS = {"bert": "BERT", "causal-bert": "left-to-right BERT", "gpt": "GPT-2", "bilm": "two-way LSTM"}
_READ = "It was trained on the text above and nothing else."
_READ_ON = """It was continued on the text above; the card of the model that it started from says what that was trained
on."""
_LIMITS = """{read} It knows the language, time and subjects of its training text,
and repeats its errors and prejudices. Losses are per subword of this vocabulary and cannot be compared with those of
another.
{vectors}
"""
_UNTRAINED = "Its sentence vectors have had no training of their own."
_TRAINED_BEFORE = "Its sentence vectors were trained before it was continued, and not since."


def card(
    settings: PretrainingConfig,
    stores: Sequence[TokenStore],
    rows: Sequence[Mapping[str, Any]],
    network: PretrainingModel,
) -> str:
    """Return the model card of a pretraining run as Markdown.

    Args:
        settings: the settings of the run.
        stores: the token stores that were trained on.
        rows: the rows of the log.
        network: the model.
    """
    steps = [row for row in rows if row["kind"] == "step"]
    evaluations = [row for row in rows if row["kind"] == "evaluation"]
    read = sum(row["tokens"] for row in steps)
    ingredients = ", ".join(_ingredients(settings, network.encoder.width))
    parts = [
        f"---\nlibrary_name: {library(network)}\ntags: [wordworth, {settings.architecture}]\n---\n",
        f"# {_title(settings)}\n",
        f"{network.num_parameters:,} parameters, {len(steps):,} updates over {read:,} tokens.\n",
        "## Data\n",
        *(_data(store) for store in stores),
        _corpora(rows),
        "\n## Recipe\n",
        f"`{settings.recipe.name}`: {ingredients}; seed {settings.seed}.\n",
        "## Curve\n",
        _curve(steps, evaluations),
        learning_rate_note(steps, settings.recipe.peak(network.encoder.width)),
        _unrisen(steps, settings.recipe.peak(network.encoder.width)),
        _evaluation_note(rows),
        _floors(settings, rows),
        *(f"**{sentence}**\n" for sentence in (*_fresh(rows), *learning_warnings(rows))),
        "\n## Limits\n",
        _limits(settings.initial_model),
    ]
    return "\n".join(part for part in parts if part)


def _limits(initial_model: Path | None) -> str:
    if initial_model is None:
        return _LIMITS.format(read=_READ, vectors=_UNTRAINED)
    has_vectors = read_sentence_settings(initial_model).exists
    return _LIMITS.format(read=_READ_ON, vectors=_TRAINED_BEFORE if has_vectors else _UNTRAINED)


def _title(settings: PretrainingConfig) -> str:
    kind = _KINDS.get(settings.architecture, settings.architecture)
    if settings.initial_model is None:
        return f"A {kind} of shape {settings.model_size}, pretrained from scratch"
    return f"{settings.initial_model_name or settings.initial_model.name}, a {kind}, continued on other text"


def _data(store: TokenStore) -> str:
    counts = ", ".join(count_of(value, name.removesuffix("s"), name) for name, value in store.counts.items() if value)
    return f"* {store_name(store.folder)}: {counts}; fingerprint `{store.fingerprint}`"


def _corpora(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a Markdown table with the log's row of each of several corpora; "" for a run on a single corpus."""
    corpora = [row for row in rows if row["kind"] == CORPUS]
    if not corpora:
        return ""
    names = [name for name in max(corpora, key=len) if name not in {"kind", "step", "corpus"}]
    lines = [["corpus", *names], ["---"] * (1 + len(names))]
    lines += [[row["corpus"], *(_short(row[name]) if name in row else "" for name in names)] for row in corpora]
    return "\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _floors(settings: PretrainingConfig, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence with the held-out loss of subword frequencies alone, to compare losses with; "" if unknown."""
    start = next((row for row in rows if row["kind"] == "start"), {})
    known = [f"{name} {_short(value)}" for name, value in start.items() if name.endswith("_unigram")]
    if not known or settings.held_out is None:
        return ""
    return f"Held out: {store_name(settings.held_out)}. Loss of subword frequencies alone: {', '.join(known)}.\n"


def learning_rate_note(steps: Sequence[Mapping[str, Any]], peak: float) -> str:
    """Return a sentence on the peak and the last value of the learning rate, with a warning if the last is not low.

    Args:
        steps: the rows of the log, one for each step.
        peak: the peak learning rate that was planned.
    """
    rates = [row["learning_rate"] for row in steps]
    top = max(rates, default=0.0)
    if not top:
        return ""
    at = steps[rates.index(top)]["step"]
    last = rates[-1] / top
    course = (
        f"The learning rate was highest ({top:.3g}, {percent(top / (peak or top))} of its peak) at update {at:,} and "
        f"{percent(last)} of that at the last."
    )
    return f"{course}\n" if last <= _FALLEN else f"{course} **It had not come down: a longer run would do better.**\n"


def _evaluation_note(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a note if the budget made evaluations read only part of the held-out text; else ""."""
    start: Mapping[str, Any] = next((row for row in rows if row["kind"] == "start"), {})
    texts, whole = start.get("evaluation_texts", 0), start.get("evaluation_texts_of", 0)
    return (
        f"Evaluations read {texts:,} of {whole:,} held-out texts, to leave time for training.\n"
        if texts < whole
        else ""
    )


def _unrisen(steps: Sequence[Mapping[str, Any]], peak: float) -> str:
    """Return a warning if the run was too short for its learning rate to rise; else ""."""
    reach = max((row["learning_rate"] for row in steps), default=0.0) / (peak or 1.0)
    if reach >= RISEN:
        return ""
    return f"**The run was too short for its learning rate**, of which it reached {reach:.0%} ({peak:g}).\n"


def _fresh(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a list with a note of the heads that this run initialised; empty if there are none."""
    names = [name for row in rows if row["kind"] == "start" for name in row["fresh"]]
    return [f"{fresh_heads_note(names)}."] if names else []


def learning_warnings(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return warnings if the last evaluation on held-out text shows that the model learned little; else []."""
    start: Mapping[str, Any] = next((row for row in rows if row["kind"] == "start"), {})
    evaluation: Mapping[str, Any] = next((row for row in reversed(rows) if row["kind"] == "evaluation"), {})
    losses = [(name, start[f"{name}_unigram"]) for name in evaluation if f"{name}_unigram" in start]
    warnings = [
        "It does no better yet on held-out text than subword frequencies alone: "
        f"{name} {evaluation[name]:.2f}, against {floor:.2f}."
        for name, floor in losses
        if evaluation[name] >= floor
    ]
    gap = evaluation.get("mlm_shuffled", math.inf) - evaluation.get("mlm", 0.0)
    if gap <= _BAG:
        warnings.append(
            f"It has learned nothing of word order yet: with the visible words shuffled it loses {gap:z.2f} nats."
        )
    return warnings


def _ingredients(settings: PretrainingConfig, width: int) -> list[str]:
    """Return the settings of the recipe that had an effect on this model, each as "name value"."""
    idle = {"name", *IDLE.get(settings.architecture, ()), *(OF_FRESH if settings.initial_model else ())}
    if settings.recipe.sequences not in {"pairs", "ordered", "dialogues"}:
        idle.add("pair_objective")
    ingredients = dataclasses.asdict(settings.recipe) | {"learning_rate": settings.recipe.peak(width)}
    if settings.lexicon is not None:
        ingredients["masking_unit"] = f"phrases of {settings.lexicon.name}"
    return [f"{name} {value}" for name, value in ingredients.items() if name not in idle]


def _curve(steps: Sequence[Mapping[str, Any]], evaluations: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of evaluations on held-out text, or of training losses if there was none."""
    if evaluations:
        names = [name for name in evaluations[-1] if name not in {"kind", "step"}]
        return _table(["step", *names], [[row["step"], *(row[name] for name in names)] for row in _thin(evaluations)])
    return _table(["step", "training loss"], [[row["step"], row["loss"]] for row in _thin(steps)])


def _thin(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return at most a dozen rows, evenly spaced, the last among them."""
    count = min(_ROWS, len(rows))
    return [rows[len(rows) * (index + 1) // count - 1] for index in range(count)]


def _table(names: Sequence[str], rows: Sequence[Sequence[float]]) -> str:
    lines = [names, ["---"] * len(names), *([_short(value) for value in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
