"""`DatasetSpec`: a data set that has a name, and the layouts in which its files are found."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.records import Finding
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, find, folders, hub_folder
from wordworth.tasks.formats.part import Part, Reader, joined
from wordworth.tasks.task import Kind
from wordworth.text.raw_file import read_stored

Names = str | tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileLayout:
    """One way in which a data set's files lie.

    Attributes:
        files: part -> the files that make it up, in order; names (packed ones count too) or patterns with `*`.
        read: what reads a file, or what reads those of each part.
        notes: part -> what the files of this layout are where they are not the official part.
        hub: the data set's name on the Hugging Face hub, where these are its files in the hub's cache.
    """

    files: Mapping[str, Names]
    read: Reader | Mapping[str, Reader]
    notes: Mapping[str, str] = field(default_factory=dict)
    hub: str | None = None

    def names(self, part: str) -> tuple[str, ...]:
        """The files of a part."""
        given = self.files.get(part, ())
        return (given,) if isinstance(given, str) else given

    def reader(self, part: str) -> Reader:
        """What reads them."""
        return self.read[part] if isinstance(self.read, Mapping) else self.read


@dataclass(frozen=True, kw_only=True, slots=True)
class DatasetSpec:
    """A data set that is known by name.

    Attributes:
        name: what a user writes.
        title: what it asks, in a line.
        source: who published it.
        kind: as `Task.kind`.
        classes: the classes or tags in their order; empty for regression, choice and span.
        metrics: what its publication reports, the main one first; names that `measures.metrics.metric` knows.
        folders: what its folder is called, beneath `$WORDWORTH_DATA` or the user's own folder.
        layouts: in the order in which they are tried; the first is the official one and words the error.
        train_from: the named task to learn from where this one has no training part.
        sizes: part -> how many examples were published; a copy with others is used, and said to be another.
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

    @property
    def part_names(self) -> tuple[str, ...]:
        """The parts that its publication gives labels for."""
        return tuple(dict.fromkeys(part for layout in self.layouts for part in layout.files))

    @property
    def held_out(self) -> str:
        """The part to be measured on unless another is asked for: dev, else test."""
        return "dev" if "dev" in self.part_names else "test"

    def parts(self, wanted: Sequence[str], folder: Path | None = None) -> dict[str, Part]:
        """The wanted parts, all from the first layout that has all of them, so that no two copies are mixed.

        Args:
            wanted: names of parts.
            folder: the user's own folder of the files; else `$WORDWORTH_DATA` and the hub's cache are looked through.

        Raises:
            BadInput: there is no such part, or its files are not on this machine or not what they should be.
        """
        for part in wanted:
            if part not in self.part_names:
                mend = nearest(part, self.part_names)
                raise BadInput(f"{self.name} has no {part} part with public labels", mend=mend)
        for layout in self.layouts:
            for place in self._places(layout, folder):
                found = {part: self._files(layout, part, place) for part in wanted}
                if all(found.values()):
                    return {part: self._part(layout, part, files) for part, files in found.items()}
        raise self._missing(wanted, folder)

    def _places(self, layout: FileLayout, folder: Path | None) -> list[Path]:
        if layout.hub is None:
            return list(folders(self.folders, folder))
        kept = None if folder is not None else hub_folder(layout.hub)
        return [kept] if kept else []

    def _files(self, layout: FileLayout, part: str, place: Path) -> list[Path]:
        """The part's files at a place; none unless all are there."""
        found = [find(place, name) for name in layout.names(part)]
        return [path for paths in found for path in paths] if all(found) else []

    def _part(self, layout: FileLayout, part: str, files: list[Path]) -> Part:
        whole = joined([layout.reader(part)(read_stored(path)) for path in files])
        if whole.examples.ids is None:
            ids = tuple(map(str, range(len(whole))))
            whole = replace(whole, examples=replace(whole.examples, ids=ids))
        said = [layout.notes[part]] if part in layout.notes else []
        if len(whole) != self.sizes.get(part, len(whole)):
            said.append(f"{len(whole):,} examples, where {self.sizes[part]:,} were published")
        numbers = {"part": part, "rows": len(whole)}
        notes = [Finding(f"warning.{part}_part", f"{self.name}, {part} part: {what}.", numbers) for what in said]
        return replace(whole, notes=(*whole.notes, *notes))

    def _absent(self, wanted: Sequence[str], layouts: Sequence[FileLayout], folder: Path | None) -> list[str]:
        """Of the wanted parts those that lie nowhere in these layouts; all of them where none is absent."""
        places = [(layout, place) for layout in layouts for place in self._places(layout, folder)]
        found = {part for part in wanted if any(self._files(layout, part, place) for layout, place in places)}
        return [part for part in wanted if part not in found] or list(wanted)

    def _missing(self, wanted: Sequence[str], folder: Path | None) -> BadInput:
        official = self.layouts[0]
        absent = self._absent(wanted, self.layouts, folder)
        names = [name for part in self._absent(wanted, [official], folder) for name in official.names(part)]
        place = f"${DATA_VARIABLE}/{self.folders[0]}/" if folder is None else f"{folder}/"
        mend = f"put {' and '.join(dict.fromkeys(names))} ({self.source}) into {place}"
        if folder is None and DATA_VARIABLE not in os.environ:
            mend += f" (the variable {DATA_VARIABLE} is not set)"
        hubs = [layout.hub for layout in self.layouts if layout.hub]
        if hubs and folder is None:
            mend += f", or the data set {hubs[0]} into the hub's cache"
        if "train" in wanted and self.train_from is None:
            mend += "; or learn from another named task of its kind, with --learn-from"
        return BadInput(f"the {' and '.join(absent)} part of {self.name} is not on this machine", mend=mend)
