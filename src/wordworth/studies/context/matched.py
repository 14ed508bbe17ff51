"""The study that the paper could not make: its findings asked of models that differ in architecture alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.measures.bootstrap import Interval
from wordworth.progress import SILENT, Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.context.findings import CLAIMS, Answer, Claim, together
from wordworth.studies.context.readers import reader
from wordworth.studies.context.sentences import read_sentences
from wordworth.studies.context.settings import ContextSettings
from wordworth.studies.context.study import looked, told_of
from wordworth.studies.context.trained import MEANINGS, Curves, at, curves, over_trainings
from wordworth.studies.environment import environment

KIND = "context-matched"
_ALIKE = 1.001
Found = Mapping[str, Sequence[Curves]]
"""By architecture, the curves of each training."""
ANSWERS = {
    "finding": "short name",
    "claim": "what the paper says",
    "answer": "yes, no or cannot tell: of all architectures that it is said of",
}
EVIDENCE = {
    "finding": "short name",
    "decides": "whether the answer rests on this row; the others are reported beside",
    "architecture": "as it was given",
    "measure": "see the table `measures`",
    "statistic": "of its curve over the layers, the input layer left out",
    "value": "mean over trainings",
    "low": "lower end of the 95 % interval, over trainings and words (or sentences)",
    "high": "upper end of it",
    "above": "the finding holds where the statistic is above this; null for no bound",
    "below": "and below this; null for no bound",
    "answer": "yes where the whole interval is in that range, no where it is outside, else cannot tell",
    "trainings": "how many",
}
LAYERS = {
    "architecture": "as it was given",
    "layer": "0 is the input layer",
    "measure": "see the table `measures`",
    "value": "mean over trainings",
    "low": "lower end of the 95 % interval, over trainings and words (or sentences)",
    "high": "upper end of it",
    "null": "the same where context does nothing, mean over trainings; null where there is none",
    "each": "the value in each training",
}


def matched(
    models: Mapping[str, Sequence[Path]],
    data: Path | str,
    settings: ContextSettings,
    *,
    training: Sequence[Mapping[str, Any]] = (),
    progress: Progress = SILENT,
) -> Record:
    """A `Record` that answers each finding of Ethayarajh 2019 for models that were trained alike.

    Args:
        models: by architecture (`bert`, `gpt`, `bilm`), the folder of each training.
        data: sentences, as `context` takes them; all models read the same.
        settings: of the study; its `models` are not used.
        training: what is known of each training, a row each of the same columns, `tokens` among them; it goes into the
            record as it is.
        progress: whom to tell.

    Raises:
        BadInput: a model or the sentences cannot be read, or too few words stand in enough sentences.
    """
    read = read_sentences(data, settings.text, settings.limit, settings.seed)
    found = {
        name: [curves(looked(reader(str(folder), settings), read, settings, progress)[0]) for folder in folders]
        for name, folders in models.items()
    }
    evidence = [row for claim in CLAIMS for row in evidence_of(claim, found, settings.seed)]
    answers = [_answer(claim, evidence) for claim in CLAIMS]
    return Record(
        kind=KIND,
        settings=asdict(settings),
        data=told_of(read),
        tables={
            "answers": Table.of(answers, ANSWERS),
            "evidence": Table.of(evidence, EVIDENCE),
            "layers": Table.of(list(layers(found, settings.seed)), LAYERS),
            "training": Table.of(training, dict.fromkeys(training[0] if training else (), "as the training told")),
            "measures": Table.of(
                [{"measure": name, "meaning": meaning} for name, meaning in MEANINGS.items()],
                {"measure": "its name", "meaning": "what it is"},
            ),
        },
        findings=[_verdict(answers), *_told(answers, evidence), *_warnings(found, training)],
        environment=environment(threads=1),
    )


def evidence_of(claim: Claim, found: Found, seed: int) -> Iterator[dict[str, Any]]:
    """A row for each architecture that a finding is about and each measure of it; none where a measure is missing."""
    for name in claim.of:
        for measure in (claim.measure, *claim.beside):
            runs = [one[measure] for one in found.get(name, ()) if measure in one]
            if runs:
                value, span = over_trainings(runs, claim.statistic, seed)
                yield _row(claim, name, measure, (value, span, len(runs)))


def _row(claim: Claim, name: str, measure: str, said: tuple[float, Interval, int]) -> dict[str, Any]:
    value, span, trainings = said
    return {
        "finding": claim.name,
        "decides": measure == claim.measure,
        "architecture": name,
        "measure": measure,
        "statistic": claim.statistic.__name__,
        "value": value,
        "low": span.low,
        "high": span.high,
        "above": claim.low if claim.low > -float("inf") else None,
        "below": claim.high if claim.high < float("inf") else None,
        "answer": claim.answer(span),
        "trainings": trainings,
    }


def _answer(claim: Claim, evidence: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    mine = [row for row in evidence if row["finding"] == claim.name and row["decides"]]
    each: list[Answer] = [row["answer"] for row in mine]
    whole = each if len(mine) == len(claim.of) else [*each, "cannot tell"]
    return {"finding": claim.name, "claim": claim.text, "answer": together(whole)}


def layers(found: Found, seed: int) -> Iterator[dict[str, Any]]:
    """The table `layers`."""
    for name, runs in found.items():
        for measure, first in (runs[0] if runs else {}).items():
            mine = [one[measure] for one in runs]
            for layer in range(len(first.value)):
                value, span = over_trainings(mine, at(layer), seed)
                null = sum(float(one.null[layer]) for one in mine) / len(mine)
                each = [float(one.value[layer]) for one in mine]
                yield dict(zip(LAYERS, (name, layer, measure, value, span.low, span.high, null, each), strict=True))


def _verdict(answers: Sequence[Mapping[str, Any]]) -> Finding:
    said = {one: [row for row in answers if row["answer"] == one] for one in ("yes", "no", "cannot tell")}
    headline = f"{len(said['yes'])} of {len(answers)} findings hold under control."
    words = {"yes": "It holds", "no": "It does not hold", "cannot tell": "It cannot be told"}
    text = " ".join(f"{words[one]}: {row['claim']}" for one, rows in said.items() for row in rows)
    return Finding("verdict", text, {"headline": headline, **{row["finding"]: row["answer"] for row in answers}})


def _told(answers: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """A finding a finding: the answer and the numbers that decide it."""
    for row in answers:
        mine = [each for each in evidence if each["finding"] == row["finding"] and each["decides"]]
        numbers = ", ".join(f"{e['architecture']} {e['value']:.3f} ({e['low']:.3f} to {e['high']:.3f})" for e in mine)
        text = f"{row['claim']} {row['answer'].capitalize()}: {numbers or 'nothing was measured'}."
        yield Finding(f"finding.{row['finding']}", text, {e["architecture"]: e["value"] for e in mine})


def _warnings(found: Found, training: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    single = [name for name, runs in found.items() if len(runs) == 1]
    if single:
        text = f"One training alone of {', '.join(single)}: intervals there say nothing of other trainings."
        yield Finding("warning.one_training", text, {"architectures": single})
    tokens = [row["tokens"] for row in training if "tokens" in row]
    if tokens and max(tokens) > _ALIKE * min(tokens):
        text = f"The models did not read the same: from {min(tokens):,} to {max(tokens):,} tokens."
        yield Finding("warning.unequal", text, {"least": min(tokens), "most": max(tokens)})
