"""`symbols learn` from end to end: read features, learn a codebook or resume one, write codes and the `Record`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.folder_lock import alone_in
from wordworth.models.codebook import level_file
from wordworth.progress import Progress
from wordworth.records import RECORD, Record, Table, read
from wordworth.studies.codebook.findings import findings
from wordworth.studies.study import make_record, timed
from wordworth.studies.training_folder_checks import TRAINING, require_own_or_free, require_same
from wordworth.text.read_compressed_file import file_sha256
from wordworth.training.codebook.feature_rows import FeatureRows, require_clusters
from wordworth.training.codebook.hierarchical_kmeans import PASSES, LearnedCodes, learn
from wordworth.training.codebook.settings import CodebookSettings

KIND = "codebook"
CODES = "codes.npy"
_LEVELS = {
    "level": "levels of clusters so far, which is the digits of a code",
    "codes": "possible codes",
    "used": "codes that some row has",
    "error": "mean squared distance of a row to the centroid of its code",
    "unexplained": "the same as a share of the mean squared distance to the mean of all rows",
    "perplexity": "2 to the power of the entropy of the codes, as if so many were used equally often",
}


def run(settings: CodebookSettings, features: Path, out: Path, progress: Progress) -> Record:
    """Learn a codebook in a folder, or resume one, and write the code of each row of features with the record.

    If the codebook in the folder is finished, its record is read and nothing is computed.

    Args:
        settings: the numbers of clusters and levels, and the seed.
        features: the file of features.
        out: the folder to write.
        progress: receives progress and messages.

    Raises:
        BadInput: the features cannot be used, or the folder holds other files or another codebook.
    """
    rows = FeatureRows.open(features)
    require_clusters(len(rows), settings.k, features)
    folder, training, seconds = require_own_or_free(out, KIND), out / TRAINING, dict[str, float]()
    with timed(seconds, "reading"), progress.step("checking", len(rows)) as step:
        rows.require_finite(step)
        variance = _variance(rows)
        if variance == 0:
            what = f"all {len(rows):,} rows of features are equal, so there is nothing to tell apart"
            raise BadInput(what, where=str(features), mend="make the features again")
        sha256 = file_sha256(features)
    with alone_in(training, waits=False):
        require_same({"kind": KIND, **asdict(settings), "file": sha256}, training)
        files = [RECORD, CODES, *(level_file(out, level).name for level in range(settings.depth))]
        if all((out / name).exists() for name in files):
            progress.note(f"{out}: this codebook is finished already")
            return read(out / RECORD)
        with timed(seconds, "learning"), progress.step("clustering", PASSES * settings.depth * len(rows)) as step:
            learned = learn(rows, settings, out, step)
        with atomic_write(out / CODES) as temporary, temporary.open("wb") as file:
            np.save(file, learned.codes)
        tables = {"levels": Table.of(_level_rows(learned, variance), _LEVELS)}
        facts = {
            "name": features.name,
            "rows": len(rows),
            "width": rows.width,
            "sources": [{"path": features.name, "sha256": sha256, "rows": len(rows)}],
        }
        sentences = findings(settings, tables["levels"], len(rows))
        return folder.write(make_record(KIND, settings, facts, tables=tables, findings=sentences, seconds=seconds))


def _variance(rows: FeatureRows) -> float:
    """Return the mean squared distance of the rows to their mean."""
    total = sum((block.sum(0, dtype=np.float64) for _, block in rows.blocks()), np.zeros(rows.width))
    mean = total / len(rows)
    return sum(float(np.square(block - mean).sum()) for _, block in rows.blocks()) / len(rows)


def _level_rows(learned: LearnedCodes, variance: float) -> list[dict[str, Any]]:
    rows, k, depth = [], learned.codebook.k, learned.codebook.depth
    for level, error in enumerate(learned.errors, start=1):
        _, counts = np.unique(learned.codes // k ** (depth - level), return_counts=True)
        shares = counts / counts.sum()
        row = {"level": level, "codes": k**level, "used": len(counts), "error": error}
        unexplained = error / variance if variance else 0.0
        rows.append({**row, "unexplained": unexplained, "perplexity": float(2 ** -(shares * np.log2(shares)).sum())})
    return rows
