"""The record of a staged transfer: the record of its last stage, with tables of all stages and of the controls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.records import Finding, Record, Table
from wordworth.sentence_formatting import count_of, signed, some_of
from wordworth.studies.finetune.record import assemble
from wordworth.studies.finetune.results import Difference, StudyResults, paired_difference, scored
from wordworth.studies.finetune.staged_transfer_controls import ALONE, OPTIONS, SHUFFLED, STAGED, UPDATES, Chain, Stage
from wordworth.tasks.checks.duplicates import plain

if TYPE_CHECKING:
    from wordworth.tasks.task import Task

STAGES = {
    "arm": f"{STAGED}, or the name of a control",
    "stage": "number of the stage, from 1",
    "task": "the task that is learned",
    "kind": "its kind",
    "train": "training examples",
    "dev": "dev examples, on which weights are chosen",
    "test": "test examples",
    "learning_rate": "peak learning rate",
    "batch_size": "examples per update",
    "epochs": "passes over the training part",
    "steps": "updates of a run",
    "output": "the output layer at the start: new, or kept from the stage before",
    "runs": "number of runs that ended, one for each seed",
    "metric": "the task's metric",
    "mean": "mean over runs on the stage's own test part",
    "low": "lower end of the 95 % interval of the mean, over runs and test examples",
    "high": "upper end of the interval",
}
CONTROLS = {
    "arm": f"{ALONE}: without a transfer task; {SHUFFLED}: the transfer task with permuted labels; {UPDATES}: as many "
    f"updates on the target alone as all stages have; {OPTIONS}: the target alone, its options without context",
    "runs": "pairs of runs with the same seed",
    "mean": "mean test score of the arm",
    "low": "lower end of its 95 % interval, over runs and test examples",
    "high": "upper end of the interval",
    "gain": "mean score of staged transfer minus that of the arm, paired by seed",
    "gain_low": "lower end of the 95 % interval of the gain, over runs and test examples",
    "gain_high": "upper end of the interval",
}
_OVER = {
    ALONE: "{target} alone",
    SHUFFLED: "a transfer with shuffled labels",
    UPDATES: "as many updates on {target} alone",
}


def staged_record(results: StudyResults, chains: Sequence[Chain], out: Path) -> Record:
    """Build the record of a staged transfer, and write the best run's predictions for the target's test part.

    Args:
        results: the results of the last stage.
        chains: the chains of fine-tunings, staged transfer first, then its controls, with their results.
        out: the folder of the predictions.
    """
    record = assemble(results, out)
    staged, controls = chains[0], chains[1:]
    seed = results.experiment.settings.seed
    differences = {
        chain.name: paired_difference(staged.target.task, staged.target.results, chain.target.results, seed)
        for chain in controls
    }
    verdict, *others = record.findings
    gains = _gains(staged, differences)
    text = " ".join([*(finding.text for finding in gains), verdict.text])
    numbers = {**verdict.numbers, **({"headline": gains[0].numbers["headline"]} if gains else {})}
    earlier = [stage.task for stage in staged.stages[:-1]]
    sources = [asdict(origin) for task in earlier for origin in task.origins]
    tables = {
        "stages": Table.of([row for chain in chains for row in _stage_rows(chain, seed)], STAGES),
        "controls": Table.of([_control_row(chain, differences[chain.name], seed) for chain in controls], CONTROLS),
    }
    return replace(
        record,
        settings={**record.settings, "stages": [stage.task.name for stage in staged.stages]},
        data={**record.data, "sources": [*record.data["sources"], *sources]},
        tables={**record.tables, **tables},
        findings=[
            replace(verdict, text=text, numbers=numbers),
            *gains,
            *_shared_texts(staged),
            *others,
            *_method(staged, controls),
        ],
        timings={**record.timings, "stages": _seconds(chains)},
    )


def _stage_rows(chain: Chain, seed: int) -> list[dict[str, Any]]:
    return [_stage_row(chain.name, number, stage, seed) for number, stage in enumerate(chain.stages, 1)]


def _stage_row(chain_name: str, number: int, stage: Stage, seed: int) -> dict[str, Any]:
    ended = [result for result in stage.results if result.test is not None]
    score, split = scored(stage.task, ended, stage.task.metric, seed), stage.spec.split
    return {
        "arm": chain_name,
        "stage": number,
        "task": stage.task.name,
        "kind": stage.task.kind,
        "train": len(split.train),
        "dev": len(split.dev),
        "test": len(split.test),
        **asdict(stage.point),
        "steps": stage.steps,
        "output": stage.output,
        "runs": len(ended),
        "metric": stage.task.metric,
        **_mean(score.values, score.low, score.high),
    }


def _control_row(chain: Chain, difference: Difference | None, seed: int) -> dict[str, Any]:
    task = chain.target.task
    score = scored(task, [run for run in chain.target.results if run.test is not None], task.metric, seed)
    gain: dict[str, float | None] = {"gain": None, "gain_low": None, "gain_high": None}
    if difference is not None:
        gain = {"gain": difference.mean, "gain_low": difference.low, "gain_high": difference.high}
    return {
        "arm": chain.name,
        "runs": 0 if difference is None else difference.runs,
        **_mean(score.values, score.low, score.high),
        **gain,
    }


def _mean(values: Any, low: float, high: float) -> dict[str, float | None]:  # noqa: ANN401 - float64 [runs]
    """Return the columns `mean`, `low` and `high` of a table, from the scores of the runs; all None without runs."""
    if not len(values):
        return {"mean": None, "low": None, "high": None}
    return {"mean": float(values.mean()), "low": low, "high": high}


def _gains(staged: Chain, differences: dict[str, Difference | None]) -> list[Finding]:
    """Return the finding `transfer`, which says what the transfer gains over each control; [] without controls."""
    known = {name: each for name, each in differences.items() if each is not None and name in _OVER}
    if not known:
        return []
    tasks, target = [stage.task.name for stage in staged.stages[:-1]], staged.target.task.name
    phrases = [f"{_points(each)} over {_OVER[name].format(target=target)}" for name, each in known.items()]
    several = all(each.runs > 1 for each in known.values())
    sure = several and all(each.low > 0 for each in known.values())
    answer = f"{'a' if sure else 'no'} gain beyond doubt over all three"
    if not several:
        answer = "one run says nothing of other seeds, so that no gain is sure"
    over = known.get(ALONE, next(iter(known.values())))
    headline = f"{signed(over.mean)} points by {' and then '.join(tasks)} first: {'a' if sure else 'no'} sure gain."
    numbers: dict[str, Any] = {
        "headline": headline,
        "sure": sure,
        **{name: asdict(each) for name, each in known.items()},
    }
    text = f"Learning {' and then '.join(tasks)} first is worth {', '.join(phrases)}: {answer}."
    if (contexts := differences.get(OPTIONS)) is not None:
        text += f" Over the options read without their contexts it is {_points(contexts)}."
        numbers[OPTIONS] = asdict(contexts)
    return [Finding("transfer", text, numbers)]


def _points(difference: Difference) -> str:
    return f"{signed(difference.mean)} points ({signed(difference.low)} to {signed(difference.high)})"


def _shared_texts(staged: Chain) -> list[Finding]:
    """Return a warning if texts of the target's test part are training texts of an earlier stage; else []."""
    learned = {
        text for stage in staged.stages[:-1] for text in _first_texts(stage.task, stage.spec.split.train.tolist())
    }
    tested = _first_texts(staged.target.task, staged.target.task.test.tolist())
    known = sum(text in learned for text in tested)
    if not known:
        return []
    which = some_of(known, len(tested), "test example has a first text", "test examples have a first text")
    text = f"{which} that a stage before learned from: the score may be too high for new texts."
    return [Finding("warning.stages_share_texts", text, {"rows": known, "of": len(tested)})]


def _first_texts(task: Task, rows: Sequence[int]) -> list[str]:
    return plain(replace(task.examples.take(rows), second=None))


def _method(staged: Chain, controls: Sequence[Chain]) -> list[Finding]:
    parts = [
        f"{number}. {stage.task.name}, {len(stage.spec.split.train):,} examples, {count_of(stage.steps, 'update')}, "
        f"with a{' new' if stage.output == 'new' else 'n earlier'} output layer"
        for number, stage in enumerate(staged.stages, 1)
    ]
    text = (
        f"Stages: {'; '.join(parts)}. Each run of a stage starts from the run of the stage before with the same seed; "
        "the output layer goes on where both tasks have the same kind and the same classes."
    )
    findings = [Finding("method.stages", text)]
    if controls:
        names = ", ".join(chain.name for chain in controls)
        text = f"Controls, with the same seeds, rows and settings: {names}. Gains are paired by seed and test example."
        findings.append(Finding("method.controls", text))
    return findings


def _seconds(chains: Sequence[Chain]) -> dict[str, float]:
    """Return the seconds of the runs of each chain and stage, keyed by the chain's name and the stage's number.

    A stage that two chains share is counted once, for the first of them.
    """
    seconds: dict[str, float] = {}
    seen: set[str] = set()
    for chain in chains:
        for number, stage in enumerate(chain.stages, 1):
            name = f"{stage.key} {stage.point.name}"
            if name not in seen:
                seconds[f"{chain.name} {number}"] = sum(result.seconds for result in stage.results)
            seen.add(name)
    return seconds
