"""The findings of the study `words` (the best table, warnings, the method), and the record as text for a terminal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding, Record
from wordworth.reports.number_format import exact, interval
from wordworth.sentence_formatting import count_of, join_words
from wordworth.studies.word_benchmarks.evaluation import COMMON, DROP, MEAN, BenchmarkScore
from wordworth.studies.word_benchmarks.ranking import Ranking, displayed_policy, labels, rank_tables
from wordworth.studies.word_benchmarks.score_on_benchmark import LEAST, Score
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors

POLICIES = {
    MEAN: "the mean vector stands for a missing word",
    DROP: "items with a missing word are left out",
    COMMON: "items of which every table has every word; analogies are answered from the words that all tables have",
}
NOUNS = {"similarity": "pair", "analogy": "question", "category": "word", "relation": "pair"}


def verdict(cells: Sequence[BenchmarkScore]) -> Finding:
    """Return the finding `verdict`: the static table with the best score, and its lead over the second-best table.

    The finding also names the benchmarks over which the score is a mean.
    """
    ranking = rank_tables(cells)
    if ranking is None:
        text = f"No set has a score: each has fewer than {LEAST} items of which the tables have every word."
        return Finding("verdict", text, {"headline": "Nothing could be scored.", "sets": []})
    names, called = [cell.word_set.title for cell in ranking.cells], labels(list(ranking.scores))
    scores = join_words([f"{called[name]} {with_interval(score)}" for name, score in ranking.scores.items()])
    over = f"over {len(names)} sets ({join_words(names)})" if len(names) > 1 else f"on {names[0]}"
    what = f"{ranking.what[0].upper()}{ranking.what[1:]} {over}"
    items, total = (sum(counts) for counts in zip(*((cell.items, cell.total) for cell in ranking.cells), strict=True))
    every = "every table has" if ranking.policy == COMMON else "the table has"
    counts = f"the {items:,} of {total:,} {NOUNS[ranking.cells[0].word_set.kind]}s of which {every} every word"
    numbers: dict[str, Any] = {
        "over": f"{what}, on {counts}.",
        "sets": [cell.word_set.name for cell in ranking.cells],
        "policy": ranking.policy,
    }
    numbers |= {"scores": [{"model": name} | score.numbers("score") for name, score in ranking.scores.items()]}
    return Finding("verdict", f"{what}: {scores}. Counted are {counts}.", numbers | _leader_numbers(ranking, called))


def _leader_numbers(ranking: Ranking, called: Mapping[str, str]) -> dict[str, Any]:
    """Return the entries of the verdict on the best table: the headline, and its lead over the second-best table.

    Args:
        ranking: the tables in order of their scores.
        called: name of a table -> short label.
    """
    (first, score), *_ = ranking.scores.items()
    if len(ranking.scores) == 1:
        return {"headline": f"{called[first]}: {with_interval(score)}", "leader": first}
    _, second, gap = next(ranking.gaps())
    span, numbers = gap.span(), {"leader": first, "against": second, **gap.numbers("gap")}
    if span.low <= 0 <= span.high:
        return {"headline": f"{called[first]} and {called[second]} are level: {signed(gap)}", **numbers}
    return {"headline": f"{called[first]} leads {called[second]} by {with_interval(gap)}", **numbers}


def with_interval(score: Score) -> str:
    """Format a score with its interval as `0.574 (0.545 to 0.600)`, with a typographic minus."""
    span = score.span()
    return f"{exact(score.point)} ({interval(span.low, span.high)})"


def signed(gap: Score) -> str:
    """Format a difference of scores, with its sign and its interval, as `with_interval` formats a score."""
    return ("+" if gap.point >= 0 else "") + with_interval(gap)


def method(settings: WordsSettings, policy: str, unread: Sequence[str]) -> Iterator[Finding]:
    """Yield the findings that describe the method.

    Args:
        settings: settings of the study.
        policy: how items with missing words are scored in the displayed scores: `COMMON` or `DROP`.
        unread: paths of files that were not read.
    """
    others = "; ".join(f"{name}: {meaning}" for name, meaning in POLICIES.items() if name != policy)
    text = f"The scores shown use the policy {policy}: {POLICIES[policy]}. The record also holds {others}."
    yield Finding("method.missing", text)
    text = (
        f"No score is given on fewer than {LEAST} items. Intervals come from {settings.draws:,} resampled sets, where "
        "pairs that share a word, questions of one pair and pairs of one relation are drawn together; for purity, from "
        "halves of the words, clustered anew. Differences are on items that both tables have."
    )
    yield Finding("method.intervals", text)
    text = f"A word is looked up as written, then in lower case, among the {count_of(settings.most, 'first word')}."
    yield Finding("method.lookup", text)
    if unread:
        text = f"Not read, since they belong to no known and complete benchmark: {', '.join(unread)}."
        yield Finding("method.unread", text, {"files": list(unread)})


_LITTLE, _EASIER, _MANY = 0.5, 2.0, 0.1


def warnings(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Yield a warning for each problem of a `words` study that may make the displayed scores misleading.

    Args:
        cells: the score of each table on each benchmark.
        tables: the static tables.
    """
    policy = displayed_policy(cells)
    displayed = [cell for cell in cells if cell.policy == policy]
    yield from _left_out(displayed)
    yield from _coverage(cells, displayed)
    yield from _spelled(tables)
    yield from _subwords(cells, tables)
    yield from _candidate_numbers(cells, tables)


def _left_out(displayed: Sequence[BenchmarkScore]) -> Iterator[Finding]:
    undefined = {cell.word_set.name: cell for cell in displayed if not cell.score.defined}
    listed = _list_shares(undefined.values()) if any(cell.score.defined for cell in displayed) else "every set"
    if undefined:
        text = f"Left out, with fewer than {LEAST} items or with all values equal: {listed}."
        yield Finding("warning.left_out", text, {"sets": list(undefined)})


def _list_shares(cells: Iterable[BenchmarkScore]) -> str:
    return "; ".join(f"{cell.word_set.title}, {_share(cell)}" for cell in cells)


def _share(cell: BenchmarkScore) -> str:
    """Return a phrase on the share of a benchmark's items that was scored, such as `1 of 65 pairs in common`."""
    kind = NOUNS[cell.word_set.kind] + "s"
    return f"{cell.items:,} of {cell.total:,} {kind}{' in common' if cell.policy == COMMON else ''}"


def _coverage(cells: Sequence[BenchmarkScore], displayed: Sequence[BenchmarkScore]) -> Iterator[Finding]:
    """Yield a warning on benchmarks of which less than half is scored, with the table that lacks most items.

    Args:
        cells: all scores.
        displayed: the scores under the displayed policy for missing words.
    """
    little = {
        cell.word_set.name: cell for cell in displayed if cell.score.defined and cell.items < _LITTLE * cell.total
    }
    if not little:
        return
    own = Counter[str]()
    for cell in cells:
        own[cell.model] += cell.items if cell.policy == DROP and cell.word_set.name in little else 0
    least = min(own, key=lambda name: own[name])
    whose = f" {labels(list(own))[least]} lacks most." if len(own) > 1 else ""
    text = f"Less than half was scored: {_list_shares(little.values())}.{whose} "
    text += "What is left are the more frequent words: these scores say little about the whole sets."
    yield Finding("warning.coverage", text, {name: cell.items / cell.total for name, cell in little.items()})


def _spelled(tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Yield a warning for each static table that builds many words' vectors from subwords."""
    called = labels([table.name for table in tables])
    for table in tables:
        if table.spelled > _MANY * len(table.rows):
            text = (
                f"{called[table.name]} has no vector for {table.spelled:,} of the {len(table.rows):,} words of these "
                "benchmarks and builds them from subwords: its scores depend on subwords as on words."
            )
            yield Finding("warning.spelled", text, {"spelled": table.spelled, "words": len(table.rows)})


def _subwords(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Yield a warning if tables of subwords score more items than any table of whole words."""
    called, known = labels([table.name for table in tables]), Counter[str]()
    for cell in cells:
        known[cell.model] += cell.items if cell.policy == DROP else 0
    whole = [table.name for table in tables if table.has_words]
    most = max((known[name] for name in whole), default=0)
    pieced = [table.name for table in tables if not table.has_words and known[table.name] > most]
    if pieced and whole:
        verb, have = ("builds" if len(pieced) == 1 else "build"), ("has" if len(whole) == 1 else "have")
        text = (
            f"{join_words([called[name] for name in pieced])} {verb} words from subwords, "
            f"{join_words([called[name] for name in whole])} {have} whole words only: compare them on the words that "
            "all tables have, not on those of each table."
        )
        yield Finding("warning.subwords", text, {"pieces": pieced, "words": whole})


def _candidate_numbers(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Yield warnings on tables with few candidate answers for analogies, as fewer candidates make analogies easier."""
    counts = {cell.model: cell.candidates for cell in cells if cell.policy == DROP and cell.candidates is not None}
    if not counts:
        return
    called = labels(list(counts))
    if len(counts) > 1 and max(counts.values()) > _EASIER * min(counts.values()):
        listed = join_words([f"{called[name]} {number:,}" for name, number in counts.items()])
        shared = next(cell.candidates for cell in cells if cell.policy == COMMON and cell.candidates is not None)
        text = f"Analogies are easier with fewer candidate answers, and each table has its own number ({listed}). "
        text += f"Under the policy {COMMON}, all answer from the {shared:,} words that they share."
        yield Finding("warning.candidates", text, counts)
    limited = [table.name for table in tables if not table.whole and table.name in counts]
    if limited:
        names = join_words([called[name] for name in limited])
        verb = "answers" if len(limited) == 1 else "answer"
        text = f"{names} {verb} analogies from the words of the benchmarks: easier "
        text += "than from a whole vocabulary, so not comparable with other figures."
        yield Finding("warning.benchmark_words", text, {name: counts[name] for name in limited})


_ABSENT = "–"


def terminal_text(record: Record) -> str:
    """Return the verdict, the scores by table, the warnings and the files that were not read, as text."""
    rows = record.tables["scores"].rows()
    policy = "common" if any(row["policy"] == "common" for row in rows) else "drop"
    known = "every table has" if policy == "common" else "the table has"
    head = f"On items of which {known} every word (`{policy}`); the record holds intervals and other policies."
    notes = [finding.text for finding in [*record.warnings, *_unread(record)]]
    displayed = [row for row in rows if row["policy"] == policy]
    return "\n".join(
        [record.verdict, "", head, "", *_score_table(record, displayed), *(["", *_bullets(notes)] if notes else [])]
    )


def _unread(record: Record) -> list[Any]:
    return [finding for finding in record.findings if finding.name == "method.unread"]


def _bullets(notes: Sequence[str]) -> list[str]:
    return [f"- {note}" for note in notes]


def _score_table(record: Record, displayed: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines of the table of scores, names aligned to the left, numbers to the right."""
    tables = record.data["tables"]
    head = ["set", "metric", "items", *(table["label"] for table in tables)]
    scores = {(row["set"], row["metric"], row["model"]): row["score"] for row in displayed}
    counts = {(row["set"], row["metric"]): f"{row['items']:,} of {row['of']:,}" for row in displayed}
    body = [
        [name, metric, items, *(_score_text(scores[name, metric, table["name"]]) for table in tables)]
        for (name, metric), items in counts.items()
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    names = 2
    return [
        "  ".join(
            cell.ljust(width) if column_index < names else cell.rjust(width)
            for column_index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *body]
    ]


def _score_text(score: float | None) -> str:
    return _ABSENT if score is None or math.isnan(score) else f"{score:.3f}"
