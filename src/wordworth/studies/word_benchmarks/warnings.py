"""Warnings about the displayed scores: small samples, missing words, unequal conditions between tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from wordworth.records import Finding
from wordworth.studies.word_benchmarks.evaluation import COMMON, DROP, BenchmarkScore
from wordworth.studies.word_benchmarks.labels import labels
from wordworth.studies.word_benchmarks.ranking import shown_policy
from wordworth.studies.word_benchmarks.scores import LEAST
from wordworth.studies.word_benchmarks.verdict import NOUNS
from wordworth.studies.word_benchmarks.word_lookup import WordVectors
from wordworth.text_format import join_words

_LITTLE, _EASIER, _MANY = 0.5, 2.0, 0.1


def warnings(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Yield a warning for everything that could make the displayed scores misleading."""
    policy = shown_policy(cells)
    displayed = [cell for cell in cells if cell.policy == policy]
    yield from _left_out(displayed)
    yield from _coverage(cells, displayed)
    yield from _spelled(tables)
    yield from _subwords(cells, tables)
    yield from _candidates(cells, tables)


def _left_out(displayed: Sequence[BenchmarkScore]) -> Iterator[Finding]:
    undefined = {cell.of.name: cell for cell in displayed if not cell.score.defined}
    listed = _listed(undefined.values()) if any(cell.score.defined for cell in displayed) else "every set"
    if undefined:
        text = f"Left out, with fewer than {LEAST} items or with all values equal: {listed}."
        yield Finding("warning.left_out", text, {"sets": list(undefined)})


def _listed(cells: Iterable[BenchmarkScore]) -> str:
    return "; ".join(f"{cell.of.title}, {_share(cell)}" for cell in cells)


def _share(cell: BenchmarkScore) -> str:
    """Format how much of a set was scored, such as `1 of 65 pairs in common`."""
    kind = NOUNS[cell.of.kind] + "s"
    return f"{cell.items:,} of {cell.total:,} {kind}{' in common' if cell.policy == COMMON else ''}"


def _coverage(cells: Sequence[BenchmarkScore], displayed: Sequence[BenchmarkScore]) -> Iterator[Finding]:
    """Warn of sets of which less than half is scored, and name the table that lacks most."""
    little = {cell.of.name: cell for cell in displayed if cell.score.defined and cell.items < _LITTLE * cell.total}
    if not little:
        return
    own = Counter[str]()
    for cell in cells:
        own[cell.model] += cell.items if cell.policy == DROP and cell.of.name in little else 0
    least = min(own, key=lambda name: own[name])
    whose = f" {labels(list(own))[least]} lacks most." if len(own) > 1 else ""
    text = f"Less than half was scored: {_listed(little.values())}.{whose} "
    text += "What is left are the more frequent words: these scores say little about the whole sets."
    yield Finding("warning.coverage", text, {name: cell.items / cell.total for name, cell in little.items()})


def _spelled(tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Warn of tables that build many words from subwords, which a table of whole words never does."""
    called = labels([table.name for table in tables])
    for table in tables:
        if table.spelled > _MANY * len(table.rows):
            text = f"{called[table.name]} has no vector for {table.spelled:,} of the {len(table.rows):,} "
            text += (
                "words of these benchmarks and builds them from subwords: its scores depend on subwords as on words."
            )
            yield Finding("warning.spelled", text, {"spelled": table.spelled, "words": len(table.rows)})


def _subwords(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Warn where tables of subwords cover words that tables of whole words lack."""
    called, known = labels([table.name for table in tables]), Counter[str]()
    for cell in cells:
        known[cell.model] += cell.items if cell.policy == DROP else 0
    whole = [table.name for table in tables if table.own]
    most = max((known[name] for name in whole), default=0)
    pieced = [table.name for table in tables if not table.own and known[table.name] > most]
    if pieced and whole:
        verb, have = ("builds" if len(pieced) == 1 else "build"), ("has" if len(whole) == 1 else "have")
        text = f"{join_words([called[name] for name in pieced])} {verb} words from subwords, "
        text += (
            f"{join_words([called[name] for name in whole])} {have} whole words only: compare them on the words that "
        )
        text += "all tables have, not on those of each table."
        yield Finding("warning.subwords", text, {"pieces": pieced, "words": whole})


def _candidates(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Warn of analogies with few candidate answers, which are easier."""
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
