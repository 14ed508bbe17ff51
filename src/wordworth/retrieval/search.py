"""`search` searches an index once; `load_index` opens an index to search it many times."""

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
    """Find the texts of an index that are nearest to a query.

    For several queries open the index with `load_index`, which loads the model once.

    Args:
        query: a text.
        index: folder of the index.
        k: number of results; there are fewer if fewer texts meet the condition or, with `bm25`, if fewer have a word of
            the query.
        method: `dense` ranks by the cosine of vectors, `bm25` by words, and `hybrid` by the reciprocal ranks of both.
        where: a condition on columns that results must meet, such as `lang = 'en' AND year >= 2020`.
        model: where the index's model is now; None for where it was when the index was built.
        threads: number of threads; the results do not depend on it.

    Returns:
        A row for each result, the best first: `rank` from 1, `id`, `score` (with `dense` the cosine) and the columns of
        the texts.

    Raises:
        BadInput: there is no index or it is damaged, the model is missing or not the one that the index was built with,
            the condition cannot be read, the query is empty, or the model is a static table that knows no word of it.

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
    """Open an index to search it many times: `load_index(folder).search(query)`.

    Args:
        index: folder of the index.

    Raises:
        BadInput: there is no index, or it is damaged.

    >>> load_index("index/").search(["a query", "another"], k=3)  # doctest: +SKIP
    """
    return Index.open(as_path(index, "--index"))
