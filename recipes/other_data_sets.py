"""The lead of contextual rungs on each published data set, and how well the other sets predict it: a prior for `worth`.

    python recipes/other_data_sets.py --out docs/records/other_data_sets.json

From the records of `validity.py` (960 labels) and of `paper.py` (all labels, at least 200 test rows): the true lead of
the better of frozen MiniLM and TF-IDF beside it over the best cheap rung. Each data set is left out once, and the
interval that the others make is held to its studies:

* before any label, also from a line over the number of labels, over the score of the best cheap rung, and over whether
  texts are pairs;
* with what a study of its own measures, simulated with the standard error that the studies of `validity.py` had.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import stdtrit

from wordworth import seeds
from wordworth.cli.scripts import part_of_record, run_script, writable_path
from wordworth.files import write_text
from wordworth.measures.prior_from_other_data_sets import DataSetPrior
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.worth.prior_from_published_data import CONTEXTUAL

RECORDS = Path(__file__).parents[1] / "docs" / "records"
VALIDITY_LABELS, DRAWS = 960, 200
FEWEST_TESTED = 200
"""Fewest test rows of a study: with fewer, as on WNLI with 71, its lead is mostly chance."""


@dataclass(frozen=True, slots=True)
class StudiedGap:
    """The result of one study of a data set. Scores are from 0 to 1.

    Attributes:
        data_set: name of the data set.
        kind: its kind of task.
        metric: its metric.
        labels: number of labels that each rung (representation with its classifier) learned from.
        cheap: score of the best cheap rung.
        gap: lead of the better contextual rung over the best cheap one, in the same unit.
        error: standard error of the lead in this study; None if the record has none.
    """

    data_set: str
    kind: str
    metric: str
    labels: int
    cheap: float
    gap: float
    error: float | None = None


def studied_gaps(folder: Path = RECORDS) -> list[StudiedGap]:
    """Return the result of each study in the two records."""
    made = []
    for study in part_of_record(folder / "validity.json", "studies", list):
        error = study["width"] / 100 / 2 / 1.96
        made.append(_studied_gap(study["set"], study["kind"], study["metric"], VALIDITY_LABELS, study["true"], error))
    for study in part_of_record(folder / "paper.json", "sets", list):
        data, scores = study["data"], {name: ladder[0] for name, ladder in study["ladder"].items()}
        if data["test"] >= FEWEST_TESTED:
            made.append(_studied_gap(study["set"], data["kind"], data["metric"], data["train"], scores, None))
    return made


def _studied_gap(
    name: str, kind: str, metric: str, labels: int, scores: dict[str, float], error: float | None
) -> StudiedGap:
    cheap = max(score for rung, score in scores.items() if rung not in CONTEXTUAL)
    contextual = max(score for rung, score in scores.items() if rung in CONTEXTUAL)
    return StudiedGap(name, kind, metric, labels, cheap, contextual - cheap, error)


def by_data_set(studies: Sequence[StudiedGap]) -> dict[str, list[float]]:
    """Return the leads of each data set, one for each of its studies."""
    names = dict.fromkeys(study.data_set for study in studies)
    return {name: [each.gap for each in studies if each.data_set == name] for name in names}


PREDICTORS: dict[str, Callable[[StudiedGap], list[float]]] = {
    "nothing": lambda _: [],
    "the number of labels": lambda study: [float(np.log2(study.labels))],
    "the score of the best cheap rung": lambda study: [study.cheap],
    "labels and score": lambda study: [float(np.log2(study.labels)), study.cheap],
    "whether texts are pairs": lambda study: [float(study.kind in {"pair_classification", "regression"})],
}


def left_out(studies: Sequence[StudiedGap], predictor: Callable[[StudiedGap], list[float]]) -> dict[str, Any]:
    """Judge the prediction of each data set's lead from all other sets.

    The result has the share of studies whose lead is inside the predicted 95 % interval, the median half width of that
    interval, and the root mean square error of the prediction.
    """
    held, errors, widths = [], [], []
    for name in by_data_set(studies):
        line = _line([study for study in studies if study.data_set != name], predictor)
        for study in (study for study in studies if study.data_set == name):
            middle, half = line(np.array([1.0, *predictor(study)]))
            held.append(abs(study.gap - middle) <= half)
            errors.append(study.gap - middle)
            widths.append(half)
    return {
        "studies": len(held),
        "held": float(np.mean(held)),
        "half_width": float(np.median(widths)),
        "root_mean_square_error": float(np.sqrt(np.mean(np.square(errors)))),
    }


def _line(
    studies: Sequence[StudiedGap], predictor: Callable[[StudiedGap], list[float]]
) -> Callable[[Floats], tuple[float, float]]:
    """Return what gives the prediction and the half width of its 95 % interval; each data set weighs the same."""
    names = [study.data_set for study in studies]
    root = np.sqrt([1 / names.count(name) for name in names])
    design = np.array([[1.0, *predictor(study)] for study in studies]) * root[:, None]
    target = np.array([study.gap for study in studies]) * root
    slopes = np.linalg.lstsq(design, target)[0]
    degrees = len(set(names)) - design.shape[1]
    variance, inverse = float(((target - design @ slopes) ** 2).sum()) / degrees, np.linalg.inv(design.T @ design)

    def predicted(row: Floats) -> tuple[float, float]:
        return float(row @ slopes), float(stdtrit(degrees, 0.975) * np.sqrt(variance * (1 + row @ inverse @ row)))

    return predicted


def with_own_labels(studies: Sequence[StudiedGap]) -> dict[str, Any]:
    """Return how often the interval of a study contains its true lead, alone and combined with the other data sets.

    This is a simulation: a study measures its true lead plus a normal error, with the standard error of the record.
    """
    by_name, rng = by_data_set(studies), seeds.child(0, "other data sets")
    held, alone, widths = [], [], []
    for study, error in ((study, study.error) for study in studies if study.error is not None):
        prior = DataSetPrior.of(of_set for name, of_set in by_name.items() if name != study.data_set)
        for noise in rng.standard_normal(DRAWS):
            _, span = prior.with_measured(study.gap + error * noise, error)
            held.append(study.gap in span)
            alone.append(abs(noise) <= 1.96)
            widths.append((span.high - span.low) / (2 * 1.96 * error))
    return {
        "simulated": len(held),
        "held": float(np.mean(held)),
        "held_alone": float(np.mean(alone)),
        "width_over_alone": float(np.median(widths)),
    }


def main() -> None:
    """Print the leads and how they are foretold, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=writable_path, default=RECORDS / "other_data_sets.json")
    options = parser.parse_args()
    studies = studied_gaps()
    prior = DataSetPrior.of(by_data_set(studies).values())
    record = {
        "data_sets": by_data_set(studies),
        "prior": asdict(prior) | {"low": prior.interval().low, "high": prior.interval().high},
        "left_out": {name: left_out(studies, predictor) for name, predictor in PREDICTORS.items()},
        "with_own_labels": with_own_labels(studies),
        "studies": [asdict(study) for study in studies],
    }
    print(json.dumps({name: part for name, part in record.items() if name != "studies"}, indent=1))
    write_text(options.out, json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    run_script(main)
