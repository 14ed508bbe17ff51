"""The findings of a fine-tuning in sentences: the verdict, the outcomes of the runs, and the method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.measures.metrics import metric
from wordworth.record_json_values import finite_or_none
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, percent
from wordworth.studies.few_runs_warning import few_runs_warning
from wordworth.text.entity_link_tokenizer import LinkedTokenizer
from wordworth.text.entity_links import links_as_letters, unclosed_links
from wordworth.training.finetuning.dev_split import LEAST_DEV
from wordworth.training.finetuning.grid_search import rounds
from wordworth.training.mixed_precision import supports_bf16

if TYPE_CHECKING:
    from wordworth.measures.weighted_sums import Floats
    from wordworth.studies.finetune.results import Scored, StudyResults
    from wordworth.tasks.task import Task
    from wordworth.training.finetuning.dev_split import Split
    from wordworth.training.finetuning.settings import FinetuneSettings

REMEDIES = (
    "More epochs or another learning rate may help: a lower one where the loss jumps, a higher one where it hardly "
    "falls."
)
"""What may help where runs collapse."""
_POINTS = 100


def verdict(results: StudyResults, scores: Sequence[Scored]) -> Finding:
    """Return the finding `verdict`: the mean score with its interval and range over runs.

    If all runs failed, the verdict says so.
    """
    main, task, runs = scores[0], results.experiment.task, len(results.restarts)
    collapsed = sum(run.state == "collapsed" for run in results.restarts)
    numbers: dict[str, Any] = {"runs": runs, "ended": len(main.values), "collapsed": collapsed, "metric": main.name}
    if results.best is None:
        return Finding(
            "verdict",
            f"{'The run' if runs == 1 else f'All {runs} runs'} failed: {results.restarts[0].reason}.",
            {**numbers, "headline": "No run ended."},
        )
    mean, floor = float(main.values.mean()), baseline(task)
    numbers |= {"mean": mean, "low": main.low, "high": main.high, "baseline": floor, "best": results.best.name}
    title = f"{main.title[:1].upper()}{main.title[1:]}"
    numbers["headline"] = "Nothing was learned." if collapsed == runs else f"{title} {_POINTS * mean:.1f}"
    against = "" if floor is None else f" {task.type.wording.baseline} would score {_POINTS * floor:.1f}."
    text = (
        f"{results.title} fine-tuned on {task.name} scores {_POINTS * mean:.1f} on {len(task.test):,} test "
        f"examples (95 %: {_POINTS * main.low:.1f} to {_POINTS * main.high:.1f}){_score_range(main.values)}.{against}"
    )
    return Finding("verdict", text, numbers)


def _score_range(values: Floats) -> str:
    """Return a clause with the lowest and the highest of the runs' scores `values`, float64 [runs]; "" for one run."""
    if len(values) == 1:
        return ""
    least, most = (f"{_POINTS * value:.1f}" for value in (values.min(), values.max()))
    over = count_of(len(values), "run")
    return f", the same in {over}" if least == most else f", from {least} to {most} over {over}"


def baseline(task: Task) -> float | None:
    """Return the score on the test part, by the task's metric, of a baseline without a model.

    The baseline always predicts the most frequent class, gives no answer to any question, or guesses among options. The
    result is None for kinds of task without such a baseline, and for question answering in which every question has an
    answer.
    """
    chance = task.type.chance_score(task.examples.take(task.test))
    constant = task.type.baseline_predictions(task.gold(task.train), task.classes, len(task.test))
    if chance is not None or constant is None:
        return chance
    value = float(metric(task.metric, task.classes).score(task.gold(task.test), constant))
    return finite_or_none(value)


def run_outcomes(results: StudyResults, main: Scored) -> list[Finding]:
    """Return the warnings about runs, such as a score not above the baseline, failed runs, or fewer than three runs."""
    own = (_collapsed, _failed, _few, no_dev_warning, _cut, _links)
    warnings = [baseline_warning(results.experiment.task, main), *(warning(results) for warning in own)]
    return [warning for warning in warnings if warning is not None]


def baseline_warning(task: Task, main: Scored) -> Finding | None:
    """Return a warning if the score is not significantly above the baseline; else None.

    Args:
        task: the task.
        main: the scores by the task's metric.
    """
    floor = baseline(task)
    if floor is None or not len(main.values) or main.low > floor:
        return None
    mean, what = float(main.values.mean()), task.type.wording.baseline
    beside = "below" if mean < floor else "not significantly above"
    text = (
        f"The score, {_POINTS * mean:.1f}, is {beside} a baseline without a model: {what[:1].lower()}{what[1:]} scores "
    )
    return Finding("warning.unlearned", f"{text}{_POINTS * floor:.1f}.", {"mean": mean, "baseline": floor})


def _collapsed(results: StudyResults) -> Finding | None:
    collapsed = [run for run in results.restarts if run.state == "collapsed"]
    if not collapsed:
        return None
    seeds, part = (
        ", ".join(str(run.seed) for run in collapsed),
        "dev" if len(results.experiment.split.dev) else "training",
    )
    text = (
        f"{len(collapsed)} of {count_of(len(results.restarts), 'run')} collapsed (seed {seeds}): the same is predicted "
        f"for every {part} example. All means here include them. {REMEDIES}"
    )
    return Finding("warning.collapsed", text, {"runs": len(collapsed)})


def _failed(results: StudyResults) -> Finding | None:
    failed = [run for run in results.restarts if run.state == "failed"]
    if not failed:
        return None
    runs = count_of(len(results.restarts), "run")
    text = f"{len(failed)} of {runs} failed and are not in any mean: {failed[0].reason}."
    return Finding("warning.failed", text, {"runs": len(failed)})


def _few(results: StudyResults) -> Finding | None:
    return few_runs_warning(len(results.ended)) if results.ended else None


def no_dev_warning(results: StudyResults) -> Finding | None:
    """Return a warning if no rows were held out as a dev part; None if there is a dev part.

    The warning says by which rule the best run is chosen without a dev part.
    """
    if len(results.experiment.split.dev):
        return None
    share, rows = results.experiment.settings.dev_share or 0.0, len(results.experiment.task.train)
    few = f"{percent(share)} of {rows:,} training examples is fewer than {LEAST_DEV}"
    why = "none was requested" if share == 0 else few
    text = f"There was no dev part ({why}): each run keeps its last weights, and the run with the lowest training loss "
    text += "is the best."
    task = results.experiment.task
    if task.type.has_unanswerable(task.gold(task.train)):
        text += " The threshold of no answer was not tuned either; a larger dev part does so."
    return Finding("warning.no-dev", text)


def _cut(results: StudyResults) -> Finding | None:
    experiment = results.experiment
    cut = int(experiment.inputs.truncated[experiment.task.test].sum())
    if not cut or experiment.task.type.reads_windows:
        return None
    part = "end" if experiment.reader.cut == "end" else "middle"
    longer = count_of(cut, "test example is", "test examples are")
    return Finding(
        "warning.cut", f"{longer} longer than {experiment.reader.limit} tokens; the {part} was cut.", {"cut": cut}
    )


def _links(results: StudyResults) -> Finding | None:
    """Return a warning if texts have links to entities that the model reads as letters; else None."""
    experiment = results.experiment
    fused = isinstance(experiment.encoder.tokenizer, LinkedTokenizer)
    text = (unclosed_links if fused else links_as_letters)(experiment.task.examples.first)
    return Finding("warning.links", f"{text[:1].upper()}{text[1:]}.") if text else None


def method(results: StudyResults) -> list[Finding]:
    """Return the findings that describe the method of a fine-tuning; each finding describes one step."""
    experiment = results.experiment
    settings, split = experiment.settings, experiment.split
    steps = {
        "parts": f"Trained on {len(split.train):,} examples, {_choices(split, settings.dev_file)}; the "
        f"{len(split.test):,} test examples decided nothing.",
        "recipe": _recipe(results),
        "head": _head(results),
        "bilstm": "A newly initialised BiLSTM read the encoder's states, and the layers above read those of the "
        "BiLSTM; it was trained with them. In the model's folder, transformers loads the encoder without the layers "
        "above it."
        if settings.bilstm
        else "",
        "options": _options(settings),
        "runs": _runs(settings.restarts, dev=len(split.dev) > 0),
        "intervals": "Intervals are 95 %, from 1,000 bootstrap resamples over runs and test examples together; a "
        "paragraph's questions, a premise's hypotheses and a document's sentences are drawn together.",
        "grid": grid_note(results),
        "precision": _precision(results),
    }
    return [Finding(f"method.{name}", text) for name, text in steps.items() if text]


def _choices(split: Split, dev_file: str | None) -> str:
    if not len(split.dev):
        return "the same for every run, without a dev part"
    if dev_file is not None:
        return f"with choices made on the {len(split.dev):,} of {Path(dev_file).name}, the same for every run"
    return f"with choices made on {len(split.dev):,} others of the training part, the same for every run"


def _runs(restarts: int, *, dev: bool) -> str:
    if restarts == 1:
        return (
            "One run was made; others would differ in the initial weights of new layers, the order of examples and "
            "dropout."
        )
    kept = "that is best on the dev part" if dev else "with the lowest last training loss, as there is no dev part"
    return (
        f"{restarts} runs of the same settings differ in the initial weights of new layers, the order of examples and "
        f"dropout; the saved model is the one {kept}."
    )


def _recipe(results: StudyResults) -> str:
    chosen, settings = results.hyper_parameters, results.experiment.settings
    if settings.features is not None:
        return (
            f"The encoder was frozen: a two-layer BiLSTM of width 768 read its states ({settings.features}), at "
            f"rate {chosen.learning_rate:g}, batch {chosen.batch_size}, over {chosen.epochs:g} epochs."
        )
    paper = settings.recipe == "paper"
    by = "BERT's Adam (no bias correction)" if paper else "AdamW with bias correction"
    kept = "those best on the dev part" if results.experiment.keeps_best else "the last"
    layers = (
        "All layers were trained, with the embedding"
        if settings.embeddings
        else "All layers but the embedding were trained"
    )
    return (
        f"{layers}: {by}, rate {chosen.learning_rate:g} after a warm-up over 10 % of the updates, then linearly to 0; "
        f"batch {chosen.batch_size}, {chosen.epochs:g} epochs, dropout as in pretraining. The weights kept are {kept}."
    )


def _head(results: StudyResults) -> str:
    experiment, kind = results.experiment, results.experiment.task.type
    if experiment.features is not None:
        return ""
    if kind.reads_windows:
        null = " No answer is given where its score exceeds the best by more than a threshold tuned on the dev part."
        return (
            f"Windows of {experiment.reader.limit} tokens slide over each context; an answer is the best start and "
            f"end, in the window where its start has most context.{null if _tuned_threshold(results) else ''}"
        )
    if kind.labels_words:
        whole = "file, which marks no documents" if experiment.task.examples.documents is None else "document"
        context = experiment.head.context
        around = f"with its neighbours in the {whole}, {context} tokens in all" if context else "alone"
        crf = ", with a CRF" if experiment.settings.crf else ""
        return f"A word is tagged at its first subword{crf}; a sentence is read {around}."
    how = f"the {experiment.pooling} over its tokens, as in the sentence encoder"
    how = "BERT's pooler over the first token" if experiment.pooling == "pooler" else how
    return f"A sequence's vector is {how}; it is cut at {experiment.reader.limit} tokens."


def _options(settings: FinetuneSettings) -> str:
    """Return sentences on how the options of multiple choice were trained and encoded; "" for the default settings."""
    texts = []
    if settings.margin is not None:
        texts.append(f"Options were trained by a multi-margin loss, with a margin of {settings.margin:g}.")
    if settings.options_only:
        texts.append("Options were read without their contexts and questions: the score shows what they betray alone.")
    return " ".join(texts)


def _tuned_threshold(results: StudyResults) -> bool:
    return results.best is not None and "threshold" in results.best.tuned


def grid_note(results: StudyResults) -> str:
    """Return sentences on the grid search: the settings that were tried, the time, and the settings dropped early.

    The text is empty if there was no grid search.
    """
    if not results.tried:
        return ""
    pruned, (tried, *later) = sum(run.state == "pruned" for run in results.tried), rounds(len(results.tried))
    shares = zip(later, ("for a half", "to the end"), strict=False)
    best = "".join(f", the best {count if count > 1 else 'one'} {to}" for count, to in shares)
    return (
        f"{tried} settings were tried with one seed and compared on the dev part: all for a quarter of their "
        f"updates{best}; {pruned} were dropped on the way.{_tie_note(results)}"
    )


def _tie_note(results: StudyResults) -> str:
    """Return a sentence on a tie of the best settings on the dev part; "" without a tie."""
    best = [
        max((each.dev for each in run.evaluations if each.dev is not None), default=-np.inf) for run in results.tried
    ]
    tied = best.count(max(best))
    return f" {tied} of them had the same best score on the dev part, and one of these was taken." if tied > 1 else ""


def _precision(results: StudyResults) -> str:
    text = "The encoder computed in bfloat16; its weights and the new layers were trained in float32."
    uses_bf16 = results.experiment.features is None and supports_bf16(results.experiment.encoder.model.device)
    return text if uses_bf16 else ""
