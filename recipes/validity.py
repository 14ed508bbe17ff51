"""Can the verdict be trusted? Run the study on part of the labels and compare it with the large remainder.

    PYTHONPATH=benchmarks python recipes/validity.py --data DATA --out docs/records/validity.json [--parts 3]

For each data set, several times over: draw 1,200 labelled rows, of which 300 are the study's test part; fit every rung;
judge. The thousands of rows left over are the truth: they say how good each fitted rung really is. Counted are

* coverage: how often the 95 % interval of a gap to the contextual rung holds the gap on the remainder. At the top size
  the truth is that of the very rungs fitted; at a quarter of it, that of further draws from the same labels;
* regret: by how many points the rung the verdict names truly falls short of the best rung minus epsilon;
* errors: how often "cheap suffices" or "contextual is worth it" is wrong on the remainder.

The ladder's own rungs could all be poor in one way, and agree on a verdict that is false. So regret and errors are
counted twice: among the ladder's rungs, and with the TF-IDF model that a specialist makes of the same labels with
scikit-learn alone (`benchmarks/specialist_models.py`; not for tagging), on the same remainder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from specialist_models import Counted, score, tuned
from wordworth import seeds
from wordworth.cli.progress_bars import Bars
from wordworth.files import write_text
from wordworth.measures.bootstrap import interval
from wordworth.measures.metrics import metric
from wordworth.representations.finetuning_settings import QUICK
from wordworth.representations.ladder import default_ladder
from wordworth.representations.rung import RunContext, Rung
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.scores import Bootstrap, Scores, measure
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

SETS: dict[str, dict[str, Any]] = {
    "ag_news/test.csv.xz": {"text": "text", "label": "label"},
    "cola/train.csv.xz": {"text": "text", "label": "label"},
    "hate_offensive/all.csv.xz": {"text": "text", "label": "label"},
    "mpqa/all.csv.xz": {"text": "text", "label": "label"},
    "mr/all.csv.xz": {"text": "text", "label": "label"},
    "subj/all.csv.xz": {"text": "text", "label": "label"},
    "sms_spam/all.csv.xz": {"text": "text", "label": "label"},
    "trec/train.csv.xz": {"text": "text", "label": "label"},
    "sst5/train.csv.xz": {"text": "text", "label": "label"},
    "tweet_emotion/train.csv.xz": {"text": "text", "label": "label"},
    "tweet_hate/train.csv.xz": {"text": "text", "label": "label"},
    "mrpc/train.csv.xz": {"text": "text_a", "text_b": "text_b", "label": "label"},
    "qqp/train.csv.xz": {"text": "text_a", "text_b": "text_b", "label": "label"},
    "stsb/train.csv.xz": {"text": "text_a", "text_b": "text_b", "label": "score", "kind": "regression"},
    "goemotions/train.csv.xz": {"text": "text", "label": "labels", "kind": "multilabel"},
    "conll2003/eng.train.xz": {"format": "conll"},
}
TRAIN, TEST, REMAINDER = 900, 300, 2_000
SEEDS, TRUTH_SEEDS, TAG_TRUTH_SEEDS, DRAWS, EPSILON = 5, 6, 3, 1_000, 0.01


@dataclass(frozen=True)
class Part:
    """One draw of labelled rows from a data set: the small study, and the remainder as truth."""

    task: Task
    small: np.ndarray
    large: np.ndarray
    plan: LabelGrid


def part(whole: Task, number: int) -> Part:
    """Draw the rows; positions `small` and `large` are those of the two test parts inside `task.test`.

    The task holds them alone, for every rung reads and keeps all that its task holds.
    """
    order = seeds.child(0, "validity", whole.name, number).permutation(len(whole.examples))[: TRAIN + TEST + REMAINDER]
    rows = np.concatenate([np.sort(order[:TRAIN]), order[TRAIN:]])
    train, test = np.split(np.arange(len(rows)), [TRAIN])
    examples, labels = whole.examples.take(rows), whole.gold(rows)
    task = replace(whole, examples=examples, labels=labels, numbers=None, warnings=(), train=train, test=test)
    orders = tuple(seeds.child(number, "subset", seed).permutation(task.train) for seed in range(SEEDS + TRUTH_SEEDS))
    items = np.arange(len(task.test))
    return Part(task, items[:TEST], items[TEST:], LabelGrid((TRAIN // 4, TRAIN), orders))


def restricted(
    rung_results: list[RungResult], task: Task, items: np.ndarray, which: range
) -> tuple[list[RungResult], Task]:
    """Restrict runs to some test rows and seeds; return them and the task with those test rows.

    Args:
        rung_results: all runs.
        task: its test rows are restricted.
        items: int64 indices into the task's test rows.
        which: the seeds.
    """

    def cut(predictions: Any) -> Any:
        return tuple(predictions[i] for i in items) if isinstance(predictions, tuple) else predictions[items]

    entries = [
        replace(entry, runs=[replace(run, predictions=cut(run.predictions)) for run in entry.runs if run.seed in which])
        for entry in rung_results
    ]
    return entries, replace(task, test=task.test[items])


def scores_on(rung_results: list[RungResult], of: Part, items: np.ndarray, which: range) -> Scores:
    entries, task = restricted(rung_results, of.task, items, which)
    return measure(entries, task, metric(task.metric, task.classes), Bootstrap(DRAWS, 0))


def fitted(of: Part, run_context: RunContext, *, finetune: bool) -> list[RungResult]:
    """Every rung on the subsets of the study, and the frozen ones on the further draws that are the truth."""
    rung_results = open_rungs(
        default_ladder(of.task.kind, models=("minilm",), vectors=(), finetune=QUICK if finetune else None),
        of.task,
        run_context,
        (),
    )
    small, many = TRAIN // 4, range(SEEDS + (TAG_TRUTH_SEEDS if of.task.type.labels_words else TRUTH_SEEDS))
    pairs = {
        entry.rung.name: [(TRAIN, seed) for seed in range(2)]
        if entry.rung.slow
        else [*((TRAIN, seed) for seed in range(SEEDS)), *((small, seed) for seed in many)]
        for entry in rung_results
    }
    fit_all(rung_results, pairs, of.task, of.plan, run_context)
    return [entry for entry in rung_results if entry.runs]


def specialist(of: Part) -> float | None:
    """What the specialist's model of all labels of the part scores on the remainder, 0 to 1; None for tagging."""
    task = of.task
    if task.type.labels_words:
        return None
    answers = tuned(task, task.train, Counted.of(task, task.train)).answers
    return score(task, task.gold(task.test[of.large]), answers[of.large]) / 100


def examine(of: Part, rung_results: list[RungResult]) -> dict[str, Any]:
    """Coverage, regret and errors of one part."""
    ladder = [entry.rung for entry in rung_results]
    study = scores_on(rung_results, of, of.small, range(SEEDS))
    truth = scores_on(rung_results, of, of.large, range(SEEDS))
    fresh = scores_on(rung_results, of, of.large, range(SEEDS, SEEDS + TRUTH_SEEDS))
    verdict = judge(study, ladder, TRAIN, EPSILON)
    true = {standing.name: truth.mean(standing.name, TRAIN) for standing in verdict.comparisons}
    outside = specialist(of)
    return {
        "answer": verdict.answer,
        "rung": verdict.rung,
        "true": true,
        "specialist": outside,
        "regret": regret(verdict, true),
        "wrong": wrong(verdict, true),
        "regret_beside_specialist": regret(verdict, true, outside),
        "wrong_beside_specialist": wrong(verdict, true, outside),
        "top": list(covered(study, truth, ladder, TRAIN, noisy=False)),
        "quarter": list(covered(study, fresh, ladder, TRAIN // 4, noisy=True)),
        "quarter_as_if_exact": list(covered(study, fresh, ladder, TRAIN // 4, noisy=False)),
    }


def covered(study: Scores, truth: Scores, ladder: list[Rung], labels: int, *, noisy: bool) -> Iterator[bool]:
    """Yield for each rung, against the frozen contextual one, whether the interval holds the true gap.

    Args:
        study: the scores whose intervals are judged.
        truth: the scores on the remaining items.
        ladder: all rungs.
        labels: the number of labels.
        noisy: whether the truth is a mean over a few draws.

    Where the truth is a mean over a few further draws it is `noisy` itself: its own standard error joins the interval
    in quadrature, else the truth's noise would count as the interval's fault.
    """
    reference = next(rung.name for rung in ladder if rung.family == "frozen")
    for name in (rung.name for rung in ladder):
        if name != reference and study.has(name, labels) and truth.has(name, labels):
            true, span = truth.gap(name, reference, labels), study.gap_interval(name, reference, labels)
            points = truth.table[name, labels].point - truth.table[reference, labels].point
            own = 1.96 * float(points.std(ddof=1)) / len(points) ** 0.5 if noisy else 0.0
            middle = study.gap(name, reference, labels)
            side = span.high - middle if true > middle else middle - span.low
            yield abs(true - middle) <= float(np.hypot(side, own))


def regret(verdict: Verdict, true: Mapping[str, float], outside: float | None = None) -> float:
    """Points by which the named rung falls short of the truly best minus epsilon; 0 where it does not.

    Args:
        verdict: of the study.
        true: the score of each rung on the remainder.
        outside: that of a cheap model from outside the ladder, where there is one.
    """
    best = max([*true.values(), *([] if outside is None else [outside])])
    return 100 * max(0.0, best - EPSILON - true[verdict.rung])


def wrong(verdict: Verdict, true: Mapping[str, float], outside: float | None = None) -> bool:
    """Whether a definite answer is false on the remainder; arguments as in `regret`."""
    others = [] if outside is None else [outside]
    if verdict.settled:
        return true[verdict.rung] < max([*true.values(), *others]) - EPSILON
    advantage = max(true[rung.name] for rung in verdict.contextual) - max(
        [*(true[rung.name] for rung in verdict.cheap), *others]
    )
    if verdict.answer == "cheap suffices":
        return advantage > EPSILON
    return verdict.context_leads and advantage <= (EPSILON if verdict.answer == "contextual is worth it" else 0.0)


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """All parts together; a data set's parts share rows, so the data sets are what is independent."""
    suffices = [row for row in rows if row["answer"] == "cheap suffices"]
    worth = [row for row in rows if row["answer"] == "contextual is worth it"]
    small_leads = [row for row in rows if row["answer"] == "contextual is ahead"]
    definite, rest = [*suffices, *worth, *small_leads], [row for row in rows if row["answer"] == "cannot tell yet"]
    return {
        "data_sets": len({row["set"] for row in rows}),
        "studies": len(rows),
        "coverage_top": float(np.mean([hit for row in rows for hit in row["top"]])),
        "coverage_top_between": between(rows, "top"),
        "coverage_quarter": float(np.mean([hit for row in rows for hit in row["quarter"]])),
        "coverage_quarter_between": between(rows, "quarter"),
        "coverage_quarter_as_if_exact": float(np.mean([hit for row in rows for hit in row["quarter_as_if_exact"]])),
        "intervals": sum(len(row["top"]) + len(row["quarter"]) for row in rows),
        "mean_regret": float(np.mean([row["regret"] for row in definite] or [0.0])),
        "largest_regret": max([row["regret"] for row in definite], default=0.0),
        "mean_regret_of_best_looking_where_it_cannot_tell": float(np.mean([row["regret"] for row in rest] or [0.0])),
        "cheap_suffices": len(suffices),
        "cheap_suffices_wrong": sum(row["wrong"] for row in suffices),
        "contextual_worth_it": len(worth),
        "contextual_worth_it_wrong": sum(row["wrong"] for row in worth),
        "contextual_ahead": len(small_leads),
        "contextual_ahead_wrong": sum(row["wrong"] for row in small_leads),
        "mean_regret_beside_specialist": float(np.mean([row["regret_beside_specialist"] for row in definite] or [0.0])),
        "largest_regret_beside_specialist": max([row["regret_beside_specialist"] for row in definite], default=0.0),
        "cheap_suffices_wrong_beside_specialist": sum(row["wrong_beside_specialist"] for row in suffices),
        "contextual_worth_it_wrong_beside_specialist": sum(row["wrong_beside_specialist"] for row in worth),
        "contextual_ahead_wrong_beside_specialist": sum(row["wrong_beside_specialist"] for row in small_leads),
        "cannot_tell": len(rest),
    }


def between(rows: list[dict[str, Any]], which: str) -> list[float]:
    """Return the 95 % interval of a coverage; data sets are resampled, as intervals of one set share rows and rungs."""
    hits = [
        [hit for row in rows if row["set"] == name for hit in row[which]] for name in {row["set"]: None for row in rows}
    ]
    drawn = seeds.child(0, "coverage", which).integers(len(hits), size=(DRAWS, len(hits)))
    right, all_of = np.array([sum(group) for group in hits]), np.array([len(group) for group in hits])
    span = interval(right[drawn].sum(1) / all_of[drawn].sum(1))
    return [span.low, span.high]


def save(rows: list[dict[str, Any]], out: Path) -> None:
    write_text(out, json.dumps({"summary": summary(rows), "studies": rows}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=Path, default=Path("docs/records/validity.json"))
    parser.add_argument("--parts", type=int, default=3)
    parser.add_argument("--finetune", action="store_true", help="fine-tune as well, at the top size")
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    options = parser.parse_args()
    run_context = RunContext(progress=Bars())
    rows = json.loads(options.out.read_text(encoding="utf-8"))["studies"] if options.out.exists() else []
    for number, name in [(number, name) for number in range(options.parts) for name in options.sets]:
        row = {"set": name.split("/")[0], "part": number}
        if any(row.items() <= done.items() for done in rows):
            continue  # made by an earlier call
        whole = read_task(options.data / name, ReadSettings(**SETS[name]))
        of = part(whole, number)
        figures = examine(of, fitted(of, run_context, finetune=options.finetune))
        rows.append(row | {"kind": whole.kind, "metric": whole.metric} | figures)
        save(rows, options.out)
        print(
            json.dumps({key: rows[-1][key] for key in ("set", "part", "answer", "rung", "regret", "wrong")}), flush=True
        )
    save(rows, options.out)
    print(json.dumps(summary(rows), indent=1))


if __name__ == "__main__":
    main()
