"""What a fine-tuning found, in sentences: the answer, what became of runs, and how it was done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.metrics import metric
from wordworth.measures.successive_halving import rounds
from wordworth.records import Finding
from wordworth.studies.finetune.dev_split import LEAST_DEV
from wordworth.text_format import count_of, percent
from wordworth.training.mixed_precision import supports_bf16

if TYPE_CHECKING:
    from wordworth.measures.weighted_sums import Floats
    from wordworth.studies.finetune.dev_split import Split
    from wordworth.studies.finetune.record import Evidence
    from wordworth.studies.finetune.scores import Scored
    from wordworth.tasks.task import Task

_POINTS = 100
_FEW_RUNS = 2
_USUAL = "Saying the most frequent class of every example"
_UNLEARNED = {"span": "Saying that no question has an answer", "choice": "Guessing"}
"""What needs no model and is scored beside one."""


def verdict(evidence: Evidence, found: Sequence[Scored]) -> Finding:
    """The mean score with its spread, or that nothing was learned."""
    main, task, runs = found[0], evidence.bench.task, len(evidence.results)
    collapsed = sum(one.state == "collapsed" for one in evidence.results)
    numbers: dict[str, Any] = {"runs": runs, "ended": len(main.values), "collapsed": collapsed, "metric": main.name}
    if evidence.best is None:
        return Finding(
            "verdict",
            f"{'The run' if runs == 1 else f'All {runs} runs'} failed: {evidence.results[0].reason}.",
            {**numbers, "headline": "No run ended."},
        )
    mean, floor = float(main.values.mean()), baseline(evidence)
    numbers |= {"mean": mean, "low": main.low, "high": main.high, "baseline": floor, "best": evidence.best.name}
    title = f"{main.title[:1].upper()}{main.title[1:]}"
    numbers["headline"] = "Nothing was learned." if collapsed == runs else f"{title} {_POINTS * mean:.1f}"
    against = "" if floor is None else f" {_UNLEARNED.get(task.kind, _USUAL)} would score {_POINTS * floor:.1f}."
    text = (
        f"{evidence.title} fine-tuned on {task.name} scores {_POINTS * mean:.1f} on {len(task.test):,} test "
        f"examples (95 %: {_POINTS * main.low:.1f} to {_POINTS * main.high:.1f}){_spread(main.values)}.{against}"
    )
    return Finding("verdict", text, numbers)


def _spread(values: Floats) -> str:
    """From the lowest run to the highest, of those that ended."""
    if len(values) == 1:
        return ""
    least, most = (f"{_POINTS * value:.1f}" for value in (values.min(), values.max()))
    over = count_of(len(values), "run")
    return f", alike in {over}" if least == most else f", from {least} to {most} over {over}"


def baseline(evidence: Evidence) -> float | None:
    """What saying the most frequent class always would score, or of questions that none has an answer, or guessing.

    None where a kind has no such thing, or every question has an answer.
    """
    task = evidence.bench.task
    if task.kind == "choice":
        return float(np.mean([1 / len(several) for several in task.examples.take(task.test).options or ()]))
    said = _constant(task)
    if said is None:
        return None
    value = float(metric(task.metric, task.classes).score(task.gold(task.test), said))
    return value if np.isfinite(value) else None


def _constant(task: Task) -> np.ndarray | None:
    """The same said of every test example, by what is known of the training part."""
    if task.kind in {"single", "pair"}:
        counts = np.bincount(np.asarray(task.gold(task.train)), minlength=len(task.classes)).astype(np.float64)
        return np.tile(counts, (len(task.test), 1))
    return np.full(len(task.test), "", dtype=object) if _may_be_silent(task) else None


def _may_be_silent(task: Task) -> bool:
    """Whether it is learned that questions may have no answer."""
    return task.kind == "span" and not all(task.gold(task.train))


def run_outcomes(evidence: Evidence, main: Scored) -> list[Finding]:
    """What a reader must know beside the score: that it is no better than none, runs that fell out, texts cut."""
    several = (_collapsed(evidence), _failed(evidence), _few(evidence), _no_dev(evidence), _cut(evidence))
    return [one for one in (_unlearned(evidence, main), *several) if one is not None]


def _unlearned(evidence: Evidence, main: Scored) -> Finding | None:
    """That the score is not surely above what needs no model."""
    floor = baseline(evidence)
    if floor is None or not len(main.values) or main.low > floor:
        return None
    mean, what = float(main.values.mean()), _UNLEARNED.get(evidence.bench.task.kind, _USUAL)
    beside = "below" if mean < floor else "not surely above"
    text = f"The score, {_POINTS * mean:.1f}, is {beside} what needs no model: {what[:1].lower()}{what[1:]} scores "
    return Finding("warning.unlearned", f"{text}{_POINTS * floor:.1f}.", {"mean": mean, "baseline": floor})


def _collapsed(evidence: Evidence) -> Finding | None:
    collapsed = [one for one in evidence.results if one.state == "collapsed"]
    if not collapsed:
        return None
    seeds, part = ", ".join(str(one.seed) for one in collapsed), "dev" if len(evidence.bench.parts.dev) else "training"
    text = (
        f"{len(collapsed)} of {count_of(len(evidence.results), 'run')} collapsed (seed {seeds}), saying the same of "
        f"every {part} example, and counted in every mean here. More epochs or another rate may help: a lower one "
        "where the loss jumps, a higher one where it hardly falls."
    )
    return Finding("warning.collapsed", text, {"runs": len(collapsed)})


def _failed(evidence: Evidence) -> Finding | None:
    failed = [one for one in evidence.results if one.state == "failed"]
    if not failed:
        return None
    runs = count_of(len(evidence.results), "run")
    text = f"{len(failed)} of {runs} failed, counted in no mean: {failed[0].reason}."
    return Finding("warning.failed", text, {"runs": len(failed)})


def _few(evidence: Evidence) -> Finding | None:
    if len(evidence.ended) != _FEW_RUNS:
        return None
    text = "Two runs show little of how much runs differ, and the intervals are wide for it: a third narrows them."
    return Finding("warning.few-runs", text)


def _no_dev(evidence: Evidence) -> Finding | None:
    """Why there is no dev part, and what decides in its place."""
    if len(evidence.bench.parts.dev):
        return None
    share, rows = evidence.bench.settings.dev_share or 0.0, len(evidence.bench.task.train)
    few = f"{percent(share)} of {rows:,} training examples is under {LEAST_DEV}"
    why = "none was asked for" if share == 0 else few
    text = f"There was no dev part ({why}): the last weights are kept, and the run with the lowest training loss."
    if _may_be_silent(evidence.bench.task):
        text += " Nor was it tuned when to say that there is no answer: a larger --dev does so."
    return Finding("warning.no-dev", text)


def _cut(evidence: Evidence) -> Finding | None:
    bench = evidence.bench
    cut = int(bench.inputs.truncated[bench.task.test].sum())
    if not cut or bench.task.kind == "span":
        return None
    part = "end" if bench.reader.cut == "end" else "middle"
    longer = count_of(cut, "test example is", "test examples are")
    return Finding(
        "warning.cut", f"{longer} longer than {bench.reader.limit} tokens; the {part} was cut out.", {"cut": cut}
    )


def method(evidence: Evidence) -> list[Finding]:
    """How the numbers came about, a finding a step."""
    bench, point = evidence.bench, evidence.point
    settings, parts = bench.settings, bench.parts
    steps = {
        "parts": f"Learned from {len(parts.train):,} examples, {_choices(parts, settings.dev_file)}; the "
        f"{len(parts.test):,} test examples decided nothing.",
        "recipe": _recipe(evidence),
        "head": _head(evidence),
        "bilstm": "A BiLSTM, freshly drawn, read the encoder's states, and the layers above read its; it learned with "
        "them. The model's folder holds the encoder as transformers loads it, without what is above."
        if settings.bilstm
        else "",
        "runs": _runs(settings.restarts, dev=len(parts.dev) > 0),
        "intervals": "Intervals are 95 %, from 1,000 bootstrap resamples over runs and test examples together; a "
        "paragraph's questions, a premise's hypotheses and a document's sentences are drawn as one.",
        "grid": _grid(evidence),
        "precision": _precision(evidence),
    }
    return [Finding(f"method.{name}", text) for name, text in steps.items() if text] if point else []


def _choices(parts: Split, dev_file: str | None) -> str:
    if not len(parts.dev):
        return "the same for every run, and no others were left to make choices on"
    if dev_file is not None:
        return f"with choices made on the {len(parts.dev):,} of {Path(dev_file).name}, the same for every run"
    return f"with choices made on {len(parts.dev):,} others of the training part, the same for every run"


def _runs(restarts: int, *, dev: bool) -> str:
    if restarts == 1:
        return "One run was made; others would differ in the new layers' first weights, the order of examples, dropout."
    kept = "that is best on the dev part" if dev else "with the lowest last training loss, as there is no dev part"
    return (
        f"{restarts} runs of the same settings differ in the new layers' first weights, the order of examples and "
        f"dropout; the model kept is the one {kept}."
    )


def _recipe(evidence: Evidence) -> str:
    point, settings = evidence.point, evidence.bench.settings
    if settings.features is not None:
        return (
            f"The encoder learned nothing: a two-layer BiLSTM of 768 numbers read its states ({settings.features}), at "
            f"rate {point.rate:g}, batch {point.batch}, over {point.epochs:g} epochs."
        )
    paper = settings.recipe == "paper"
    by = "Adam as BERT had it (no bias correction)" if paper else "AdamW with bias correction"
    kept = "the look at the dev part that was best" if evidence.bench.keeps_best else "the last"
    layers = (
        "Every layer learned, the embedding too" if settings.embeddings else "Every layer but the embedding learned"
    )
    return (
        f"{layers}: {by}, rate {point.rate:g} after a warm-up over 10 % of the updates, then linearly to 0; batch "
        f"{point.batch}, {point.epochs:g} epochs, dropout as in pretraining. Kept weights are {kept}."
    )


def _head(evidence: Evidence) -> str:
    bench, kind = evidence.bench, evidence.bench.task.kind
    if bench.features is not None:
        return ""
    if kind == "span":
        null = " No answer where its score exceeds the best by more than a threshold tuned on the dev part."
        return (
            f"Windows of {bench.reader.limit} tokens over each context; an answer is the best start and end in the "
            f"window that shows its start with most context.{null if _silent(evidence) else ''}"
        )
    if kind == "tags":
        whole = "file, which marks no documents" if bench.task.examples.documents is None else "document"
        around = f"with its neighbours in the {whole}, {bench.context} tokens in all" if bench.context else "alone"
        crf = ", under a CRF" if bench.settings.crf else ""
        return f"A word is tagged at its first piece{crf}; a sentence is read {around}."
    how = f"the {bench.pooling} over its tokens, as the sentence encoder that it comes from has it"
    how = "BERT's pooler over the first token" if bench.pooling == "pooler" else how
    return f"A sequence's vector is {how}; it is cut at {bench.reader.limit} tokens."


def _silent(evidence: Evidence) -> bool:
    return evidence.best is not None and "threshold" in evidence.best.chosen


def _grid(evidence: Evidence) -> str:
    if not evidence.raced:
        return ""
    pruned, (tried, *later) = sum(one.state == "pruned" for one in evidence.raced), rounds(len(evidence.raced))
    shares = zip(later, ("for a half", "to the end"), strict=False)
    best = "".join(
        f", the best {each.configurations if each.configurations > 1 else 'one'} {to}" for each, to in shares
    )
    return (
        f"{tried.configurations} settings were tried with one seed and judged by the dev part: all for a quarter of "
        f"their updates{best}; {pruned} were dropped on the way.{_tied(evidence)}"
    )


def _tied(evidence: Evidence) -> str:
    """That the dev part could not choose, where it could not."""
    seen = [max((look.dev for look in one.looks if look.dev is not None), default=-np.inf) for one in evidence.raced]
    alike = seen.count(max(seen))
    return f" {alike} of them scored alike on the dev part, and one of these was taken." if alike > 1 else ""


def _precision(evidence: Evidence) -> str:
    said = "The encoder computed in bfloat16, its weights and the new layers learned in float32."
    halved = evidence.bench.features is None and supports_bf16(evidence.bench.encoder.model.device)
    return said if halved else ""
