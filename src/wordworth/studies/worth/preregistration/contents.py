"""Everything that decides the verdict of a study, known before a rung is fitted: settings, split, rule, rungs, rows.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
The ladder is the list of rungs, cheapest first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import sha256_of_bytes
from wordworth.package_versions import version
from wordworth.sources import digest, resolve
from wordworth.studies.worth.decision_rule import ERROR, RULE, error_rate
from wordworth.tasks.reading.settings import part_to_test

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings
    from wordworth.tasks.task import Rows, Task

NO_FILES = "on the ladder"
"""The entry of a rung that needs no file of a model or of vectors."""
NOT_AVAILABLE = "not available"
"""The entry of a rung whose files are not on this machine."""
NO_SCORE = "no score"
"""The entry of a rung that failed or was skipped in the study."""


def canonical_json(value: object) -> bytes:
    """Return a value as canonical JSON, so that equal values give equal bytes.

    Names are sorted, there is no white space, and all characters are ASCII.

    >>> canonical_json({"b": 1, "a": [None, 0.5]})
    b'{"a":[null,0.5],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def contents(task: Task, rungs: Sequence[Rung], reading: ReadSettings, settings: WorthSettings) -> dict[str, Any]:
    """Return everything that decides the verdict of a study and is known before it runs, as plain data for JSON.

    The data are sections of named values, and the version of Wordworth. Columns, limits and names of files are left
    out, since hashes of the rows that were read cover them.

    Args:
        task: the task as it was read, with its metric and split.
        rungs: the rungs of the study, the cheapest first.
        reading: how the file was read.
        settings: the study's settings.
    """
    names = ("margin", "seeds", "seed", "draws", "quick")
    chosen = {name: np.asarray(getattr(settings, name)).item() for name in names}  # plain, also of numpy's numbers
    return {
        "wordworth": version("wordworth"),
        "settings": {"kind": task.kind, "metric": task.metric, **chosen},
        "split": {"test": _test_part(task, reading), "group": reading.group, "time": reading.time},
        "rule": _rule(look=1),
        "rungs": _rungs(rungs),
        "rows": {
            "used": len(task.used),
            "training": len(task.train),
            "test": len(task.test),
            "classes": list(task.classes),
            "training_sha256": rows_sha256(task, task.train),
            "test_sha256": rows_sha256(task, task.test),
        },
    }


def with_outcome(planned: Mapping[str, Any], rung_results: Sequence[RungResult], look: int) -> dict[str, Any]:
    """Return what decided the verdict of a study that has run: `planned`, and what is known only afterwards.

    Known afterwards are the rungs without a score, and how many verdicts were drawn of these labels so far.

    Args:
        planned: the contents before the study ran, as `contents` returns them.
        rung_results: the rungs after the ladder was run.
        look: 1 for the first verdict of these labels, 2 for the verdict after more labels were added, and so on.
    """
    missing = {result.rung.name: NO_SCORE for result in rung_results if result.state in {"failed", "skipped"}}
    rungs = {
        name: made_of if made_of == NOT_AVAILABLE else missing.get(name, made_of)
        for name, made_of in planned["rungs"].items()
    }
    return {**planned, "rule": _rule(look), "rungs": rungs}


def rows_sha256(task: Task, rows: Rows) -> str:
    """Return the SHA-256 of the texts, groups and labels of some rows, in the order of the file.

    Each row is hashed as a line of canonical JSON: a list of its text, second text, words, group and label, with null
    for each part that the row lacks. A class is its index in the task's `classes`.

    Args:
        task: the task.
        rows: int64 [n], the indices of the rows in the task.
    """
    examples, sha256 = task.examples, hashlib.sha256()
    parts = (examples.first, examples.second, examples.words, examples.groups)
    for row in np.sort(rows):
        values = [None if part is None else part[row] for part in parts]
        sha256.update(canonical_json([*values, np.asarray(task.labels[row]).tolist()]) + b"\n")
    return sha256.hexdigest()


def _test_part(task: Task, reading: ReadSettings) -> str:
    if task.folds:
        return f"{len(task.folds)} folds"
    if reading.time is not None:
        return "the latest rows"
    return "a share of the rows" if part_to_test(reading)[0] is None else "a file"


def _rule(look: int) -> dict[str, Any]:
    return {"name": RULE, "error": ERROR, "look": look, "error_of_this_look": error_rate(look)}


def _rungs(rungs: Sequence[Rung]) -> dict[str, str]:
    """Return name of each rung -> the SHA-256 of its files; `NO_FILES` or `NOT_AVAILABLE` for a rung without a hash."""
    sources = {rung.name: _source(rung) for rung in rungs}
    digests = {source: files_sha256(source) for source in sources.values() if source is not None}
    return {name: NO_FILES if source is None else digests[source] for name, source in sources.items()}


def _source(rung: Rung) -> str | None:
    """Return the name or path of a rung's model or vectors; None for a rung without them, or of another package."""
    from wordworth.representations.distilled_vectors import DistilledRung
    from wordworth.representations.few_shot import FewShot
    from wordworth.representations.finetuned_encoder import FineTuned
    from wordworth.representations.frozen_encoder import Frozen
    from wordworth.representations.precomputed_vectors import VectorFileRung
    from wordworth.representations.static_vectors import StaticRung
    from wordworth.representations.tfidf_with_encoder import Hybrid

    match rung:
        case Frozen() | Hybrid() | FineTuned() | FewShot() | DistilledRung():
            return rung.model
        case StaticRung():
            return rung.source
        case VectorFileRung():
            return str(rung.path)
    return None


def files_sha256(source: str) -> str:
    """Return one SHA-256 for all files of a model or of vectors.

    The result is the hash of canonical JSON with path -> SHA-256 of each file. If the files cannot be read, the result
    is `NOT_AVAILABLE`, since the study will skip the rung.

    Args:
        source: a name of the catalogue, a folder, a file or a hub name.
    """
    try:
        files = {path: digest(file) for path, file in resolve(source).files.items()}
    except BadInput:
        return NOT_AVAILABLE
    return sha256_of_bytes(canonical_json(files))
