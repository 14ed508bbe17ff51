"""The matched study: the paper's findings tested on models that differ in architecture alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from parts.context_claims import CLAIMS, Answer, Claim, together
from parts.context_runs import MEANINGS, Curves, at, curves, over_trainings
from wordworth.measures.bootstrap import Interval
from wordworth.progress import SILENT, Progress
from wordworth.records import Finding, Record, Table
from wordworth.studies.contextuality.read_sentences import read_sentences
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.contextuality.study import describe_sentences, read_layers, reader
from wordworth.studies.study import environment

KIND = "context-matched"
_ALIKE = 1.001
Found = Mapping[str, Sequence[Curves]]
"""Architecture -> the curves of each training run."""
ANSWERS = {
    "finding": "short name",
    "claim": "what the paper says",
    "answer": "yes, no or cannot tell, for all architectures that the claim is about",
}
EVIDENCE = {
    "finding": "short name",
    "decides": "whether the answer rests on this row; the other rows are additional",
    "architecture": "name as given",
    "measure": "see the table `measures`",
    "statistic": "statistic of the measure's curve over the layers, without the input layer",
    "value": "mean over training runs",
    "low": "lower end of the 95 % interval, over training runs and words (or sentences)",
    "high": "upper end of the interval",
    "above": "the finding holds where the statistic is above this; null for no bound",
    "below": "and below this; null for no bound",
    "answer": "yes where the whole interval is in that range, no where it is outside, else cannot tell",
    "trainings": "number of training runs",
}
LAYERS = {
    "architecture": "name as given",
    "layer": "0 is the input layer",
    "measure": "see the table `measures`",
    "value": "mean over training runs",
    "low": "lower end of the 95 % interval, over training runs and words (or sentences)",
    "high": "upper end of the interval",
    "null": "the value where context does nothing, mean over training runs; null where there is none",
    "each": "the value in each training run",
}


def matched(
    models: Mapping[str, Sequence[Path]],
    data: Path | str,
    settings: ContextSettings,
    *,
    training: Sequence[Mapping[str, Any]] = (),
    progress: Progress = SILENT,
) -> Record:
    """Test each finding of Ethayarajh 2019 on models that were trained in the same way.

    Args:
        models: architecture (`bert`, `gpt`, `bilm`) -> the folder of each training run.
        data: sentences, as `context` takes them; all models read the same.
        settings: of the study; its `models` are not used.
        training: one row for each training run, all with the same columns, such as `tokens`; copied into the record.
        progress: receives progress and messages.

    Returns:
        A record of kind `context-matched`.

    Raises:
        BadInput: a model or the sentences cannot be read, or too few words occur in enough sentences.
    """
    read = read_sentences(data, settings.text, settings.limit, settings.seed)
    curves_of = {
        name: [curves(read_layers(reader(str(folder), settings), read, settings, progress)[0]) for folder in folders]
        for name, folders in models.items()
    }
    evidence = [row for claim in CLAIMS for row in evidence_of(claim, curves_of, settings.seed)]
    answers = [_answer(claim, evidence) for claim in CLAIMS]
    return Record(
        kind=KIND,
        settings=asdict(settings),
        data=describe_sentences(read),
        tables={
            "answers": Table.of(answers, ANSWERS),
            "evidence": Table.of(evidence, EVIDENCE),
            "layers": Table.of(list(layers(curves_of, settings.seed)), LAYERS),
            "training": Table.of(
                training, dict.fromkeys(training[0] if training else (), "as the training run reported it")
            ),
            "measures": Table.of(
                [{"measure": name, "meaning": meaning} for name, meaning in MEANINGS.items()],
                {"measure": "name", "meaning": "what it measures"},
            ),
        },
        findings=[_verdict(answers), *_answers_in_words(answers, evidence), *_warnings(curves_of, training)],
        environment=environment(threads=1),
    )


def evidence_of(claim: Claim, curves: Found, seed: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each architecture that a finding is about and each of its measures that the runs have."""
    for name in claim.of:
        for measure in (claim.measure, *claim.further_measures):
            runs = [run[measure] for run in curves.get(name, ()) if measure in run]
            if runs:
                value, span = over_trainings(runs, claim.statistic, seed)
                yield _row(claim, name, measure, (value, span, len(runs)))


def _row(claim: Claim, name: str, measure: str, result: tuple[float, Interval, int]) -> dict[str, Any]:
    value, span, trainings = result
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
    deciding = [row for row in evidence if row["finding"] == claim.name and row["decides"]]
    each: list[Answer] = [row["answer"] for row in deciding]
    whole = each if len(deciding) == len(claim.of) else [*each, "cannot tell"]
    return {"finding": claim.name, "claim": claim.text, "answer": together(whole)}


def layers(curves: Found, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `layers`."""
    for name, runs in curves.items():
        for measure, first in (runs[0] if runs else {}).items():
            by_run = [run[measure] for run in runs]
            for layer in range(len(first.value)):
                value, span = over_trainings(by_run, at(layer), seed)
                null = sum(float(curve.null[layer]) for curve in by_run) / len(by_run)
                each = [float(curve.value[layer]) for curve in by_run]
                yield dict(zip(LAYERS, (name, layer, measure, value, span.low, span.high, null, each), strict=True))


def _verdict(answers: Sequence[Mapping[str, Any]]) -> Finding:
    by_answer = {value: [row for row in answers if row["answer"] == value] for value in ("yes", "no", "cannot tell")}
    headline = f"{len(by_answer['yes'])} of {len(answers)} findings hold under control."
    words = {"yes": "It holds", "no": "It does not hold", "cannot tell": "It cannot be decided"}
    text = " ".join(f"{words[value]}: {row['claim']}" for value, rows in by_answer.items() for row in rows)
    return Finding("verdict", text, {"headline": headline, **{row["finding"]: row["answer"] for row in answers}})


def _answers_in_words(answers: Sequence[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield one finding per claim: its answer and the numbers that decide it."""
    for row in answers:
        deciding = [each for each in evidence if each["finding"] == row["finding"] and each["decides"]]
        values = [f"{e['architecture']} {e['value']:.3f} ({e['low']:.3f} to {e['high']:.3f})" for e in deciding]
        numbers = ", ".join(values)
        text = f"{row['claim']} {row['answer'].capitalize()}: {numbers or 'nothing was measured'}."
        yield Finding(f"finding.{row['finding']}", text, {e["architecture"]: e["value"] for e in deciding})


def _warnings(curves_of: Found, training: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    single = [name for name, runs in curves_of.items() if len(runs) == 1]
    if single:
        text = f"Only one training run of {', '.join(single)}: intervals there say nothing about other runs."
        yield Finding("warning.one_training", text, {"architectures": single})
    tokens = [row["tokens"] for row in training if "tokens" in row]
    if tokens and max(tokens) > _ALIKE * min(tokens):
        text = f"The models were not trained on equally many tokens: {min(tokens):,} to {max(tokens):,}."
        yield Finding("warning.unequal", text, {"least": min(tokens), "most": max(tokens)})
