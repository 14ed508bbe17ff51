"""When is a contextual encoder worth it? The study of Arora et al. (2020), on a user's own labelled text.

settings ─► label grid ─► run the ladder ─► RungResult, Scores ─► StudyResult ─► verdict, tables, captions ─► Record
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.errors import BadInput
from wordworth.progress import SILENT, Progress
from wordworth.settings_validation import split_settings
from wordworth.sources import require
from wordworth.studies.report_folder import ReportFolder
from wordworth.text.raw_file import check_file

if TYPE_CHECKING:
    from wordworth.records import Record

__all__ = ["worth"]

_SEVERAL = frozenset({"models", "vectors", "rungs"})
"""Settings that take several names, of which one may be given alone."""


def worth(
    path: Path | str | object,
    *,
    text: str | None = None,
    label: str | Sequence[str] | None = None,
    out: Path | str | None = None,
    progress: Progress = SILENT,
    **choices: Any,  # noqa: ANN401 - the fields of two settings classes
) -> Record:
    """Measure what a contextual encoder is worth on labelled text, and return a `Record`.

    Args:
        path: a CSV, TSV, JSON Lines, Parquet or CoNLL file, or one of them compressed.
        text: the column of the texts; guessed where not given.
        label: the column of the labels, or several columns of 0 and 1; guessed where not given.
        out: a folder for record.json and report.html; nothing is written where not given.
        progress: receives progress reports.
        choices: any field of `ReadSettings` (text_b, kind, test, metric, ...) or of `WorthSettings` (models, vectors,
            epsilon, seeds, quick, ...).

    Raises:
        BadInput: the file, a column or a setting cannot be used; the message says what, where and how to mend it.

    >>> record = worth("reviews.csv", text="text", label="label")  # doctest: +SKIP
    >>> record.verdict, record.table("curve")  # doctest: +SKIP
    """
    if not isinstance(path, str | Path):
        what = f"expected the path of a file, got {type(path).__name__}"
        raise BadInput(what, mend='save it first: frame.to_parquet("data.parquet"), then ww.worth("data.parquet")')
    _require_sources(Path(path), choices)
    from wordworth.studies.worth.settings import ReadSettings, WorthSettings

    choices = {"text": text, "label": label, **choices}
    several = {name: [choices[name]] for name in _SEVERAL & choices.keys() if isinstance(choices[name], str)}
    reading, settings, _ = split_settings(choices | several, ReadSettings, WorthSettings)
    chosen, read_as = WorthSettings(**settings), ReadSettings(**reading)
    folder = ReportFolder.of(out, "worth")
    with progress.step("starting"):  # a second or more, the first time
        from wordworth.representations.rung import RunContext
        from wordworth.studies.worth.looks import Looks
        from wordworth.studies.worth.study import study

    run_context = RunContext(progress=progress, threads=chosen.threads, seed=chosen.seed)
    return folder.write(study(Path(path), read_as, chosen, run_context, Looks.of(folder.path)))


def _require_sources(path: Path, choices: dict[str, Any]) -> None:
    """Check before any work that the file, the models and the vectors exist."""
    from wordworth.representations.shared_encoder import require_encoder

    check_file(path)
    for name, check in (("models", require_encoder), ("vectors", require)):
        values = choices.get(name) or ()
        for value in [values] if isinstance(values, str) else values:
            if value != "none":
                check(str(value))
