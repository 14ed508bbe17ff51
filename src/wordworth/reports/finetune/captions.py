"""The sentences of the charts of a finetune record: how much seeds differ, how runs learned, what is confused."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.captions import Caption
from wordworth.reports.finetune.view import FinetuneView
from wordworth.reports.number_format import finite
from wordworth.text_format import count_of, points_phrase

SEEDS, LEARNING, CONFUSION = "seeds", "learning", "confusion"
_LEVEL = 0.002
"""Mean dev scores that are closer than this are level."""
_MOST_CLASSES = 16


def captions(record: Record) -> dict[str, Caption]:
    """Return the caption of every chart by the chart's name."""
    view = FinetuneView.of(record)
    runs = {SEEDS: _seeds(view), LEARNING: _learning(view)}
    return {**runs, CONFUSION: _confusion(view)} if view.rows("confusion") else runs


def _seeds(view: FinetuneView) -> Caption:
    if not view.ended:
        return Caption("No run ended", absent="Every run failed; the reasons are in the table below.")
    dev = any(finite(row["dev"]) is not None for row in view.runs)
    notes = ["Full: on the test part. Hollow: on the dev part, which decided which run is kept (bold)."] * dev
    notes += ["The whisker is the 95 % interval of the mean, over runs and test examples."] * (len(view.runs) > 1)
    return Caption(_spread(view), tuple(notes))


def _spread(view: FinetuneView) -> str:
    """Return how much the runs' scores differ, or how many runs learned nothing, in words."""
    collapsed = sum(row["state"] == "collapsed" for row in view.runs)
    if collapsed:
        return f"{collapsed} of {len(view.runs)} runs learned nothing"
    if len(view.ended) == 1:
        return f"One run, {view.unit.score(view.ended[0])}"
    least, most = min(view.ended), max(view.ended)
    if view.unit.score(least) == view.unit.score(most):
        return f"All seeds score {view.unit.score(most)}"
    return f"Seeds differ by up to {points_phrase(most - least)}"


def _learning(view: FinetuneView) -> Caption:
    if not view.learning:
        return Caption("No run was evaluated", absent="Every run failed before its first evaluation.")
    tried = any(run["stage"] != "restart" for run, _ in view.learning)
    notes = ("Grey: settings that were tried with one seed.",) if tried else ()
    return Caption(_gains(view) if view.followed == "dev" else "Training loss by epoch", notes)


def _gains(view: FinetuneView) -> str:
    """Return from which epoch on the mean of the complete runs is as good as at its best, in words."""
    restarts = [points for run, points in view.learning if run["stage"] == "restart"]
    full = _complete_means(restarts or [points for _, points in view.learning])
    if not full:
        return "The dev score by epoch"
    best = max(full.values())
    first = min(at for at, value in full.items() if value >= best - _LEVEL)
    if best - min(full.values()) < _LEVEL:
        return "The mean dev score hardly moves"
    if first == max(full):
        return "The mean dev score is highest at the end"
    if first == min(full):
        return f"The mean dev score is highest at the first evaluation, after epoch {first:.2g}"
    return f"After epoch {first:.2g} the mean dev score gains nothing more"


def _complete_means(runs: Sequence[Sequence[tuple[float, float]]]) -> dict[float, float]:
    """Return the mean value at each epoch at which every run was evaluated."""
    epochs = sorted({epoch for points in runs for epoch, _ in points})
    values = {at: [value for points in runs for epoch, value in points if epoch == at] for at in epochs}
    return {at: sum(of_epoch) / len(of_epoch) for at, of_epoch in values.items() if len(of_epoch) == len(runs)}


def _confusion(view: FinetuneView) -> Caption:
    classes, title = len(view.class_names), _worst_mistake(view)
    if classes > _MOST_CLASSES:
        return Caption(title, absent=f"{classes} classes are too many for a matrix; the mistakes are in the table.")
    note = "Of the best model, on the test part. Colour is the share of a row: blue is right, orange is wrong."
    exact = " An entity counts at its exact first and last word." * view.task_type.labels_words
    return Caption(title, (f"{note}{exact}",))


def _worst_mistake(view: FinetuneView) -> str:
    """Return the most frequent mistake in words."""
    if not view.mistakes:
        return "No class is confused with another"
    worst = view.mistakes[0]
    times, gold, predicted = count_of(worst["count"], "time"), worst["gold"], worst["predicted"]
    if view.task_type.labels_words and predicted == "no entity":
        return f"The most frequent error: {gold} is overlooked, {times}"
    if view.task_type.labels_words and gold == "no entity":
        return f"The most frequent error: {predicted} where there is none, {times}"
    return f"The most frequent error: “{gold}” taken for “{predicted}”, {times}"
