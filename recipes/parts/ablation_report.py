"""The record of the paper's ablations, made of the runs that are finished."""

from __future__ import annotations

import argparse
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
from wordworth.checked_json import read_checked
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


def report(options: argparse.Namespace, deciding: Mapping[str, Any]) -> Record:
    """Return the record of the finished runs."""
    models, wanted = compared(options)
    measures = [*options.tasks, *([FEATURES] if TAGGED in options.tasks else [])]
    tuned = {name: {task: tuned_of(arm, task, options) for task in measures} for name, arm in models.items()}
    scores = {name: scores_of(arm, tuned[name], options) for name, arm in models.items()}
    floors = {name: floor(task_of(name, options)) for name in options.tasks} | unigram(models.values(), options)
    floors |= {FEATURES: floors[TAGGED]} if TAGGED in floors else {}
    gains = [row for each in wanted for row in gain_rows(each, scores, floors, options.tasks)]
    trained = {
        name: facts
        for name in models
        if (facts := pretraining_facts(models[name], options)) and models[name].variant.name == name
    }
    return Record(
        kind="ablations",
        settings={
            **deciding,
            "seeds": options.seeds,
            "families": {name: FAMILIES[name] for name in options.families},
        },
        data={"tasks": {name: task_facts(task_of(name, options)) for name in options.tasks}},
        tables={
            "gains": Table.of(gains, GAINS),
            "scores": Table.of([row for name in models for row in score_rows(name, scores[name], tuned[name])], SCORES),
            "arms": Table.of([arm_row(models[name].variant, facts) for name, facts in trained.items()], ARMS),
        },
        findings=[
            verdict(gains),
            Finding(
                "warning.many",
                f"There are {len(gains)} intervals of 95 %: one in twenty misses what is true, so that an effect that "
                "is seen on one task alone may be chance.",
            ),
        ],
        environment={**environment(options.threads), "device": name_of(device_of(options.device))},
    )


def tuned_of(arm: Arm, task: str, options: argparse.Namespace) -> Tuned:
    """Return the finished runs at the arm's best rate."""
    by_rate = {
        rate: [Result.read(path) for path in paths if path.exists()]
        for rate in rates_of(task, options)
        for paths in [[result_file(arm, task, rate, seed, options) for seed in range(options.seeds)]]
    }
    best = best_rate(by_rate)
    return Tuned(by_rate[best], best)


def scores_of(arm: Arm, tuned: Mapping[str, Tuned], options: argparse.Namespace) -> dict[str, Runs]:
    """Return the arm's scores by measure; a measure without runs is left out."""
    runs = {task: runs_of(entry.results, task_of(task, options)) for task, entry in tuned.items() if entry.results}
    files = {seed: answers_file(arm, seed, options) for seed in range(options.seeds)}
    answers = {seed: Answers.read(path) for seed, path in files.items() if path.exists()}
    return runs | ({NATS: {seed: nats_per_piece(entry, NATS) for seed, entry in answers.items()}} if answers else {})


def score_rows(name: str, scores: Mapping[str, Runs], tuned: Mapping[str, Tuned]) -> list[dict[str, Any]]:
    rows = []
    for measure, runs in scores.items():
        score = scored_of(runs)
        of = tuned.get(measure, Tuned((), None))
        states = {state: sum(each.state == state for each in of.results) for state in ("collapsed", "failed")}
        row = {
            "arm": name,
            "measure": measure,
            "mean": score.mean,
            "low": score.interval.low,
            "high": score.interval.high,
        }
        rows.append({**row, "seeds": len(runs), "rate": of.rate, **states})
    return rows


def pretraining_facts(arm: Arm, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Read the facts of an arm's pretraining, one for each finished seed."""
    paths = [folder(arm.variant, seed, options) / DONE for seed in range(options.seeds)]
    return [read_checked(path) for path in paths if path.exists()]


def unigram(models: Iterable[Arm], options: argparse.Namespace) -> dict[str, float]:
    """Return the nats of the unigram distribution; empty before a masked model has been trained."""
    masked = [
        facts["unigram"]
        for arm in models
        if arm.variant.architecture == "bert"
        for facts in pretraining_facts(arm, options)
    ]
    return {NATS: masked[0]["mlm_unigram"]} if masked else {}


def arm_row(variant: Variant, facts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    tokens = [run["tokens"] for run in facts]
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
        "seconds": float(np.mean([run["seconds"] for run in facts])),
    }


def task_facts(task: Task) -> dict[str, Any]:
    sources = [{"file": Path(origin.path).name, "sha256": origin.sha256} for origin in task.origins]
    return {"learned": len(task.train), "asked": len(task.test), "metric": task.metric, "sources": sources}
