"""The command `search map`: clusters of the texts of an index, and a map of them, on one page."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.corpus_map.settings import MapSettings

__all__ = ["map_index"]


@documented_by(MapSettings)
def map_index(  # noqa: PLR0913 - the settings, each by its name
    index: Path | str,
    out: Path | str | None = None,
    *,
    clusters: int | None = None,
    colour: str | None = None,
    where: str | None = None,
    points: int = 2_000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """Cluster the texts of an index by k-means of their vectors, and draw a map of them.

    A test says whether there are clusters at all. The clusters learned on two halves of the texts must agree more than
    the clusters learned on two halves of normal draws with the same mean and covariance.

    Args:
        index: folder of the index.
        out: a folder for record.json, report.html and clusters.csv, which has the cluster of every text; None writes
            nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `corpus_map`: `tables["clusters"]` has the size and the words of each cluster,
        `tables["texts"]` its most central and most outlying texts, and `tables["points"]` the coordinates of texts on
        the map. `tables["agreement"]` has, for each number of clusters that was tried, how far two halves of the texts
        agree. `tables["spread"]` has the number of texts with each value of the column `colour` in each cluster.

    Raises:
        BadInput: there is no index or it is damaged; a column is missing or has too many values; the condition `where`
            cannot be read; there are fewer than two texts for each cluster; or `out` holds files other than an earlier
            map.

    >>> map_index("index/", "map/", colour="label")  # doctest: +SKIP
    """
    from wordworth.files import as_path
    from wordworth.settings_validation import settings_from

    settings = settings_from(locals(), MapSettings)
    from wordworth.studies.corpus_map.study import run

    return run(settings, as_path(index, "--index"), None if out is None else as_path(out, "--out"), progress)
