"""`search` asks an index once; `load_index` opens it to be asked often."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from wordworth.files import as_path
from wordworth.retrieval.index import Index, Method
from wordworth.retrieval.settings import SearchSettings
from wordworth.settings_validation import settings_from


def search(  # noqa: PLR0913 - the settings, each by its name
    query: str,
    index: Path | str,
    *,
    k: int = 10,
    method: Method = "dense",
    where: str | None = None,
    model: str | None = None,
    threads: int | None = None,
) -> pd.DataFrame:
    """Find the texts of an index that are nearest to a query. `load_index` keeps index and model for further queries.

    Args:
        query: a text.
        index: folder of the index.
        k: number of results; fewer only where fewer texts pass.
        method: `dense` ranks by the cosine of vectors, `bm25` by words, and `hybrid` by the reciprocal ranks of both.
        where: a condition on columns that results pass, such as `lang = 'en' AND year >= 2020`.
        model: where the index's model is now; None for where it was.
        threads: number of threads; the results do not depend on it.

    Returns:
        A row for each result, the best first: `rank`, `id`, `score` (of `dense` the cosine) and the columns of the
        texts.

    Raises:
        BadInput: there is no index or it is damaged, its model is another one or not there, the condition cannot be
            read, or the query is empty, or has no word that a static table knows.

    >>> search("how do I reset my password?", "index/", where="lang = 'en'")  # doctest: +SKIP
    """
    settings = settings_from(locals(), SearchSettings)
    opened = load_index(index)
    if settings.where is not None:
        opened.passing(settings.where)  # a condition that cannot be read is found before a model is loaded
    if settings.method != "bm25":
        opened.load_model(settings.model, settings.threads)
    return opened.search(query, k=settings.k, method=settings.method, where=settings.where)


def load_index(index: Path | str) -> Index:
    """Open an index to search it as often as one likes: `load_index(folder).search(query)`.

    Args:
        index: folder of the index.

    Raises:
        BadInput: there is no index, or it is damaged.

    >>> load_index("index/").search(["a query", "another"], k=3)  # doctest: +SKIP
    """
    return Index.open(as_path(index, "--index"))
