"""Tables of what models of a comparison learned: their evaluations on held-out text, and their accuracy on BLiMP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wordworth import records
from wordworth.records import RECORD, Record, Table
from wordworth.training.pretraining.metrics_log import read as read_log

GRAMMAR = "blimp"
"""Folder inside a run's folder with the output of `wordworth study commonsense` on BLiMP, if that was run."""
_WHOSE = {"architecture": "as it was given", "seed": "of the training"}
LOOKS = _WHOSE | {
    "step": "updates so far",
    "tokens": "read so far",
    "loss": "held-out text, nats a target: a masked piece, or the next one",
    "right": "share of targets that had the highest probability",
    "unigram": "nats of one who knows only how often each piece is",
    "shuffled": "loss with the tokens in sight permuted; null where nothing is masked",
}
PAIRS = _WHOSE | {
    "pairs": "of BLiMP that were asked",
    "accuracy": "share whose good sentence is likelier",
    "low": "lower end of the 95 % interval, for new pairs of the same paradigms",
    "high": "upper end",
}
Runs = Mapping[str, Sequence[tuple[Path, Mapping[str, Any]]]]
"""Architecture -> the folder and the facts of each training run, as `matched.done` returns them."""


def learned(runs: Runs) -> dict[str, Table]:
    """Return the table `looks`, a row for each evaluation, and `grammar`, a row for each model tested on BLiMP."""
    each = [(name, folder, facts["seed"]) for name, trainings in runs.items() for folder, facts in trainings]
    evaluations = [
        {"architecture": name, "seed": seed, **row} for name, folder, seed in each for row in evaluations_of(folder)
    ]
    answers = [
        {"architecture": name, "seed": seed, **grammar(records.read(folder / GRAMMAR / RECORD))}
        for name, folder, seed in each
        if (folder / GRAMMAR / RECORD).exists()
    ]
    tables = {"looks": Table.of(evaluations, LOOKS)}
    return tables | ({"grammar": Table.of(answers, PAIRS)} if answers else {})


def evaluations_of(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield each evaluation of a run on held-out text, for its single objective."""
    rows = read_log(folder / "training")
    start = next(row for row in rows if row["kind"] == "start")
    (name, unigram), *_ = ((key.removesuffix("_unigram"), start[key]) for key in start if key.endswith("_unigram"))
    tokens = 0
    for row in rows:
        tokens += row["tokens"] if row["kind"] == "step" else 0
        if row["kind"] == "evaluation":
            figures = {"loss": row[name], "right": row[f"{name}_right"], "shuffled": row.get(f"{name}_shuffled")}
            yield {"step": row["step"], "tokens": tokens, "unigram": unigram, **figures}


def grammar(record: Record) -> dict[str, Any]:
    """Return the accuracy over all pairs of BLiMP from a record of `wordworth study commonsense`."""
    rows = record.tables["phenomena"].rows()
    whole = next(row for row in rows if (row["name"], row["method"]) == ("all", "likelihood"))
    return {"pairs": whole["items"], **{name: whole[name] for name in ("accuracy", "low", "high")}}
