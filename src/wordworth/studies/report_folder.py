"""`report`, which draws the page of a record, and `ReportFolder`, the folder for a study's record and its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path, require_distinct, require_writable, sweep_dead, write_text
from wordworth.progress import Progress
from wordworth.records import RECORD, Record, read, record_file
from wordworth.report_page import ReportPage
from wordworth.sources import RUN_MODEL
from wordworth.subprocesses import require_main_guard
from wordworth.text.read_compressed_file import file_sha256

PAGE = "report.html"
_MAPS = b'id="attention-data"'
"""Bytes by which a page with attention maps is recognised; the maps are on the page alone, not in record.json."""


def report(record: Record | Path | str, *, out: Path | str | None = None) -> ReportPage:
    """Draw the page of a record, without running the study again.

    Args:
        record: a record, the path of its record.json, or the folder that has this file.
        out: a file for the page; None writes nothing.

    Returns:
        The page, one self-contained HTML document as a string; notebooks display it.

    Raises:
        BadInput: there is no such record, it is damaged, or `out` cannot be written.

    >>> report("run").save("run/report.html")  # doctest: +SKIP
    """
    from wordworth.reports import render, render_file

    if isinstance(record, Record):
        page = ReportPage(render(record))
    else:
        file = record_file(record)
        if out is not None:
            require_distinct(as_path(out, "--out"), file)
            _require_no_maps(Path(out))
        page = ReportPage(render_file(file))
    if out is not None:
        page.save(out)
    return page


@dataclass(frozen=True, slots=True)
class ReportFolder:
    """A folder for record.json and report.html.

    A record of the same kind of study is overwritten, as the same command is often run again; other content is refused.

    Attributes:
        path: the folder; None means that nothing is written.
    """

    path: Path | None

    @classmethod
    def of(cls, out: Path | str | None, kind: str) -> ReportFolder:
        """Return the folder `out` for a study of this kind, after checking that it can be written.

        With None for `out`, nothing is written.

        Raises:
            BadInput: the folder cannot be written, or holds a record of another kind, a page without a record, or a
                model.
        """
        if out is None:
            return cls(None)
        require_main_guard()
        path = as_path(out, "--out")
        require_writable(path)
        content = _blocking_content(path, kind)
        if content:
            raise BadInput(
                f"this folder holds {content}", where=str(path), mend="give another --out, or remove it first"
            )
        return cls(path)

    def model_folder(self) -> Path | None:
        """Return the subfolder into which the study writes its model; None if nothing is written.

        Raises:
            BadInput: there is a model folder but no record, so that no study wrote it.
        """
        if self.path is None:
            return None
        model = self.path / RUN_MODEL
        if model.exists() and not (self.path / RECORD).exists():
            mend = "give another --out, or remove it first"
            raise BadInput(f"there is a folder `{RUN_MODEL}` that no study wrote", where=str(self.path), mend=mend)
        return model

    @property
    def earlier(self) -> str:
        """The headline of the record that the folder already holds; "" if there is no record or no headline."""
        if self.path is None or not (self.path / RECORD).exists():
            return ""
        return str(read(self.path / RECORD).finding("verdict").numbers.get("headline", ""))

    def note_replaced(self, settings: Mapping[str, Any], progress: Progress, files: Sequence[Path] = ()) -> None:
        """Tell the user by a note if the new study will replace a record of other data or settings in this folder.

        The note names the settings and files that differ, with their values in the record.

        Args:
            settings: name -> value of each setting of the new study; settings that the record lacks are not compared.
            progress: receives the note.
            files: data files that the new study reads, compared by content with the files that the record names. There
                is no comparison if `files` is empty or the record names no files.
        """
        if self.path is None or not (self.path / RECORD).exists():
            return
        record = read(self.path / RECORD)
        stored = record.settings
        wanted = {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
        former = [f"{name}={stored[name]!r:.60}" for name in wanted if name in stored and stored[name] != wanted[name]]
        differs = [*_other_data(record, files), *([f"with {', '.join(former)}"] if former else [])]
        if differs:
            progress.note(
                f"{self.path} holds a study {' '.join(differs)}: this one is measured on its own, with what the "
                "cache holds of the same fits, and its record replaces that one"
            )

    def write(self, record: Record) -> Record:
        """Write the record, add its captions and write its page, each file whole or not at all.

        Returns:
            The record with captions, also if no folder is written.
        """
        from wordworth.reports import render
        from wordworth.reports.captions import with_captions

        if self.path is None:
            return with_captions(record)
        for name in (RECORD, PAGE):
            sweep_dead(self.path / name)
        record.save(self.path / RECORD)  # first: it took hours, and captions and page can be made again from it
        captioned = with_captions(record)
        captioned.save(self.path / RECORD)
        write_text(self.path / PAGE, render(captioned))
        return captioned


def _other_data(record: Record, files: Sequence[Path]) -> list[str]:
    """Return one phrase that names the data of a record, or [] if `files` are the same data or either is unknown."""
    sources = [source for source in record.data.get("sources") or () if isinstance(source, Mapping)]
    if not files or not sources or {source.get("sha256") for source in sources} == set(map(file_sha256, files)):
        return []
    names = (f"{Path(str(source.get('path'))).name}, {source.get('rows'):,} rows" for source in sources)
    return [f"of other data ({'; '.join(names)})"]


def _require_no_maps(page: Path) -> None:
    """Check that a file is no page with attention maps: a page drawn from the record would lose the maps.

    Raises:
        BadInput: the file is such a page.
    """
    if page.is_file() and _MAPS in page.read_bytes():
        what = "this page has attention maps, which the record has not"
        raise BadInput(what, where=str(page), mend="give another --out, or run the study again")


def _blocking_content(folder: Path, kind: str) -> str:
    """Return in words the content of a folder that a study of this kind must not overwrite; "" if there is none."""
    if (folder / RECORD).exists():
        try:
            other = read(folder / RECORD).kind
        except BadInput:
            return f"a {RECORD} that is not a readable Wordworth record"
        return "" if other == kind else f"the record of another study, of kind {other!r}"
    if (folder / PAGE).exists():
        return f"a {PAGE} without its record"
    if kind == "finetune" and (folder / "model").exists() and not (folder / "runs").exists():
        return "a folder `model` that was not written by finetune"
    if kind == "finetune" and (folder / "predictions.jsonl").exists():
        return "a predictions.jsonl without its record"
    return "a model" if (folder / "config.json").exists() else ""
