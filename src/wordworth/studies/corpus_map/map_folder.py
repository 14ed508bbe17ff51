"""`MapFolder`: the folder of a map with its record, its page and the file of the cluster of every text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import atomic_write, sweep_dead
from wordworth.records import RECORD, Record
from wordworth.studies.corpus_map.tables import CorpusMap
from wordworth.studies.report_folder import ReportFolder
from wordworth.text.file_formats.base import ColumnType
from wordworth.text.file_formats.read import require_writable

CLUSTERS = "clusters.csv"
_COLUMNS: dict[str, ColumnType] = {"id": "text", "cluster": "number", "cosine": "number", "x": "number", "y": "number"}
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class MapFolder:
    """The output folder of `search map`: the record, its page and a file with the cluster of each text.

    Attributes:
        report: the folder of the record and its page.
    """

    report: ReportFolder

    @classmethod
    def of(cls, out: Path | None, kind: str) -> MapFolder:
        """Return the folder, after checking that it can be written and holds at most an earlier map.

        Args:
            out: the folder; None writes nothing.
            kind: the kind of the record.

        Raises:
            BadInput: the folder cannot be written, or holds files that are not an earlier map.
        """
        if out is not None and (out / CLUSTERS).exists() and not (out / RECORD).exists():
            what, mend = f"this folder holds a {CLUSTERS} without a record", "give another --out, or remove it first"
            raise BadInput(what, where=str(out), mend=mend)
        return cls(ReportFolder.of(out, kind))

    def write(self, record: Record, corpus: CorpusMap) -> Record:
        """Write the file of clusters, the record and its page, each atomically, and return the record.

        The three files are put in place together, after the largest is on the disk. If the largest cannot be written,
        the files of an earlier map stay.
        """
        if self.report.path is None:
            return self.report.write(record)
        target = self.report.path / CLUSTERS
        sweep_dead(target)
        with atomic_write(target) as neighbour:
            require_writable(target).write(neighbour, _rows(corpus), _COLUMNS)
            return self.report.write(record)


def _rows(corpus: CorpusMap) -> Iterator[dict[str, Any]]:
    """Yield id, cluster, cosine with the centroid and place on the map of every text; no place if it is not drawn."""
    assignment = corpus.assignment
    coordinates = dict(zip(corpus.map.positions.tolist(), corpus.map.coordinates.round(_DIGITS).tolist(), strict=True))
    ids = corpus.index.ids().take(assignment.rows).to_pylist()
    labels, cosines = (assignment.clusters + 1).tolist(), assignment.cosines.round(_DIGITS).tolist()
    for position, (name, cluster, cosine) in enumerate(zip(ids, labels, cosines, strict=True)):
        x, y = coordinates.get(position, (None, None))
        yield {"id": name, "cluster": cluster, "cosine": cosine, "x": x, "y": y}
