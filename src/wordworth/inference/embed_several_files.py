"""`embed_files`: vectors of several files of texts, which a pattern such as `texts/*.parquet` names."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from glob import glob, has_magic
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.inference.bulk_embedding import embed
from wordworth.inference.embed_report import EmbedReport
from wordworth.inference.embed_settings import EmbedSettings
from wordworth.inference.ray_tasks import ray_cluster
from wordworth.progress import SILENT, Progress


def is_pattern(texts: object) -> bool:
    """Return whether `texts` is a pattern of paths, rather than a file, a table or a list of texts."""
    return isinstance(texts, str | Path) and has_magic(str(texts)) and not Path(texts).exists()


def embed_files(
    pattern: Path | str, folder: Path | str, settings: EmbedSettings, *, progress: Progress = SILENT
) -> EmbedReport:
    """Write the vectors of each file that a pattern names to a `.parquet` of the same name in a folder.

    If an earlier run was stopped, files that it finished are left as they are, and the unfinished file is resumed.

    Args:
        pattern: a pattern of paths, such as `texts/*.parquet`.
        folder: the folder for the files of vectors, which is created if it is missing.
        settings: the model, the columns and so on, for all files.
        progress: receives the progress and notes.

    Returns:
        A report on all files together, whose `out` is the folder.

    Raises:
        BadInput: no file matches the pattern, the vectors of two files would go to the same `.parquet`, `folder` is a
            file, or `embed` raises it for one of the files.
    """
    files, out = sorted(map(Path, glob(str(pattern), recursive=True))), Path(folder)  # noqa: PTH207 - of any root
    files = [file for file in files if file.is_file()]
    if not files:
        raise BadInput("no file has such a path", where=str(pattern), mend="check the path")
    if out.suffix or out.is_file():
        mend = "give a folder as --out, or one file of texts"
        raise BadInput("several files of texts make several files of vectors", where=str(out), mend=mend)
    targets = _targets(files, out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot make this folder: {str(error.strerror).lower()}"
        raise BadInput(what, where=str(out), mend="choose another --out") from error
    with ray_cluster() if settings.engine == "ray" else nullcontext():  # one for all files
        reports = [embed(file, target, settings, progress=progress) for file, target in targets.items()]
    return _together(out, reports)


def _targets(files: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Return file of texts -> file of vectors to write."""
    targets = {file: out / f"{file.name.partition('.')[0]}.parquet" for file in files}
    sources: dict[Path, Path] = {}
    for file, target in targets.items():
        if (other := sources.setdefault(target, file)) != file:
            what = f"{other} and {file} would both be written to {target}"
            raise BadInput(what, mend="give them other names, or embed them by two commands")
    return targets


def _together(out: Path, reports: Sequence[EmbedReport]) -> EmbedReport:
    rows = sum(report.rows for report in reports)
    return EmbedReport(
        out,
        rows,
        reports[0].width,
        resumed=sum(report.resumed for report in reports),
        zero_vectors=sum(report.zero_vectors for report in reports),
        unread=sum(report.unread * report.rows for report in reports) / max(1, rows),
        empty_texts=sum(report.empty_texts for report in reports),
        dtype=reports[0].dtype,
        unchanged=all(report.unchanged for report in reports),
    )
