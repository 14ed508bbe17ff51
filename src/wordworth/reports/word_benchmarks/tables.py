"""The tables of a `words` page (scores, means, differences, coverage, files), and the view of the record for them.

What the study scores are static tables of word vectors; they are called static tables here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.palette import SERIES, SeriesStyle, key
from wordworth.reports.charts.svg import tag
from wordworth.reports.number_format import ABSENT, count, exact, interval
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, CellMakers, Column, Grid, plain, row_table, value
from wordworth.sentence_formatting import percent

POLICIES = {
    "common": "what every table knows",
    "drop": "what the table knows itself",
    "mean": "every item, the mean vector for missing words",
}
NOUNS = {"similarity": "pairs", "analogy": "questions", "category": "words", "relation": "pairs"}


Scores = Mapping[tuple[str, str], Mapping[str, Row]]
"""(set, metric) -> table -> its row."""
_SET = Column("set", numeric=False)
_FEW = "not scored: too few items, or all of them alike"


@dataclass(frozen=True)
class View(RecordView):
    """A `words` record prepared for its page, with the scores of each static table of word vectors."""

    needed = frozenset({"scores", "means", "leads", "gaps", "misjudged"})

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Name of each static table of word vectors -> its short name, in the order of the study."""
        return {str(row["name"]): str(row["label"]) for row in self.data["tables"]}

    @cached_property
    def styles(self) -> Mapping[str, SeriesStyle]:
        """Name of each static table of word vectors -> its colour and marker, the same in all charts."""
        return {name: SERIES[index % len(SERIES)] for index, name in enumerate(self.labels)}

    @cached_property
    def misjudged(self) -> Mapping[tuple[str, str], list[Row]]:
        """(benchmark, static table) -> the word pairs whose similarity differs most from people's ratings."""
        pairs: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows("misjudged"):
            pairs.setdefault((str(row["set"]), str(row["model"])), []).append(row)
        return pairs

    @cached_property
    def policy(self) -> str:
        """The policy for missing words (`common` or `drop`) whose scores the page shows."""
        return "common" if any(row["policy"] == "common" for row in self.rows("scores")) else "drop"

    @cached_property
    def charts(self) -> Mapping[str, Scores]:
        """Name of each chart -> the scores in it: `similarity` has word pairs, `others` all other benchmarks."""
        every = {key: (next(iter(rows.values()))["kind"], rows) for key, rows in self.scores().items()}
        similar = {key: rows for key, (kind, rows) in every.items() if kind == "similarity"}
        others = {key: rows for key, (kind, rows) in every.items() if kind != "similarity"}
        return {name: part for name, part in (("similarity", similar), ("others", others)) if part}

    def scores(self, policy: str = "") -> Scores:
        """Return (benchmark, metric) -> static table -> row of its score, under a policy for missing words.

        Args:
            policy: name of the policy; if empty, the policy of the page is used.
        """
        by_set: dict[tuple[str, str], dict[str, Row]] = {}
        for row in self.rows("scores"):
            if row["policy"] == (policy or self.policy):
                by_set.setdefault((str(row["set"]), str(row["metric"])), {})[str(row["model"])] = row
        return by_set


def scores(view: View, part: Scores) -> Grid:
    """Return the table of scores: a row for each benchmark and metric, a column for each table of word vectors.

    The number of items is a link to the table of coverage.

    Args:
        view: the record.
        part: the scores to list.
    """
    columns = (_SET, Column("items"), *map(Column, view.labels.values()))
    rows = tuple(_scores(view, pair, rows) for pair, rows in part.items())
    return Grid("Scores with 95 % intervals", columns, rows)


def _scores(view: View, pair: tuple[str, str], rows: Mapping[str, Row]) -> tuple[Cell, ...]:
    row = next(iter(rows.values()))
    items = tag("a", f"{row['items']:,} of {row['of']:,}", href=f"#set-{row['set']}")
    numbers = (_score(view, rows[name]) for name in view.labels)
    name = Cell(str(row["title"]), detail="" if row["kind"] == "similarity" else pair[1])
    return name, Cell("", sort=float(row["items"]), picture=items), *numbers


def _score(view: View, row: Row) -> Cell:
    """Return a score, which links to the table's misjudged pairs if there are any."""
    name, number = (row["set"], row["model"]), exact(row["score"])
    if row["score"] is None or name not in view.misjudged:
        return Cell(number, detail=interval(row["low"], row["high"]), why=_FEW)
    link = tag("a", number, href=f"#{_pairs_id(view, *name)}")
    return Cell("", sort=float(row["score"]), detail=interval(row["low"], row["high"]), picture=link)


def _pairs_id(view: View, name: str, model: str) -> str:
    return f"pairs-{name}-{list(view.labels).index(model)}"


def misjudged(view: View) -> Grid:
    """Return the table of word pairs whose similarity by a static table differs most from people's ratings."""
    titles = {row["set"]: str(row["title"]) for row in view.rows("scores")}
    rows = [
        _misjudged(view, titles[name], (name, model), row, first=index == 0)
        for (name, model), pairs in view.misjudged.items()
        for index, row in enumerate(pairs)
    ]
    heads = ("set", "table", "pair", "people", "the table")
    return plain("Pairs on which a table disagrees most with people", heads, rows, words=heads[:3])


def _misjudged(view: View, title: str, set_and_table: tuple[str, str], row: Row, *, first: bool) -> tuple[Cell, ...]:
    name = tag("span", title, id=_pairs_id(view, *set_and_table)) if first else tag("span", title)
    table_cell = Cell(view.labels[set_and_table[1]], picture=key(view.styles[set_and_table[1]]))
    ranks = (Cell(f"{100 * row[side]:.0f}", sort=float(row[side])) for side in ("people", "table"))
    return Cell("", sort=title, picture=name), table_cell, Cell(f"{row['first']}, {row['second']}"), *ranks


def coverage(view: View) -> Grid:
    """Return the table of coverage, a row for each benchmark.

    A row has the number of items scored, the share of items whose words each static table knows, and the number of
    words among which the answers of analogies are searched.
    """
    pair_of_set, own = {pair[0]: pair for pair in view.scores()}, view.scores("drop")  # one of a set's metrics
    knows = (Column(f"{label} knows") for label in view.labels.values())
    rows = tuple(_coverage_row(view, view.scores()[pair], own[pair]) for pair in pair_of_set.values())
    analogy_columns = [Column("answered from")] if _analogies(view) else []
    return Grid("What was counted", (_SET, Column("counted"), *knows, *analogy_columns), rows)


def _analogies(view: View) -> bool:
    return any(row["kind"] == "analogy" for row in view.rows("scores"))


def _coverage_row(view: View, rows: Mapping[str, Row], own: Mapping[str, Row]) -> tuple[Cell, ...]:
    row = next(iter(rows.values()))
    name = Cell("", sort=str(row["title"]), picture=tag("span", str(row["title"]), id=f"set-{row['set']}"))
    counts = f"{row['items']:,} of {row['of']:,} {NOUNS[row['kind']]}"
    shares = (Cell(percent(own[table]["items"] / own[table]["of"])) for table in view.labels)
    analogy_cells = [Cell(_candidates(rows), why="no analogies")] if _analogies(view) else []
    return name, Cell(counts), *shares, *analogy_cells


def _candidates(rows: Mapping[str, Row]) -> str:
    """Return in words the number of words among which the answer of an analogy is searched."""
    counts = sorted({int(row["candidates"]) for row in rows.values() if row.get("candidates") is not None})
    ends = f"{counts[0]:,} to {counts[-1]:,}" if len(counts) > 1 else f"{counts[0]:,}" if counts else ""
    return f"{ends} words" if ends else ABSENT


def decisive_gaps(view: View) -> Grid:
    """Return the table of the paired differences between static tables on which the verdict depends."""
    cells: CellMakers = {
        "table": lambda row: view.labels[row["model"]],
        "against": lambda row: view.labels[row["against"]],
        "ahead by": value("gap", exact),
        "95 %": lambda row: interval(row["low"], row["high"]),
    }
    return row_table("Each table against those behind it", cells, view.rows("leads"), words=("against",))


def gaps(view: View) -> Grid:
    """Return the table of each static table's score minus the first table's score, on items that both tables know."""
    titles = {row["set"]: str(row["title"]) for row in view.rows("scores")}
    first = next(iter(view.labels.values()))
    cells: CellMakers = {
        "set": lambda row: titles[row["set"]],
        "metric": "metric",
        "table": lambda row: view.labels[row["model"]],
        f"ahead of {first} by": value("gap", exact),
        "95 %": lambda row: interval(row["low"], row["high"]),
        "items both know": value("items", count),
    }
    return row_table(f"Set by set, against {first}", cells, view.rows("gaps"), words=("metric", "table"))


def means(view: View) -> Grid:
    """Return the table of mean scores under each policy for missing words; policies with equal numbers share a row."""
    policies_by_numbers: dict[tuple[object, ...], list[str]] = {}
    for row in view.rows("means"):
        numbers = row["model"], row["score"], row["low"], row["high"], row["covered"], ", ".join(row["over"])
        policies_by_numbers.setdefault(numbers, []).append(str(row["policy"]))
    rows = [
        (
            Cell(view.labels[str(model)], picture=key(view.styles[str(model)])),
            "; ".join(POLICIES[policy] for policy in policies),
            Cell(exact(score), detail=interval(low, high)),
            percent(float(str(covered))),
            str(over),
        )
        for (model, score, low, high, covered, over), policies in policies_by_numbers.items()
    ]
    heads = ("table", "over", "mean", "of the pairs", "sets")
    return plain("Means under each policy for missing words", heads, rows, words=("over", "sets"))


def files(view: View) -> Grid:
    """Return the table of the benchmarks' files with their hashes."""
    return row_table("Files", {"file": "path", "SHA-256": "sha256"}, view.data["sources"], numeric=False)
