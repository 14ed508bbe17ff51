"""What a study of words says: its verdict, what could mislead, how it was done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.studies.words.cells import COMMON, DROP, MEAN, Cell
from wordworth.studies.words.ground import LEAST, Measured
from wordworth.studies.words.labels import labels
from wordworth.studies.words.lead import Lead, lead, shown_policy
from wordworth.studies.words.settings import WordsSettings
from wordworth.studies.words.vectors import WordVectors
from wordworth.wording import counted, listed

POLICIES = {
    MEAN: "the mean vector stands for a missing word",
    DROP: "items with a missing word are left out",
    COMMON: "items of which every table has every word; what may answer an analogy are the words that all tables have",
}
NOUNS = {"similarity": "pair", "analogy": "question", "category": "word", "relation": "pair"}
_LITTLE, _EASIER = 0.5, 2.0


def verdict(cells: Sequence[Cell]) -> Finding:
    """Who leads, by how much, over which sets."""
    found = lead(cells)
    if found is None:
        text = f"No set has a score: each has fewer than {LEAST} items of which the tables have every word."
        return Finding("verdict", text, {"headline": "Nothing could be scored.", "sets": []})
    names, called = [cell.of.title for cell in found.cells], labels(list(found.scores))
    scores = listed([f"{called[name]} {between(score)}" for name, score in found.scores.items()])
    over = f"over {len(names)} sets ({listed(names)})" if len(names) > 1 else f"on {names[0]}"
    what = f"{found.what[0].upper()}{found.what[1:]} {over}"
    items, total = (sum(counts) for counts in zip(*((cell.items, cell.total) for cell in found.cells), strict=True))
    every = "every table has" if found.policy == COMMON else "the table has"
    counts = f"the {items:,} of {total:,} {NOUNS[found.cells[0].of.kind]}s of which {every} every word"
    numbers: dict[str, Any] = {
        "over": f"{what}, on {counts}.",
        "sets": [cell.of.name for cell in found.cells],
        "policy": found.policy,
    }
    numbers |= {"scores": [{"model": name} | score.numbers("score") for name, score in found.scores.items()]}
    return Finding("verdict", f"{what}: {scores}. Counted are {counts}.", numbers | _ahead(found, called))


def _ahead(found: Lead, called: Mapping[str, str]) -> dict[str, Any]:
    """The headline and its numbers: the first table against the second, on the same items."""
    (first, score), *_ = found.scores.items()
    if len(found.scores) == 1:
        return {"headline": f"{called[first]}: {score.point:.3f}", "leader": first}
    _, second, gap = next(found.gaps())
    span, told = gap.span(), {"leader": first, "against": second, **gap.numbers("gap")}
    if span.low <= 0 <= span.high:
        return {"headline": f"{called[first]} and {called[second]} are level: {signed(gap)}", **told}
    return {"headline": f"{called[first]} leads {called[second]} by {between(gap)}", **told}


def between(score: Measured) -> str:
    """`0.574 (0.545 to 0.600)`, with the true minus."""
    span = score.span()
    return f"{score.point:.3f} ({span.low:.3f} to {span.high:.3f})".replace("-", "−")


def signed(gap: Measured) -> str:
    """The same with the sign of a difference."""
    return ("+" if gap.point >= 0 else "") + between(gap)


def warnings(cells: Sequence[Cell], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """What could mislead whoever trusts the numbers that are shown."""
    policy = shown_policy(cells)
    shown = [cell for cell in cells if cell.policy == policy]
    yield from _left_out(shown)
    yield from _coverage(cells, shown)
    yield from _subwords(tables)
    yield from _candidates(cells, tables)


def _left_out(shown: Sequence[Cell]) -> Iterator[Finding]:
    without = {cell.of.name: cell for cell in shown if not cell.score.defined}
    if without:
        told = "; ".join(f"{cell.of.title}: {_share(cell)}" for cell in without.values())
        text = f"Left out, for of fewer than {LEAST} items, or where all are alike, nothing is scored: {told}."
        yield Finding("warning.left_out", text, {"sets": list(without)})


def _share(cell: Cell) -> str:
    kind = NOUNS[cell.of.kind] + "s"
    return f"{cell.items:,} of {cell.total:,} {kind}{' in common' if cell.policy == COMMON else ''}"


def _coverage(cells: Sequence[Cell], shown: Sequence[Cell]) -> Iterator[Finding]:
    """Sets of which less than half is counted, and the table that lacks most."""
    little = {cell.of.name: cell for cell in shown if cell.score.defined and cell.items < _LITTLE * cell.total}
    if not little:
        return
    own = {cell.model: cell.items / cell.total for cell in cells if cell.policy == DROP and cell.of.name in little}
    least = min(own, key=lambda name: own[name])
    told = "; ".join(f"{cell.of.title}: {_share(cell)}" for cell in little.values())
    whose = f" {labels(list(own))[least]} lacks most." if len(own) > 1 else ""
    text = f"Little is counted: {told}.{whose} The words that are left are frequent ones, on which scores are others."
    yield Finding("warning.coverage", text, {name: cell.items / cell.total for name, cell in little.items()})


def _subwords(tables: Sequence[WordVectors]) -> Iterator[Finding]:
    called = labels([table.name for table in tables])
    pieced = [called[table.name] for table in tables if not table.own]
    whole = [called[table.name] for table in tables if table.own]
    if pieced and whole:
        verb = "spells" if len(pieced) == 1 else "spell"
        text = f"{listed(pieced)} {verb} any word in pieces, {listed(whole)} {'has' if len(whole) == 1 else 'have'} "
        text += "whole words only: compare them by what all tables know, not by what each knows itself."
        yield Finding("warning.subwords", text, {"pieces": pieced, "words": whole})


def _candidates(cells: Sequence[Cell], tables: Sequence[WordVectors]) -> Iterator[Finding]:
    """Analogies are the easier the fewer words may answer them."""
    counts = {cell.model: cell.candidates for cell in cells if cell.policy == DROP and cell.candidates is not None}
    if not counts:
        return
    called = labels(list(counts))
    if len(counts) > 1 and max(counts.values()) > _EASIER * min(counts.values()):
        told = listed([f"{called[name]} {number:,}" for name, number in counts.items()])
        shared = next(cell.candidates for cell in cells if cell.policy == COMMON and cell.candidates is not None)
        text = f"Analogies are easier with fewer words to answer from, and each table by itself has its own ({told}). "
        text += f"In common, all answer from the {shared:,} words that they share."
        yield Finding("warning.candidates", text, counts)
    some = [table.name for table in tables if not table.whole and table.name in counts]
    if some:
        text = (
            f"{listed([called[name] for name in some])} {'answers' if len(some) == 1 else 'answer'} analogies from the "
        )
        text += "words of the benchmarks: easier than from a whole vocabulary, so not to be held against other figures."
        yield Finding("warning.benchmark_words", text, {name: counts[name] for name in some})


def method(settings: WordsSettings, policy: str, unread: Sequence[str]) -> Iterator[Finding]:
    """How it was done, in plain words."""
    others = "; ".join(f"{name}: {meaning}" for name, meaning in POLICIES.items() if name != policy)
    text = f"Shown are scores under the policy {policy}: {POLICIES[policy]}. In the record too: {others}."
    yield Finding("method.missing", text)
    text = (
        f"Of fewer than {LEAST} items nothing is scored. Intervals are of {settings.draws:,} resampled sets, in which "
    )
    text += (
        "pairs that share a word, questions of one pair and pairs of one relation are drawn together; for purity, of "
    )
    yield Finding(
        "method.intervals", f"{text}halves of the words, clustered anew. Gaps are on the items both tables have."
    )
    text = f"A word is looked up as written, then in lower case, among the {counted(settings.most, 'first word')}."
    yield Finding("method.lookup", text)
    if unread:
        text = f"Not read, for they belong to no benchmark that is known here and whole: {', '.join(unread)}."
        yield Finding("method.unread", text, {"files": list(unread)})
