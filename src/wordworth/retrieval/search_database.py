"""`search_database`: the texts nearest to a query in an exported index, as `search` returns them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd

from wordworth.errors import BadInput
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.progress import Progress
from wordworth.retrieval.exported_table import URLS, Answer, ExportedTable
from wordworth.retrieval.index import ID, OWN_COLUMNS
from wordworth.retrieval.postgres_table import PostgresTable
from wordworth.retrieval.query_model import require_queries
from wordworth.retrieval.settings import SearchSettings
from wordworth.retrieval.sqlite_table import SqliteTable
from wordworth.retrieval.where_sql import sql_condition


def search_database(query: str, database: str, settings: SearchSettings, progress: Progress) -> pd.DataFrame:
    """Find the texts in a table of a database that are nearest to a query.

    Args:
        query: a text.
        database: a file of SQLite, or the URL of a PostgreSQL database.
        settings: the settings.
        progress: receives a message if the database may have missed some of the nearest texts, or if the vectors were
            not computed in float32.

    Raises:
        BadInput: in the cases of `search`, or the method is not `dense`: a database ranks by vectors alone.
    """
    if settings.method != "dense":
        what = f"--method {settings.method} ranks by words, and a database by vectors alone"
        raise BadInput(what, where=f"--index {_without_password(database)}", mend="leave --method out, or ask an index")
    require_queries([query])
    with closing(_opened(database, settings.table)) as table:
        condition = None
        if settings.where is not None:
            condition = sql_condition(settings.where, table.columns, table.dialect, table.name)
        model = table.model.query_model(f"table {table.name!r}")
        vectors = model.vectors(model.load(settings.model, settings.threads), [query])
        (vector,) = unit_or_zero(vectors).astype(np.float32)
        if model.dtype_note:
            progress.note(model.dtype_note)
        answer = table.nearest(vector, settings.k, condition, exact=settings.exact)
        if answer.how:
            progress.note(answer.how)
        return _as_results(table, answer)


def _opened(database: str, table: str) -> ExportedTable:
    return PostgresTable(database, table) if database.startswith(URLS) else SqliteTable(Path(database), table)


def _without_password(database: str) -> str:
    return database.split("://", maxsplit=1)[0] + "://…" if database.startswith(URLS) else database


def _as_results(table: ExportedTable, answer: Answer) -> pd.DataFrame:
    """Return rows of a table with the columns that `Index.search` describes."""
    id_column, lines = table.model.id_column, []
    others = [name for name in table.columns if name not in (ID, id_column)]
    named = {name: f"{name}_" if name in OWN_COLUMNS else name for name in others}
    for rank, (*values, distance) in enumerate(answer.rows, start=1):
        cells = dict(zip(table.columns, values, strict=True))
        name = cells[ID] if id_column is not None else int(cells[ID])
        score = 0.0 if np.isnan(distance) else 1 - distance  # a vector of zeros has no direction
        own = {"rank": rank, ID: name, "score": score}
        lines.append({**own, **{named[other]: cells[other] for other in others}})
    return pd.DataFrame(lines, columns=["rank", ID, "score", *named.values()])
