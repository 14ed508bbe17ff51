"""`wordworth search ask`: find the texts that are nearest to a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process_output import say, say_json
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.search import search
from wordworth.retrieval.settings import SearchSettings
from wordworth.sentence_formatting import shortened

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 300
"""Characters of a cell that are shown."""


@click.command("ask")
@click.argument("query")
@click.option("--index", required=True, help="The folder of the index, or a database that search export wrote.")
@settings_options(SearchSettings)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a result, with whole texts.")
def command(query: str, index: str, *, as_json: bool, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find the texts of an index that are nearest to a query.

    \b
    Examples:
      wordworth search ask "how do I reset my password?" --index index/
      wordworth search ask "a film" --index index/ --k 3 --where "lang = 'en' AND year >= 2020"
      wordworth search ask "a film" --index index/ --json
      wordworth search ask "a film" --index texts.sqlite
      wordworth search ask "a film" --index postgresql://user@localhost/name --table reviews
    """
    bars = Bars()
    with bars.step("searching"):  # a model takes seconds to load
        results = search(query, index, progress=bars, **chosen(choices))
    if as_json:
        if len(results):
            say_json(results.to_json(orient="records", lines=True, force_ascii=False).rstrip("\n"))
        return
    say(_lines(results) if len(results) else f"nothing found: {_why_nothing(**choices)}")


def _why_nothing(where: str | None, method: str, **_: object) -> str:
    """Return why a search has no results: no text has a word of the query (only by BM25), or there are no texts.

    Args:
        where: the condition on columns of the texts, or None.
        method: the method of the search, such as `bm25`.
    """
    passes = "" if where is None else " that passes the condition"
    if method == "bm25":
        return f"no text{passes} has a word of the query"
    return f"there is no text{passes}"


def _lines(results: pd.DataFrame) -> str:
    """Return the results as text, a paragraph for each: rank, score and id, then a line for each nonempty cell."""
    paragraphs = []
    for row in results.to_dict("records"):
        rank, name, score = (row.pop(column) for column in ("rank", "id", "score"))
        cells = [f"    {column}: {shortened(str(cell), _SHOWN)}" for column, cell in row.items() if cell]
        paragraphs.append("\n".join([f"{rank:>2}. {score:.3f}  {name}", *cells]))
    return "\n".join(paragraphs)
