"""Which codebook connects words and sound? Several records of `wordworth study crossmodal`, chosen among without tests.

    python recipes/spoken_digits.py --data DATA/spoken_digits --out digits/ --no-audio
    wordworth study crossmodal digits/features.npy digits/captions.csv --k 4 --depth 2 --group-folds 6 --out k4d2/
    wordworth study crossmodal digits/features.npy digits/captions.csv --k 8 --depth 2 --group-folds 6 --out k8d2/
    python recipes/codebooks.py k4d2/record.json k8d2/record.json --out codebooks.json

In each fold it takes the codebook with which the system trained on pairs is furthest ahead of the baseline without the
other side, by `--by` on the fold's validation groups. The test groups of the fold have no part in the choice, so that
the scores of what was chosen are as honest as those of a single codebook. Intervals resample the test groups whole.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from parts.program import run_program
from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.measures.bootstrap import interval, share_draws
from wordworth.records import Record, read
from wordworth.studies.crossmodal.evaluation import CODES, COMPLETION
from wordworth.studies.crossmodal.systems import PAIRED, PRIOR, SYSTEMS

DRAWS = 1_000


def name_of(record: Record) -> str:
    """Return the name of a record's codebook, such as "4 to the power of 2"."""
    return f"{record.settings['k']} to the power of {record.settings['depth']}"


def require_same_folds(records: Sequence[Record]) -> None:
    """Check that all records are of the study `crossmodal`, on the same data in the same folds.

    Raises:
        BadInput: there are fewer than two records, one is of another study, or folds or sequences differ.
    """
    if len(records) < 2:
        raise BadInput("one record is no choice", mend="give records of several codebooks")
    for record in records:
        if record.kind != "crossmodal":
            raise BadInput(f"a record of the study {record.kind!r}", mend="give records of `study crossmodal`")
        folds, first = (each.table("folds")[["valid", "test", "test_sequences"]] for each in (record, records[0]))
        if not folds.equals(first):
            what = f"{name_of(record)} and {name_of(records[0])} have other folds"
            raise BadInput(what, mend="give studies of the same sequences with the same --seed and --group-folds")


def gains(record: Record, measure: str) -> list[float]:
    """Return by how much pairs are ahead of the baseline on the validation groups of each fold, -1 to 1."""
    table = record.table("validation")
    table = table[table["measure"] == measure].pivot(index="fold", columns="system", values="value")
    return (table[PAIRED] - table[PRIOR]).tolist()


def chosen_by_fold(records: Sequence[Record], measure: str) -> list[int]:
    """Return the index of the record that is chosen in each fold, by the gains on its validation groups."""
    return np.argmax([gains(record, measure) for record in records], axis=0).tolist()


def scores_of_chosen(records: Sequence[Record], chosen: Sequence[int], seed: int) -> list[dict[str, Any]]:
    """Return the scores of the codebooks that were chosen, each on the test groups of its own fold.

    Args:
        records: the records, one for each codebook.
        chosen: the index of the record of each fold.
        seed: seed of the resampling of groups.
    """
    tests = records[0].table("folds")["test"]
    of_group = {group: index for index, names in zip(chosen, tests, strict=True) for group in names.split(", ")}
    tables = [record.table("groups").set_index(["measure", "system", "group"]) for record in records]
    rows = []
    for measure in COMPLETION:
        cells = {
            system: [tables[index].loc[(measure, system, group)] for group, index in of_group.items()]
            for system in SYSTEMS
        }
        answers = np.array([cell["answers"] for cell in cells[PAIRED]], dtype=np.float64)
        right = np.stack([answers * [cell["value"] for cell in cells[system]] for system in SYSTEMS], axis=1)
        rng = seeds.child(seed, "crossmodal", "groups")
        draws = share_draws(right, answers, np.array(list(of_group)), DRAWS, rng)
        shares, own = right.sum(0) / answers.sum(), interval(draws[:, 0])
        row: dict[str, Any] = {"measure": measure, "value": shares[0], "low": own.low, "high": own.high}
        for column, system in enumerate(SYSTEMS[1:], start=1):
            less = interval(draws[:, 0] - draws[:, column])
            row[system] = {"value": shares[column], "difference": shares[0] - shares[column], **less.columns()}
        rows.append(row)
    return rows


def compared(records: Sequence[Record], measure: str, seed: int = 0) -> dict[str, Any]:
    """Return the scores of all codebooks, what was chosen in each fold, and the scores of what was chosen.

    Raises:
        BadInput: the records cannot be compared.
    """
    require_same_folds(records)
    chosen = chosen_by_fold(records, measure)
    codebooks = [
        {
            "codebook": name_of(record),
            "codes": record.settings["k"] ** record.settings["depth"],
            "settings": dict(record.settings),
            "validation_gains": gains(record, measure),
            "scores": [row for row in record.tables["scores"].rows() if row["measure"] in COMPLETION],
            "differences": [row for row in record.tables["differences"].rows() if row["measure"] in COMPLETION],
        }
        for record in records
    ]
    folds = records[0].table("folds")
    return {
        "chosen_by": measure,
        "data": dict(records[0].data),
        "codebooks": codebooks,
        "folds": [
            {"valid": valid, "test": test, "codebook": name_of(records[index])}
            for valid, test, index in zip(folds["valid"], folds["test"], chosen, strict=True)
        ],
        "chosen": scores_of_chosen(records, chosen, seed),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="+", help="records of `study crossmodal`, one for each codebook")
    parser.add_argument("--by", choices=COMPLETION, default=f"{CODES}, top 1", help="measure that decides")
    parser.add_argument("--out", type=Path, default=Path("codebooks.json"))
    options = parser.parse_args()
    text = json.dumps(compared([read(path) for path in options.records], options.by), indent=1)
    print(text)
    write_text(options.out, text + "\n")


if __name__ == "__main__":
    run_program(main)
