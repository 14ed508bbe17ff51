"""What labels are worth where rungs disagree: `worth --to-label` beside as many texts drawn evenly.

    PYTHONPATH=benchmarks python benchmarks/texts_to_label.py --data DATA --out docs/records/texts_to_label.json

For each data set, the rungs (without the fine-tuned one) learn from 300 labels. In each of many studies a pool of 2,000
of the other texts is drawn, and of that 200 texts to label, by the plan's design and evenly. Both samples go through
the study's own `measure` and `judge`. The truth is each rung's accuracy on all other texts, up to 8,000.

Sets that the record holds already are not asked again, so that a long run can be made in parts.

For the pair of rungs that the plan names first, the record has the variance of the difference over studies and how
often its 95 % interval holds the truth; the definite answers and the wrong ones among them; and how many even labels a
chosen one is worth: as many as make the interval as wide. That is the ratio of the variances by the test items, as the
rest of the width, how far runs differ, is the same for any number of labels. The same is said of each other pair, and
beside it what a label is worth at most (`label_value_bound`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from label_value_bound import bounds
from measure import machine
from wordworth.cli.scripts import recorded_part, run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.metrics import metric
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.representations.rung import RunContext, Rung
from wordworth.studies.worth.decision_rule import Verdict, judge
from wordworth.studies.worth.planning.choose_texts_to_label import contrasts_of, pool_answers, run_on_pool, tested_on
from wordworth.studies.worth.planning.control_variates import control_variates
from wordworth.studies.worth.planning.sampling_by_disagreement import (
    Contrast,
    RungAnswers,
    draw,
    inclusion_probabilities,
)
from wordworth.studies.worth.planning.study import learned
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap, Scores
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study import with_folds
from wordworth.tasks.examples import Examples
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Rows, Task
from wordworth.text.file_formats.in_memory import as_file
from wordworth.text.file_formats.read import read_rows

SETS = (
    "mr/all.csv.xz",
    "subj/all.csv.xz",
    "mpqa/all.csv.xz",
    "cr/all.csv.xz",
    "sst2/train.csv.xz",
    "tweet_hate/train.csv.xz",
    "tweet_emotion/train.csv.xz",
    "trec/train.csv.xz",
    "ag_news/test.csv.xz",
    "hate_offensive/all.csv.xz",
)
SO_FAR, POOL, TO_LABEL, MOST = 300, 2_000, 200, 8_000
SETTINGS = WorthSettings(finetune=False, draws=400)


@dataclass(frozen=True, slots=True)
class Population:
    """All texts of a data set other than the labelled ones, with the predictions of the rungs for them.

    Attributes:
        task: a task whose test part is these texts, with their true labels.
        rung_results: the runs on all labelled rows, which predict all these texts.
        answers: name of a rung -> its predictions as shares of runs, and its probabilities.
        contrasts: the pairs of rungs for which the plan would draw texts.
    """

    task: Task
    rung_results: Sequence[RungResult]
    answers: Mapping[str, RungAnswers]
    contrasts: Sequence[Contrast]

    @classmethod
    def of(cls, path: Path) -> Population:
        """Return the population of a data set."""
        columns = read_rows(path).columns
        order = np.random.default_rng(0).permutation(len(columns["text"]))[: SO_FAR + MOST]
        texts, labels = ([columns[name][row] for row in order] for name in ("text", "label"))
        read_as = ReadSettings(text="text", label="label", metric="accuracy", kind="classification")
        so_far = {"text": texts[:SO_FAR], "label": labels[:SO_FAR]}
        rows = [dict(zip(so_far, row, strict=True)) for row in zip(*so_far.values(), strict=True)]
        with as_file(rows) as file:
            task = read_task(file, with_folds(read_as, SETTINGS))
        known = {name: number for number, name in enumerate(task.classes)}
        later = [(text, known[label]) for text, label in zip(texts, labels, strict=True) if label in known][SO_FAR:]
        run_context = RunContext(threads=2, seed=SETTINGS.seed)
        result = learned(task, SETTINGS, run_context)
        everything = Examples(tuple(text for text, _ in later))
        rungs = [each.rung for each in result.measured]
        labelled = tested_on(task, everything)
        rung_results = run_on_pool(labelled, rungs, SETTINGS, run_context)
        answers = pool_answers(rung_results)
        gold = np.array([number for _, number in later])
        labelled = replace(labelled, labels=np.concatenate([labelled.gold(labelled.train), gold]), metric="accuracy")
        return cls(labelled, rung_results, answers, contrasts_of(result, answers))

    @property
    def adds(self) -> Floats:
        """What each text adds to the difference of the first pair, float64 [texts]."""
        first, gold = self.contrasts[0], self.task.gold(self.task.test)
        right = {
            each.rung.name: np.mean([np.asarray(run.predictions).argmax(1) == gold for run in each.runs], axis=0)
            for each in self.rung_results
            if each.rung.name in {first.cheap, first.contextual}
        }
        return floats(right[first.contextual] - right[first.cheap])

    def scores(self, rows: Rows, weights: Floats | None = None, controls: Floats | None = None) -> Scores:
        """Return the scores on some of the texts.

        Args:
            rows: int64 [drawn], indices into the test part.
            weights: float64 [drawn], their sampling weights; None for texts that were drawn evenly.
            controls: float64 [drawn, variables], their control variables.
        """
        results = [
            replace(
                each,
                runs=[
                    replace(run, predictions=np.asarray(run.predictions, dtype=np.float64)[rows])
                    for run in each.runs
                    if run.predictions is not None
                ],
            )
            for each in self.rung_results
        ]
        test, examples = self.task.test[rows], self.task.examples
        if weights is not None and controls is not None:
            every, variables = np.ones(len(examples)), np.zeros((len(examples), controls.shape[1]))
            every[test], variables[test] = weights, controls
            examples = replace(examples, weights=tuple(every.tolist()), controls=tuple(map(tuple, variables.tolist())))
        task = replace(self.task, test=test, examples=examples)
        return measure(results, task, metric("accuracy", task.classes), Bootstrap(SETTINGS.draws, SETTINGS.seed))

    @property
    def ladder(self) -> list[Rung]:
        """The rungs."""
        return [each.rung for each in self.rung_results]


def wrong(verdict: Verdict, accuracy: Mapping[str, float], margin: float) -> bool:
    """Return whether a definite answer is false of the true accuracies."""
    cheap = [accuracy[each.name] for each in verdict.cheap]
    best = max(accuracy[each.name] for each in verdict.contextual)
    if verdict.answer == "cheap suffices":
        return accuracy[verdict.rung] < best - margin if verdict.settled else max(cheap) < best - margin
    return {"contextual is worth it": best - max(cheap) <= margin, "contextual is ahead": best <= max(cheap)}.get(
        verdict.answer, False
    )


def accuracies(everyone: Population) -> dict[str, float]:
    """Return the accuracy of each rung on all texts, mean over its runs."""
    gold = everyone.task.gold(everyone.task.test)
    return {
        each.rung.name: float(np.mean([(np.asarray(run.predictions).argmax(1) == gold).mean() for run in each.runs]))
        for each in everyone.rung_results
    }


def study(everyone: Population, scores: Scores, accuracy: Mapping[str, float]) -> dict[str, float]:
    """Return what the scores of one sample of labels say of each pair of rungs, and whether it is true."""
    labels = max(run.labels for each in everyone.rung_results for run in each.runs)
    first = everyone.contrasts[0]
    interval = scores.gap_interval(first.contextual, first.cheap, labels)
    verdict = judge(scores, everyone.ladder, labels, SETTINGS.metric_margin)
    return {
        "gap": scores.gap(first.contextual, first.cheap, labels),
        "covered": accuracy[first.contextual] - accuracy[first.cheap] in interval,
        "definite": verdict.answer != "cannot tell yet",
        "wrong": wrong(verdict, accuracy, SETTINGS.metric_margin),
        "half_width": (interval.high - interval.low) / 2,
        **{f"items {number}": item_variance(scores, each, labels) for number, each in enumerate(everyone.contrasts)},
    }


def item_variance(scores: Scores, contrast: Contrast, labels: int) -> float:
    """Return the variance of a difference by the test items, those that are added among them."""
    variance = scores.gap_variance(contrast.contextual, contrast.cheap, labels)
    return variance.items + variance.added


def samples(everyone: Population, rng: np.random.Generator) -> dict[str, Scores]:
    """Return the scores by chosen labels, and by as many drawn evenly, of a new pool."""
    pool = rng.permutation(len(everyone.task.test))[:POOL]
    answers = {
        name: RungAnswers(each.shares[pool], each.probabilities[pool]) for name, each in everyone.answers.items()
    }
    probabilities = inclusion_probabilities(everyone.contrasts, answers, TO_LABEL)
    drawn = np.sort(draw(probabilities, rng))
    controls = control_variates(everyone.contrasts, answers)[drawn]
    chosen = everyone.scores(pool[drawn], 1 / probabilities[drawn], controls)
    return {"chosen": chosen, "even": everyone.scores(pool[:TO_LABEL])}


def summary(rows: Sequence[Mapping[str, float]], truth: float) -> dict[str, float]:
    """Return the figures of one way to draw labels, over all studies."""
    columns = {key: np.array([row[key] for row in rows]) for key in rows[0]}
    return {
        "bias": float(columns["gap"].mean() - truth),
        "sd": float(columns["gap"].std(ddof=1)),
        "coverage": float(columns["covered"].mean()),
        "half_width": float(columns["half_width"].mean()),
        "definite": float(columns["definite"].mean()),
        "wrong": float(columns["wrong"].mean()),
    }


def studied(path: Path, studies: int) -> dict[str, Any]:
    """Return what chosen and evenly drawn labels say on one data set."""
    everyone, rng = Population.of(path), np.random.default_rng(1)
    accuracy, first = accuracies(everyone), everyone.contrasts[0]
    rows: dict[str, list[dict[str, float]]] = {"chosen": [], "even": []}
    for _ in range(studies):
        for name, scores in samples(everyone, rng).items():
            rows[name].append(study(everyone, scores, accuracy))
    truth = accuracy[first.contextual] - accuracy[first.cheap]
    figures = {name: summary(values, truth) for name, values in rows.items()}
    variances = [
        {name: float(np.mean([row[f"items {number}"] for row in values])) for name, values in rows.items()}
        for number in range(len(everyone.contrasts))
    ]
    gold = np.asarray(everyone.task.gold(everyone.task.test))
    return {
        "set": path.parent.name,
        "texts": len(everyone.task.test),
        "pair": [first.cheap, first.contextual],
        "gap": truth,
        "accuracy": accuracy,
        **figures,
        "worth_by_variance": (figures["even"]["sd"] / figures["chosen"]["sd"]) ** 2,
        "worth": [each["even"] / each["chosen"] for each in variances],
        "worth_by_width": (figures["even"]["half_width"] / figures["chosen"]["half_width"]) ** 2,
        "at_most": bounds(first, everyone.adds, everyone.answers, gold, TO_LABEL / POOL),
        "disagree": float(np.abs(everyone.adds).mean()),
    }


def main() -> None:
    """Print a line for each data set, and write all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/texts_to_label.json"))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--studies", type=int, default=200)
    options = parser.parse_args()
    rows = recorded_part(options.out, "rows", list)
    ready = {row["set"] for row in rows}
    for name in (name for name in options.sets if Path(name).parent.name not in ready):
        rows.append(studied(options.data / name, options.studies))
        print(json.dumps(rows[-1]), flush=True)
        settings = {"so_far": SO_FAR, "pool": POOL, "to_label": TO_LABEL, "studies": options.studies}
        write_text(options.out, json.dumps({**settings, "machine": machine(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
