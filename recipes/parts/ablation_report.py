"""What the runs of the paper's ablations say: one record of those that are there."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parts.ablation_arms import FAMILIES, FEATURES, TAGGED, Arm
from parts.ablation_cells import answers_file, compared, folder, rates_of, result_file, task_of
from parts.effects import GAINS, NATS, gain_rows, verdict
from parts.held_out_bits import Answers, nats_per_piece
from parts.matched import DONE, Variant
from parts.scored import Runs, scored_of
from parts.tuning import best_rate, floor, runs_of
from wordworth.models.devices import device_of, name_of
from wordworth.records import Finding, Record, Table
from wordworth.studies.study import environment
from wordworth.tasks.task import Task
from wordworth.training.finetuning.run_result import Result

SCORES = {
    "arm": "see the table `arms`",
    "measure": f"a task's metric on its dev part, or {NATS} a masked piece",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and test examples (documents)",
    "high": "upper end of it",
    "seeds": "runs",
    "rate": "peak rate of fine-tuning, the best of those tried on what is held back of the training part",
    "collapsed": "runs that say the same of every example; they count",
    "failed": "runs whose loss was no number; they count as saying what is most usual",
}
ARMS = {
    "arm": "a pretrained model; what is taken on its way is called after it",
    "architecture": "bert, or causal-bert: the same from left to right",
    "shape": "layers x width",
    "changes": "of the modern recipe",
    "parameters": "numbers that learn, heads included",
    "seeds": "runs",
    "tokens": "read, mean over seeds, counted",
    "least": "fewest of a seed",
    "most": "most of a seed",
    "seconds": "of pretraining, mean over seeds, on this machine as loaded as it was",
}


@dataclass(frozen=True)
class Tuned:
    """The results of an arm on a task, at the rate that serves it best."""

    results: Sequence[Result]
    rate: float | None


def report(asked: argparse.Namespace, deciding: Mapping[str, Any]) -> Record:
    """What the runs that are there say."""
    some, wanted = compared(asked)
    measures = [*asked.tasks, *([FEATURES] if TAGGED in asked.tasks else [])]
    tuned = {name: {task: tuned_of(arm, task, asked) for task in measures} for name, arm in some.items()}
    scores = {name: scores_of(arm, tuned[name], asked) for name, arm in some.items()}
    floors = {name: floor(task_of(name, asked)) for name in asked.tasks} | unigram(some.values(), asked)
    floors |= {FEATURES: floors[TAGGED]} if TAGGED in floors else {}
    gains = [row for each in wanted for row in gain_rows(each, scores, floors, asked.tasks)]
    trained = {name: facts for name in some if (facts := told(some[name], asked)) and some[name].variant.name == name}
    return Record(
        kind="ablations",
        settings={
            **deciding,
            "seeds": asked.seeds,
            "families": {name: FAMILIES[name] for name in asked.families},
        },
        data={"tasks": {name: task_facts(task_of(name, asked)) for name in asked.tasks}},
        tables={
            "gains": Table.of(gains, GAINS),
            "scores": Table.of([row for name in some for row in score_rows(name, scores[name], tuned[name])], SCORES),
            "arms": Table.of([arm_row(some[name].variant, facts) for name, facts in trained.items()], ARMS),
        },
        findings=[
            verdict(gains),
            Finding(
                "warning.many",
                f"There are {len(gains)} intervals of 95 %: one in twenty misses what is true, so that an effect that "
                "is seen on one task alone may be chance.",
            ),
        ],
        environment={**environment(asked.threads), "device": name_of(device_of(asked.device))},
    )


def tuned_of(arm: Arm, task: str, asked: argparse.Namespace) -> Tuned:
    """The runs that are there, at the arm's best rate."""
    by_rate = {
        rate: [Result.read(path) for path in paths if path.exists()]
        for rate in rates_of(task, asked)
        for paths in [[result_file(arm, task, rate, seed, asked) for seed in range(asked.seeds)]]
    }
    best = best_rate(by_rate)
    return Tuned(by_rate[best], best)


def scores_of(arm: Arm, tuned: Mapping[str, Tuned], asked: argparse.Namespace) -> dict[str, Runs]:
    """By measure, where there are runs."""
    found = {task: runs_of(one.results, task_of(task, asked)) for task, one in tuned.items() if one.results}
    files = {seed: answers_file(arm, seed, asked) for seed in range(asked.seeds)}
    answers = {seed: Answers.read(path) for seed, path in files.items() if path.exists()}
    return found | ({NATS: {seed: nats_per_piece(one, NATS) for seed, one in answers.items()}} if answers else {})


def score_rows(name: str, scores: Mapping[str, Runs], tuned: Mapping[str, Tuned]) -> list[dict[str, Any]]:
    rows = []
    for measure, runs in scores.items():
        one = scored_of(runs)
        of = tuned.get(measure, Tuned((), None))
        states = {state: sum(each.state == state for each in of.results) for state in ("collapsed", "failed")}
        row = {"arm": name, "measure": measure, "mean": one.mean, "low": one.interval.low, "high": one.interval.high}
        rows.append({**row, "seeds": len(runs), "rate": of.rate, **states})
    return rows


def told(arm: Arm, asked: argparse.Namespace) -> list[dict[str, Any]]:
    """What is known of an arm's pretraining, seed by seed."""
    paths = [folder(arm.variant, seed, asked) / DONE for seed in range(asked.seeds)]
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]


def unigram(some: Iterable[Arm], asked: argparse.Namespace) -> dict[str, float]:
    """The nats of one who knows how often each piece is, once a masked model has been trained."""
    masked = [facts["unigram"] for arm in some if arm.variant.architecture == "bert" for facts in told(arm, asked)]
    return {NATS: masked[0]["mlm_unigram"]} if masked else {}


def arm_row(variant: Variant, facts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    tokens = [one["tokens"] for one in facts]
    return {
        "arm": variant.name,
        "architecture": variant.architecture,
        "shape": facts[0]["shape"],
        "changes": " ".join(facts[0]["changes"]),
        "parameters": facts[0]["parameters"],
        "seeds": len(facts),
        "tokens": float(np.mean(tokens)),
        "least": min(tokens),
        "most": max(tokens),
        "seconds": float(np.mean([one["seconds"] for one in facts])),
    }


def task_facts(task: Task) -> dict[str, Any]:
    sources = [{"file": Path(origin.path).name, "sha256": origin.sha256} for origin in task.origins]
    return {"learned": len(task.train), "asked": len(task.test), "metric": task.metric, "sources": sources}
