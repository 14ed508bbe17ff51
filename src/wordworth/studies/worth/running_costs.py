"""The cost of each rung on this machine, and the number of texts that pay for the extra labels of a cheap rung.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth import seeds
from wordworth.measures.serving_costs import break_even, per_text
from wordworth.records import Table

if TYPE_CHECKING:
    from wordworth.representations.rung import Predictor, RunContext
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Examples, Task

COSTS = {
    "rung": "short name",
    "texts_per_second": "in one large batch, from characters to predictions",
    "p50_ms": "median time of one text alone, in milliseconds",
    "p95_ms": "time that 19 of 20 single texts stay under, in milliseconds",
    "memory_bytes": "size of its files, plus the growth of this process while it answered a batch; memory that earlier "
    "rungs freed is reused unseen, so that a process of its own may need more",
    "fit_seconds": "time of one fit on all labels, embedding included; cached vectors count with the time that they "
    "took to compute",
    "price_per_million": "price of a million texts: machine time at the hourly price, and the vectors' own price",
}
TIMED = 512
"""Texts of a batch whose answers are timed."""
_SINGLES = 40
_SECONDS, _QUICK_SECONDS = 1.0, 0.3
"""For how long the answers of one rung are timed, at least."""
_FEW = 8


def costs_table(
    rung_results: Sequence[RungResult], task: Task, hourly_price: float, run_context: RunContext, *, quick: bool = False
) -> Table:
    """Return the table of each rung's costs on this machine, for rungs that were fitted on all labelled examples.

    Args:
        rung_results: the rungs and their runs.
        task: the task whose test part supplies the texts.
        hourly_price: price of an hour of this machine.
        run_context: the seed that draws the texts, and the progress.
        quick: whether to time every rung for a shorter time, and slow rungs on fewer texts.
    """
    rows = seeds.child(run_context.seed, "serving").permutation(task.test)[:TIMED]
    texts = task.examples.take(rows)
    ready = [(result, result.predictor) for result in rung_results if result.predictor is not None]
    seconds = _QUICK_SECONDS if quick else _SECONDS
    with run_context.progress.step("timing the answers", len(ready)) as step:
        lines = []
        for result, predictor in ready:
            timed = as_many_as_fit(seconds, predictor, texts) if quick else texts
            lines.append(_line(result, predictor, timed, hourly_price, seconds))
            step.advance()
    return Table.of(lines, COSTS)


def break_even_texts(multiple: Mapping[str, Any], costs: Table, top: int, settings: WorthSettings) -> dict[str, Any]:
    """Return the number of texts above which a cheap rung costs less in total than a contextual rung.

    The two rungs are compared at the same score.

    The cheap rung needs more labels, which are paid once, and costs less for every text. The contextual rung learns
    from `labels` labelled examples, the cheap rung from `multiple` times as many. The interval and the state (exact, a
    bound, or never) follow from the label multiple.

    Args:
        multiple: a row of `learning_curves.multiples_table` with the direction `needed`.
        costs: the table of `costs_table`.
        top: the number of labelled examples of the fits that were timed; the cost of a fit is in proportion to its
            labels.
        settings: the settings of the study, with the prices.

    Returns:
        `rung`, `against`, `labels`, `multiple` and `state` as in the table of multiples, and the interval of the
        multiple as `multiple_low` and `multiple_high`. `once_more` is the extra cost of the cheap rung before the first
        text, and `text_less` what the cheap rung saves on each text. `texts` is the break-even number of texts, with
        its interval `low` to `high`: infinite if the cheap rung never pays off, 0 if it costs less from the beginning.
        The mapping is empty if a cost or the multiple is unknown.
    """
    timed = {row["rung"]: row for row in costs.rows()}
    if not {multiple.get("rung"), multiple.get("against")} <= timed.keys() or multiple["state"] == "undefined":
        return {}
    cheap, contextual, labels = timed[multiple["rung"]], timed[multiple["against"]], multiple["labels"]
    price_per_label_second = settings.hourly_price / 3_600 / top

    def extra_cost(times: float) -> float:
        if math.isinf(times):
            return math.inf
        fits = times * labels * cheap["fit_seconds"] - labels * contextual["fit_seconds"]
        return float((times - 1) * labels * settings.label_price + fits * price_per_label_second)

    text_less = (contextual["price_per_million"] - cheap["price_per_million"]) / 1e6
    comparison = {name: multiple[name] for name in ("rung", "against", "labels", "multiple", "state")}
    comparison |= {f"multiple_{end}": multiple[end] for end in ("low", "high")}
    bounds = {"texts": multiple["multiple"], "low": multiple["low"], "high": multiple["high"]}
    texts = {name: float(break_even(extra_cost(times), text_less)) for name, times in bounds.items()}
    return {**comparison, "once_more": extra_cost(multiple["multiple"]), "text_less": text_less, **texts}


def _line(
    result: RungResult, predictor: Predictor, texts: Examples, hourly_price: float, seconds: float
) -> dict[str, Any]:
    assert result.learner is not None  # noqa: S101 - a fitted rung was opened
    cost = result.learner.cost()
    _reset_peak()
    before = _status("VmRSS")
    rate = _rate(predictor, texts, seconds)
    growth = max(0, _status("VmHWM") - before)
    singles = np.array([_seconds(predictor, texts.take([i])) for i in range(min(_SINGLES, len(texts)))])
    top = max(run.labels for run in result.runs)
    fits = [run.seconds for run in result.runs if run.labels == top and not run.error]
    return {
        "rung": result.rung.name,
        "texts_per_second": rate,
        "p50_ms": 1_000 * float(np.quantile(singles, 0.5)),
        "p95_ms": 1_000 * float(np.quantile(singles, 0.95)),
        "memory_bytes": cost.disk_bytes + growth,
        "fit_seconds": result.open_seconds + float(np.median(fits)),
        "price_per_million": cost.price_per_million + 1e6 * per_text(hourly_price, rate),
    }


def as_many_as_fit(seconds: float, predictor: Predictor, texts: Examples) -> Examples:
    """Return the first texts, as many as a predictor answers in a given time, but at least eight if there are so many.

    Args:
        seconds: about how many seconds the answers may take.
        predictor: the predictor, which is timed on a few texts.
        texts: the texts.
    """
    _seconds(predictor, texts.take([0]))  # the first call may load the model
    few = texts.take(range(min(_FEW, len(texts))))
    spent = _seconds(predictor, few)
    return texts.take(range(min(len(texts), max(len(few), int(len(few) * seconds / max(spent, 1e-9))))))


def _seconds(predictor: Predictor, texts: Examples) -> float:
    began = time.perf_counter()
    predictor.predict_texts(texts)
    return time.perf_counter() - began


def _rate(predictor: Predictor, texts: Examples, seconds: float) -> float:
    """Return the texts predicted per second: the best of the passes that fit into about `seconds`, after a warm-up."""
    _seconds(predictor, texts.take([0]))
    best, spent = 0.0, 0.0
    while spent < seconds and (best == 0.0 or spent < seconds / 2):
        batch = _seconds(predictor, texts)
        best, spent = max(best, len(texts) / batch), spent + batch
    return best


def _reset_peak() -> None:
    """Ask Linux to reset the peak of resident memory; if Linux does not, the growth may be measured too small, or 0."""
    with suppress(OSError):  # not Linux, or not permitted
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _status(name: str) -> int:
    """Return the memory in bytes that Linux reports for this process under `name`; 0 if it is not reported."""
    path = Path("/proc/self/status")
    if not path.exists():
        return 0
    line = next(
        (line for line in path.read_text(encoding="ascii", errors="replace").splitlines() if line.startswith(name)), ""
    )
    return int(line.split()[1]) * 1_024 if line else 0
