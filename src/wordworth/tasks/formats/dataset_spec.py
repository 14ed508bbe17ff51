"""`DatasetSpec`: a named data set, the layouts in which its files may be stored, and the task made from the files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.records import Finding
from wordworth.tasks import task_types
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, LEARN_FROM, folders, hub_folder, matching_files
from wordworth.tasks.formats.dataset_part import Part, Reader, joined
from wordworth.tasks.task import Kind, Task
from wordworth.text.read_compressed_file import read_raw

Names = str | tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileLayout:
    """One way in which a data set's files are stored.

    Attributes:
        files: name of a part -> the files of that part, in order: names (compressed files match too) or patterns with
            `*`.
        read: the reader of all files; or name of a part -> the reader of its files.
        notes: name of a part -> a remark, if the files of this layout are not the official part.
        hub: the data set's name on the Hugging Face hub, if its files in the hub's cache have this layout.
    """

    files: Mapping[str, Names]
    read: Reader | Mapping[str, Reader]
    notes: Mapping[str, str] = field(default_factory=dict)
    hub: str | None = None

    def names(self, part: str) -> tuple[str, ...]:
        """Return the names of the files that hold a part in this layout; empty if the layout lacks the part."""
        files = self.files.get(part, ())
        return (files,) if isinstance(files, str) else files

    def reader(self, part: str) -> Reader:
        """Return the reader of the files that hold a part in this layout."""
        return self.read[part] if isinstance(self.read, Mapping) else self.read


@dataclass(frozen=True, kw_only=True, slots=True)
class DatasetSpec:
    """A data set that is known by name.

    Attributes:
        name: the name that a user writes.
        title: the question that the data set asks, in one line.
        source: who published the data set.
        kind: the name of the data set's `TaskType`.
        classes: the names of the classes or tags in order; empty for regression, multiple choice, question answering.
        metrics: the names of the metrics of its publication, the main one first, as `measures.metrics.metric` knows
            them.
        folders: names that the data set's folder may have, in `$WORDWORTH_DATA` or the user's own folder.
        layouts: the layouts that its files may have, tried in this order. The first is the official one: an error about
            missing files names its files.
        train_from: the named task to learn from if this data set has no training part.
        sizes: name of a part -> the published number of its examples; a copy of another size is used with a warning.
    """

    name: str
    title: str
    source: str
    kind: Kind
    metrics: tuple[str, ...]
    folders: tuple[str, ...]
    layouts: tuple[FileLayout, ...]
    classes: tuple[str, ...] = ()
    train_from: str | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "kind", task_types.todays_name(self.kind)
        )  # frozen; a former name is read as that of today

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts of the data set whose labels are public (`train`, `dev`, `test`)."""
        return tuple(dict.fromkeys(part for layout in self.layouts for part in layout.files))

    @property
    def held_out(self) -> str:
        """The name of the part to test on if the user names none: `dev` if the data set has one, else `test`."""
        return "dev" if "dev" in self.part_names else "test"

    def parts(self, wanted: Sequence[str], folder: Path | None = None) -> dict[str, Part]:
        """Return the wanted parts of the data set by name.

        All wanted parts are read from one copy of the data set, the first that has them all: copies are never mixed.

        Args:
            wanted: the names of the parts.
            folder: the user's own folder of the files; otherwise `$WORDWORTH_DATA` and the hub's cache are searched.

        Raises:
            BadInput: there is no such part, or its files are not on this machine or not as they should be.
        """
        for part in wanted:
            if part not in self.part_names:
                mend = nearest(part, self.part_names)
                raise BadInput(f"{self.name} has no {part} part with public labels", mend=mend)
        for layout in self.layouts:
            for data_folder in self._data_folders(layout, folder):
                files_of_part = {part: self._files(layout, part, data_folder) for part in wanted}
                if all(files_of_part.values()):
                    return {part: self._part(layout, part, files) for part, files in files_of_part.items()}
        raise self._missing(wanted, folder)

    def _data_folders(self, layout: FileLayout, folder: Path | None) -> list[Path]:
        if layout.hub is None:
            return list(folders(self.folders, folder))
        cached = None if folder is not None else hub_folder(layout.hub)
        return [cached] if cached else []

    def _files(self, layout: FileLayout, part: str, data_folder: Path) -> list[Path]:
        """Return the files of a part in a folder; an empty list unless all of the layout's names match a file."""
        matches = [matching_files(data_folder, name) for name in layout.names(part)]
        return [path for paths in matches for path in paths] if all(matches) else []

    def _part(self, layout: FileLayout, part: str, files: list[Path]) -> Part:
        whole = joined([layout.reader(part)(read_raw(path)) for path in files])
        if whole.examples.ids is None:
            ids = tuple(map(str, range(len(whole))))
            whole = replace(whole, examples=replace(whole.examples, ids=ids))
        remarks = [layout.notes[part]] if part in layout.notes else []
        if len(whole) != self.sizes.get(part, len(whole)):
            remarks.append(f"{len(whole):,} examples, where {self.sizes[part]:,} were published")
        numbers = {"part": part, "rows": len(whole)}
        notes = [Finding(f"warning.{part}_part", f"{self.name}, {part} part: {remark}.", numbers) for remark in remarks]
        return replace(whole, notes=(*whole.notes, *notes))

    def _absent(self, wanted: Sequence[str], layouts: Sequence[FileLayout], folder: Path | None) -> list[str]:
        """Return the wanted parts that no layout has in any folder, for an error.

        If each is found somewhere, but no copy has all of them, the result is all wanted parts.
        """
        locations = [(layout, data_folder) for layout in layouts for data_folder in self._data_folders(layout, folder)]
        present = {
            part for part in wanted if any(self._files(layout, part, data_folder) for layout, data_folder in locations)
        }
        return [part for part in wanted if part not in present] or list(wanted)

    def _missing(self, wanted: Sequence[str], folder: Path | None) -> BadInput:
        if folder is not None and not folder.is_dir():
            return BadInput("there is no such folder", where=str(folder), mend="check the path")
        official = self.layouts[0]
        absent = self._absent(wanted, self.layouts, folder)
        names = [name for part in self._absent(wanted, [official], folder) for name in official.names(part)]
        target = f"${DATA_VARIABLE}/{self.folders[0]}/" if folder is None else f"{folder}/"
        mend = f"put {' and '.join(dict.fromkeys(names))} ({self.source}) into {target}"
        if folder is None and DATA_VARIABLE not in os.environ:
            mend += f" (the variable {DATA_VARIABLE} is not set)"
        hubs = [layout.hub for layout in self.layouts if layout.hub]
        if hubs and folder is None:
            mend += f", or the data set {hubs[0]} into the hub's cache"
        if "train" in wanted and self.train_from is None:
            mend += LEARN_FROM
        parts = f"{absent[0]} part" if len(absent) == 1 else f"{' and '.join(absent)} parts"
        verb = "is" if len(absent) == 1 else "are"
        return BadInput(f"the {parts} of {self.name} {verb} not on this machine", mend=mend)


def assemble(spec: DatasetSpec, train: Part, test: Part, description: str) -> Task:
    """Return the task that learns from one part of a data set and is tested on a second part.

    Questions whose answer positions are unknown are left out of the training part.

    Args:
        spec: the data set, which gives the kind, classes and metrics of the task.
        train: the part to learn from.
        test: the part to test on.
        description: a sentence that names both parts, for the `record.json` of a run.
    """
    whole = joined([train, test])
    rows = np.arange(len(train), dtype=np.int64)
    task = Task(
        name=spec.name,
        kind=spec.kind,
        examples=whole.examples,
        labels=whole.labels,
        classes=spec.classes,
        train=rows,
        test=np.arange(len(train), len(whole), dtype=np.int64),
        metric=spec.metrics[0],
        metrics=spec.metrics,
        origins=whole.origins,
        warnings=(Finding("method.parts", description, {"train": len(train), "test": len(test)}), *whole.notes),
    )
    return replace(task, train=rows[task.type.learnable(train.labels)])


def check_match(spec: DatasetSpec, other: DatasetSpec) -> None:
    """Check that a model for the data set `spec` may learn from the data set `other`.

    Raises:
        BadInput: the two data sets differ in kind or in classes.
    """
    if spec.kind != other.kind:
        what = f"{other.name} is of kind {other.kind}, {spec.name} of kind {spec.kind}"
        raise BadInput(what, mend="learn from a task of the same kind")
    if spec.classes != other.classes:
        what = f"{other.name} has the classes {', '.join(other.classes)}, {spec.name} {', '.join(spec.classes)}"
        raise BadInput(what, mend="learn from a task with the same classes")
