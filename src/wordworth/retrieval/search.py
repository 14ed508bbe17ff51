"""`search` searches an index once; `load_index` opens an index to search it many times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.exported_table import is_database
from wordworth.retrieval.index import Index
from wordworth.retrieval.search_database import search_database
from wordworth.retrieval.settings import TABLE, Method, SearchSettings
from wordworth.settings_validation import settings_from


def search(  # noqa: PLR0913 - the settings, each by its name
    query: str,
    index: Path | str,
    *,
    k: int = 10,
    method: Method = "dense",
    where: str | None = None,
    exact: bool = False,
    table: str = "texts",
    model: str | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> pd.DataFrame:
    """Find the texts of an index that are nearest to a query.

    For several queries open the index with `load_index`, which loads the model once.

    Args:
        query: a text.
        index: folder of the index; or a database to which `export_index` wrote an index: a .sqlite or .db, or a URL
            such as `postgresql://user@host/name`.
        k: number of results; there are fewer if fewer texts meet the condition or, with `bm25`, if fewer have a word of
            the query.
        method: `dense` ranks by the cosine of vectors, `bm25` by words, and `hybrid` by the reciprocal ranks of both.
        where: a condition on columns that results must meet, such as `lang = 'en' AND year >= 2020`.
        exact: whether to compare all vectors, also if the index has a graph, which `build_hnsw` builds, or the database
            an approximate index.
        table: name of the table, if `index` is a database.
        model: where the index's model is now; None for where it was when the index was built.
        threads: number of threads; the results do not depend on it.
        progress: receives a message on how vectors were searched, if not by comparing all, and on the data type in
            which they were computed, if not in float32.

    Returns:
        A row for each result, the best first: `rank` from 1, `id`, `score` (with `dense` the cosine) and the columns of
        the texts.

    Raises:
        BadInput: there is no index or it is damaged; the model is missing or not the model that the index was built
            with; the condition cannot be read; the query is empty, or the model is a static table that knows no word of
            the query; or `index` is a database that cannot be read, or that should rank by words, which it cannot.
        MissingExtra: `index` is a URL, and psycopg is not installed.

    >>> search("how do I reset my password?", "index/", where="lang = 'en'")  # doctest: +SKIP
    """
    settings = settings_from(locals(), SearchSettings)
    if is_database(index):
        return search_database(query, str(index), settings, progress)
    opened = load_index(index)
    if settings.table != TABLE:
        what = "--table names a table of a database, and this index is a folder"
        raise BadInput(what, where=str(index), mend="leave --table out, or give the database as --index")
    if settings.where is not None:
        opened.passing(settings.where)  # a condition that cannot be read is found before a model is loaded
    if settings.method != "bm25":
        opened.load_model(settings.model, settings.threads)
    if settings.method == "dense" and (note := opened.query_model.dtype_note):
        progress.note(note)
    return opened.search(
        query, k=settings.k, method=settings.method, where=settings.where, exact=settings.exact, progress=progress
    )


def load_index(index: Path | str) -> Index:
    """Open an index to search it many times: `load_index(folder).search(query)`.

    Args:
        index: folder of the index.

    Raises:
        BadInput: there is no index, or it is damaged.

    >>> load_index("index/").search(["a query", "another"], k=3)  # doctest: +SKIP
    """
    return Index.open(as_path(index, "--index"))
