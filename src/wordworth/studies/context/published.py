"""The paper's curves, and how they are derived from the statistics that were released with it.

Ethayarajh 2019, "How Contextual are Contextualized Word Representations?"; statistics: github.com/kawine/contextual.
The numbers here are means over its words, by layer; `recomputed` derives them from the released files.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.json_file import read_object

Curve = tuple[float | None, ...]
"""One value per layer, from the input layer on; None where the release has none."""
FILES = {"ELMo": "elmo", "BERT": "bert", "GPT-2": "gpt2"}
_STATS = {
    "baseline": "mean cosine similarity across words",
    "intra_sentence": "mean cosine similarity between sentence and words",
    "explained_null": "variance explained for random words",
}


@dataclass(frozen=True, slots=True)
class Published:
    """One model's curves, to three decimals.

    Attributes:
        baseline: mean cosine of random words.
        self_similarity: mean over words, minus the baseline.
        intra_sentence: mean over sentences, minus the baseline.
        explained: maximum explainable variance as released (the estimator called `published` here), not adjusted.
        explained_adjusted: `explained` minus the same of 1,000 random occurrences.
    """

    baseline: Curve
    self_similarity: Curve
    intra_sentence: Curve
    explained: Curve
    explained_adjusted: Curve


CURVES: Mapping[str, Published] = {
    "ELMo": Published(
        baseline=(0.008, 0.157, 0.136),
        self_similarity=(0.992, 0.587, 0.506),
        intra_sentence=(0.31, 0.425, 0.485),
        explained=(None, 0.033, 0.039),
        explained_adjusted=(None, 0.03, 0.035),
    ),
    "BERT": Published(
        baseline=(0.105, 0.168, 0.219, 0.245, 0.327, 0.377, 0.42, 0.398, 0.399, 0.484, 0.561, 0.675, 0.477),
        self_similarity=(0.849, 0.753, 0.652, 0.578, 0.471, 0.404, 0.345, 0.346, 0.332, 0.27, 0.221, 0.164, 0.278),
        intra_sentence=(0.33, 0.354, 0.351, 0.345, 0.315, 0.318, 0.306, 0.313, 0.321, 0.287, 0.259, 0.195, 0.299),
        explained=(None, 0.01, 0.015, 0.02, 0.023, 0.024, 0.025, 0.028, 0.029, 0.026, 0.023, 0.026, 0.04),
        explained_adjusted=(
            None,
            -0.015,
            -0.002,
            0.008,
            0.009,
            0.012,
            0.013,
            0.018,
            0.017,
            0.011,
            0.001,
            -0.014,
            0.031,
        ),
    ),
    "GPT-2": Published(
        baseline=(0.611, 0.644, 0.597, 0.614, 0.587, 0.573, 0.578, 0.582, 0.595, 0.617, 0.667, 0.758, 0.978),
        self_similarity=(0.306, 0.277, 0.303, 0.294, 0.297, 0.292, 0.272, 0.26, 0.243, 0.223, 0.185, 0.129, 0.007),
        intra_sentence=(0.197, 0.181, -0.014, -0.065, -0.05, -0.014, 0.008, 0.032, 0.04, 0.041, 0.026, 0.01, 0.012),
        explained=(None, 0.16, 0.286, 0.302, 0.301, 0.3, 0.297, 0.299, 0.302, 0.308, 0.308, 0.351, 0.713),
        explained_adjusted=(
            None,
            -0.138,
            -0.683,
            -0.696,
            -0.697,
            -0.697,
            -0.7,
            -0.697,
            -0.693,
            -0.686,
            -0.684,
            -0.634,
            -0.116,
        ),
    ),
}


def recomputed(folder: Path, model: str) -> Published:
    """Compute the curves of one model from the released files.

    Args:
        folder: has `<model>_self_similarity.csv`, `<model>_variance_explained.csv` and
            `<model>_embedding_space_stats.json` (`bert`, `gpt2`, `elmo`).
        model: `ELMo`, `BERT` or `GPT-2`.

    Raises:
        BadInput: a file is missing or is not the released one.
    """
    name = FILES[model]
    stats = _stats(folder / f"{name}_embedding_space_stats.json")
    alike = _layer_means(folder / f"{name}_self_similarity.csv")
    explained = np.concatenate([[np.nan], _layer_means(folder / f"{name}_variance_explained.csv")])
    return Published(
        baseline=_curve(stats["baseline"]),
        self_similarity=_curve(alike - stats["baseline"]),
        intra_sentence=_curve(stats["intra_sentence"] - stats["baseline"]),
        explained=_curve(explained),
        explained_adjusted=_curve(explained - stats["explained_null"]),
    )


def _curve(values: np.ndarray) -> Curve:
    """Round to three decimals; half a thousandth is rounded up as in decimal arithmetic, despite binary fractions."""
    return tuple(None if np.isnan(value) else round(float(value) + 1e-12, 3) for value in values)


def _stats(path: Path) -> dict[str, np.ndarray]:
    data = read_object(path)
    try:
        return {name: np.array(list(data[key].values()), dtype=np.float64) for name, key in _STATS.items()}
    except (ValueError, KeyError, AttributeError) as error:
        raise BadInput(f"not the released statistics: {error}", where=str(path), mend="fetch them again") from error


def _layer_means(path: Path) -> np.ndarray:
    """Average every column `layer_*` over words."""
    require_regular(path)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        layers = [name for name in rows[0] if name.startswith("layer_")]
        values = np.array([[float(row[layer]) for layer in layers] for row in rows])
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise BadInput(f"not the released statistics: {error}", where=str(path), mend="fetch them again") from error
    means: np.ndarray = values.mean(axis=0)
    return means
