"""The record of finished runs of `wordworth pretrain` or `adapt`: what each measured on held-out text, step by step.

python recipes/training_curves.py linked/ unlinked/ --out curves.json
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.json_file import read_object
from wordworth.records import Finding, Record, Table
from wordworth.sentence_formatting import count_of
from wordworth.studies.study import environment
from wordworth.training.pretraining import metrics_log
from wordworth.training.pretraining.run_identity import FILE

TRAINING = "training"
MEASURES = {
    "mlm": "mean loss of masked pieces, in nats",
    "mlm_right": "share of masked pieces that are predicted rightly",
    "dea": "mean loss of the entities of mentions, in nats; empty for a run without them",
    "dea_right": "share of mentions whose entity is predicted rightly, among those of the step; likewise",
}
DESCRIBE = {"run": "folder of the run", "step": "updates made", **MEASURES}


def curve(folder: Path) -> list[dict[str, Any]]:
    """Return a row for each evaluation of a finished run on held-out text.

    Raises:
        BadInput: the folder has no such run, or its last update has not been evaluated.
    """
    log = metrics_log.read(folder / TRAINING)
    steps = next((row["steps"] for row in log if row["kind"] == "start"), None)
    rows = [row for row in log if row["kind"] == "evaluation"]
    if not rows or rows[-1]["step"] != steps:
        mend = "give the folder of a finished run with --held-out"
        raise BadInput("no run with an evaluation after its last update", where=str(folder), mend=mend)
    return [{"run": folder.name, "step": row["step"], **{name: row.get(name) for name in MEASURES}} for row in rows]


def record(folders: list[Path]) -> Record:
    """Return the record of some finished runs: their settings, curves and seconds."""
    rows = {folder.name: curve(folder) for folder in folders}
    logs = {folder.name: metrics_log.read(folder / TRAINING) for folder in folders}
    steps = {name: [row for row in log if row["kind"] == "step"] for name, log in logs.items()}
    seconds = {name: round(own[-1]["seconds"], 1) for name, own in steps.items()}
    tokens = {name: sum(row["tokens"] for row in own) for name, own in steps.items()}
    text = "; ".join(
        f"{name}: {count_of(tokens[name], 'token')} in {own[-1]['step']:,} updates" for name, own in rows.items()
    )
    return Record(
        kind="training_curves",
        settings={folder.name: read_object(folder / TRAINING / FILE) for folder in folders},
        data={"name": ", ".join(rows), "tokens": tokens},
        tables={"curves": Table.of([row for own in rows.values() for row in own], DESCRIBE)},
        findings=[Finding("verdict", f"{text}.", {"headline": f"Curves of {count_of(len(rows), 'run')}."})],
        timings={"seconds": seconds},
        environment=environment(1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of finished runs")
    parser.add_argument("--out", type=writable_path, required=True, help="the record, a .json")
    options = parser.parse_args()
    record(options.runs).save(options.out)


if __name__ == "__main__":
    run_script(main)
