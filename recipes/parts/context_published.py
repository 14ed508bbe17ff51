"""The curves of Ethayarajh 2019, derived from the statistics that were released with the paper."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.json_file import read_object
from wordworth.studies.contextuality.published_curves import Curve, Published

FILES = {"ELMo": "elmo", "BERT": "bert", "GPT-2": "gpt2"}
_STATS = {
    "baseline": "mean cosine similarity across words",
    "intra_sentence": "mean cosine similarity between sentence and words",
    "explained_null": "variance explained for random words",
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
    stats = read_statistics(folder / f"{FILES[model]}_embedding_space_stats.json")
    alike = read_layer_means(folder / f"{FILES[model]}_self_similarity.csv")
    return Published(
        baseline=_curve(stats["baseline"]),
        self_similarity=_curve(alike - stats["baseline"]),
        intra_sentence=_curve(stats["intra_sentence"] - stats["baseline"]),
        explained=_curve(_explained(folder, model)),
    )


def explained_adjusted(folder: Path, model: str) -> Curve:
    """Compute the maximum explainable variance minus that of 1,000 random occurrences, by layer.

    Args:
        folder: the folder of `recomputed`.
        model: `ELMo`, `BERT` or `GPT-2`.

    Raises:
        BadInput: a file is missing or is not the released one.
    """
    stats = read_statistics(folder / f"{FILES[model]}_embedding_space_stats.json")
    return _curve(_explained(folder, model) - stats["explained_null"])


def _explained(folder: Path, model: str) -> np.ndarray:
    return np.concatenate([[np.nan], read_layer_means(folder / f"{FILES[model]}_variance_explained.csv")])


def _curve(values: np.ndarray) -> Curve:
    """Round to three decimals; half a thousandth is rounded up as in decimal arithmetic, despite binary fractions."""
    return tuple(None if np.isnan(value) else round(float(value) + 1e-12, 3) for value in values)


def read_statistics(path: Path) -> dict[str, np.ndarray]:
    """Read the released statistics of a model, an array by layer for each."""
    data = read_object(path)
    try:
        return {name: np.array(list(data[key].values()), dtype=np.float64) for name, key in _STATS.items()}
    except (ValueError, KeyError, AttributeError) as error:
        raise BadInput(f"not the released statistics: {error}", where=str(path), mend="fetch them again") from error


def read_layer_means(path: Path) -> np.ndarray:
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
