"""What do an ontology and pretraining add where their worth is known? Simulated patients with latent diseases.

    python benchmarks/latent_diseases.py [--effects 0.8 0] [--runs 5] [--out docs/records/latent_diseases.json]

A patient has one or two diseases. A disease shows as one of eight sibling codes, drawn anew at each visit, some of
them rare; its drugs are siblings too, and the patient always gets the same one of them. With the probability `effect`
a visit gets the drug of its disease, else any drug. Siblings mean the same, which is what the graph tells; most
training patients have a single visit, which only pretraining reads, and few have several. With no effect nothing but
frequency can be learned.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np

import wordworth as ww
from wordworth import seeds
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.records import Record

DISEASES, SIGNS, DRUGS = 12, 8, 4
_START = date(2020, 1, 1)
_ACTIVE, _SECOND = 0.9, 0.5
"""Chances that a disease shows at a visit, and that a patient has a second one or a visit a second sign of it."""


@dataclass(frozen=True, slots=True)
class Patients:
    """How many are simulated: to train on with a single visit, and with two to five visits in each part."""

    single: int = 600
    train: int = 60
    valid: int = 100
    test: int = 300

    def visits(self, rng: np.random.Generator) -> Iterator[tuple[str, int]]:
        """Yield the part of each patient and the number of visits."""
        yield from (("train", 1) for _ in range(self.single))
        for part, number in (("train", self.train), ("valid", self.valid), ("test", self.test)):
            yield from ((part, int(rng.integers(2, 6))) for _ in range(number))


def popularity(number: int) -> Floats:
    """Chances of sibling codes: the first is common, the last rare."""
    weights = 1 / np.arange(1, number + 1) ** 1.5
    return floats(weights / weights.sum())


def events(patients: Patients, effect: float, rng: np.random.Generator) -> Iterator[tuple[str, str, str, str, str]]:
    """The patient, part, date, kind and code of every event."""
    for patient, (part, visits) in enumerate(patients.visits(rng)):
        diseases = rng.choice(DISEASES, size=1 + (rng.random() < _SECOND), replace=False)
        preferred = {int(disease): int(rng.choice(DRUGS, p=popularity(DRUGS))) for disease in diseases}
        for visit in range(visits):
            day = (_START + timedelta(days=30 * visit)).isoformat()
            active = [disease for disease in preferred if rng.random() < _ACTIVE] or list(preferred)[:1]
            for disease in active:
                for sign in rng.choice(SIGNS, size=1 + (rng.random() < _SECOND), p=popularity(SIGNS)).tolist():
                    yield f"p{patient}", part, day, "condition", f"D{disease}.{sign}"
                drug = (disease, preferred[disease])
                if rng.random() >= effect:
                    drug = int(rng.integers(DISEASES)), int(rng.choice(DRUGS, p=popularity(DRUGS)))
                yield f"p{patient}", part, day, "medication", f"R{drug[0]}.{drug[1]}"


def write_patients(folder: Path, patients: Patients, effect: float, seed: int) -> dict[str, Path]:
    """Write visits and both ontologies; returns their paths by the name of the study's argument.

    Args:
        folder: to write in.
        patients: how many.
        effect: the chance that a drug follows from a disease.
        seed: of what is drawn.
    """
    lines = ["patient,part,date,kind,code"]
    lines += [",".join(event) for event in events(patients, effect, seeds.child(seed, "latent diseases"))]
    files = {"visits": folder / "visits.csv"}
    write_text(files["visits"], "\n".join(lines) + "\n")
    for name, letter, leaves in (("input_ontology", "D", SIGNS), ("target_ontology", "R", DRUGS)):
        tree = ["child,parent"]
        for disease in range(DISEASES):
            tree.append(f"{letter}{disease},{letter}")
            tree += [f"{letter}{disease}.{leaf},{letter}{disease}" for leaf in range(leaves)]
        files[name] = folder / f"{name}.csv"
        write_text(files[name], "\n".join(tree) + "\n")
    return files


def measured(effect: float, runs: int, seed: int) -> Record:
    """The record of a study on patients simulated with this effect."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_patients(Path(folder), Patients(), effect, seed)
        return ww.study_codes(
            files["visits"],
            input_ontology=files["input_ontology"],
            target_ontology=files["target_ontology"],
            synthetic=True,
            runs=runs,
            seed=seed,
            progress=Bars(),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effects", type=float, nargs="*", default=[0.8, 0.0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=writable_path, default=Path("docs/records/latent_diseases.json"))
    options = parser.parse_args()
    figures = {}
    for effect in options.effects:
        record = measured(effect, options.runs, options.seed)
        names = ("scores", "differences", "filters")
        tables = {name: list(record.tables[name].rows()) for name in names}
        figures[f"{effect:g}"] = {"settings": dict(record.settings), "verdict": record.verdict, **tables}
        write_text(options.out, json.dumps(figures, indent=1) + "\n")
        print(f"effect {effect:g}\n{record.verdict}\n", flush=True)


if __name__ == "__main__":
    run_script(main)
