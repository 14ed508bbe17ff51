"""What could mislead whoever trusts the scores that are shown."""

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
    """What could mislead whoever trusts the numbers that are shown."""
    policy = shown_policy(cells)
    shown = [cell for cell in cells if cell.policy == policy]
    yield from _left_out(shown)
    yield from _coverage(cells, shown)
    yield from _spelled(tables)
    yield from _subwords(cells, tables)
    yield from _candidates(cells, tables)


def _left_out(shown: Sequence[BenchmarkScore]) -> Iterator[Finding]:
    without = {cell.of.name: cell for cell in shown if not cell.score.defined}
    told = _listed(without.values()) if any(cell.score.defined for cell in shown) else "every set"
    if without:
        text = f"Left out, for of fewer than {LEAST} items, or where all are alike, nothing is scored: {told}."
        yield Finding("warning.left_out", text, {"sets": list(without)})


def _listed(cells: Iterable[BenchmarkScore]) -> str:
    return "; ".join(f"{cell.of.title}, {_share(cell)}" for cell in cells)


def _share(cell: BenchmarkScore) -> str:
    """`1 of 65 pairs in common`."""
    kind = NOUNS[cell.of.kind] + "s"
    return f"{cell.items:,} of {cell.total:,} {kind}{' in common' if cell.policy == COMMON else ''}"


def _coverage(cells: Sequence[BenchmarkScore], shown: Sequence[BenchmarkScore]) -> Iterator[Finding]:
    """Sets of which less than half is counted, and the table that lacks most."""
    little = {cell.of.name: cell for cell in shown if cell.score.defined and cell.items < _LITTLE * cell.total}
    if not little:
        return
    own = Counter[str]()
    for cell in cells:
        own[cell.model] += cell.items if cell.policy == DROP and cell.of.name in little else 0
    least = min(own, key=lambda name: own[name])
    whose = f" {labels(list(own))[least]} lacks most." if len(own) > 1 else ""
    text = f"Little is counted: {_listed(little.values())}.{whose} "
    text += "What is left are the more frequent words: these scores say little of whole sets."
    yield Finding("warning.coverage", text, {name: cell.items / cell.total for name, cell in little.items()})


def _spelled(tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Words whose vectors are means of their pieces': no table of words has to answer for such."""
    called = labels([table.name for table in tables])
    for table in tables:
        if table.spelled > _MANY * len(table.rows):
            text = f"{called[table.name]} has no vector for {table.spelled:,} of the {len(table.rows):,} "
            text += (
                "words of these benchmarks and spells them from pieces: its scores are of pieces as much as of words."
            )
            yield Finding("warning.spelled", text, {"spelled": table.spelled, "words": len(table.rows)})


def _subwords(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Tables that spell words which another lacks, where there are such words."""
    called, known = labels([table.name for table in tables]), Counter[str]()
    for cell in cells:
        known[cell.model] += cell.items if cell.policy == DROP else 0
    whole = [table.name for table in tables if table.own]
    most = max((known[name] for name in whole), default=0)
    pieced = [table.name for table in tables if not table.own and known[table.name] > most]
    if pieced and whole:
        verb, have = ("spells" if len(pieced) == 1 else "spell"), ("has" if len(whole) == 1 else "have")
        text = f"{join_words([called[name] for name in pieced])} {verb} words in pieces, "
        text += (
            f"{join_words([called[name] for name in whole])} {have} whole words only: compare them by what all tables "
        )
        text += "know, not by what each knows itself."
        yield Finding("warning.subwords", text, {"pieces": pieced, "words": whole})


def _candidates(cells: Sequence[BenchmarkScore], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Analogies are the easier the fewer words may answer them."""
    counts = {cell.model: cell.candidates for cell in cells if cell.policy == DROP and cell.candidates is not None}
    if not counts:
        return
    called = labels(list(counts))
    if len(counts) > 1 and max(counts.values()) > _EASIER * min(counts.values()):
        told = join_words([f"{called[name]} {number:,}" for name, number in counts.items()])
        shared = next(cell.candidates for cell in cells if cell.policy == COMMON and cell.candidates is not None)
        text = f"Analogies are easier with fewer words to answer from, and each table by itself has its own ({told}). "
        text += f"In common, all answer from the {shared:,} words that they share."
        yield Finding("warning.candidates", text, counts)
    some = [table.name for table in tables if not table.whole and table.name in counts]
    if some:
        names = join_words([called[name] for name in some])
        text = (
            f"{names} {'answers' if len(some) == 1 else 'answer'} analogies from the words of the benchmarks: easier "
        )
        text += "than from a whole vocabulary, so not to be held against other figures."
        yield Finding("warning.benchmark_words", text, {name: counts[name] for name in some})
