"""The findings of the study `words`: its verdict and its method; `warnings` has the warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordworth.records import Finding
from wordworth.studies.word_benchmarks.evaluation import COMMON, DROP, MEAN, BenchmarkScore
from wordworth.studies.word_benchmarks.labels import labels
from wordworth.studies.word_benchmarks.ranking import Lead, lead
from wordworth.studies.word_benchmarks.scores import LEAST, Score
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.text_format import count_of, join_words

POLICIES = {
    MEAN: "the mean vector stands for a missing word",
    DROP: "items with a missing word are left out",
    COMMON: "items of which every table has every word; analogies are answered from the words that all tables have",
}
NOUNS = {"similarity": "pair", "analogy": "question", "category": "word", "relation": "pair"}


def verdict(cells: Sequence[BenchmarkScore]) -> Finding:
    """Say which table leads, by how much, over which sets."""
    ranking = lead(cells)
    if ranking is None:
        text = f"No set has a score: each has fewer than {LEAST} items of which the tables have every word."
        return Finding("verdict", text, {"headline": "Nothing could be scored.", "sets": []})
    names, called = [cell.of.title for cell in ranking.cells], labels(list(ranking.scores))
    scores = join_words([f"{called[name]} {between(score)}" for name, score in ranking.scores.items()])
    over = f"over {len(names)} sets ({join_words(names)})" if len(names) > 1 else f"on {names[0]}"
    what = f"{ranking.what[0].upper()}{ranking.what[1:]} {over}"
    items, total = (sum(counts) for counts in zip(*((cell.items, cell.total) for cell in ranking.cells), strict=True))
    every = "every table has" if ranking.policy == COMMON else "the table has"
    counts = f"the {items:,} of {total:,} {NOUNS[ranking.cells[0].of.kind]}s of which {every} every word"
    numbers: dict[str, Any] = {
        "over": f"{what}, on {counts}.",
        "sets": [cell.of.name for cell in ranking.cells],
        "policy": ranking.policy,
    }
    numbers |= {"scores": [{"model": name} | score.numbers("score") for name, score in ranking.scores.items()]}
    return Finding("verdict", f"{what}: {scores}. Counted are {counts}.", numbers | _leader_numbers(ranking, called))


def _leader_numbers(ranking: Lead, called: Mapping[str, str]) -> dict[str, Any]:
    """Return the headline and its numbers: the first table against the second, on the same items."""
    (first, score), *_ = ranking.scores.items()
    if len(ranking.scores) == 1:
        return {"headline": f"{called[first]}: {between(score)}", "leader": first}
    _, second, gap = next(ranking.gaps())
    span, numbers = gap.span(), {"leader": first, "against": second, **gap.numbers("gap")}
    if span.low <= 0 <= span.high:
        return {"headline": f"{called[first]} and {called[second]} are level: {signed(gap)}", **numbers}
    return {"headline": f"{called[first]} leads {called[second]} by {between(gap)}", **numbers}


def between(score: Score) -> str:
    """Format a score and its interval, `0.574 (0.545 to 0.600)`, with a typographic minus."""
    span = score.span()
    return f"{score.point:.3f} ({span.low:.3f} to {span.high:.3f})".replace("-", "−")


def signed(gap: Score) -> str:
    """Format a difference as `between` does, with its sign."""
    return ("+" if gap.point >= 0 else "") + between(gap)


def method(settings: WordsSettings, policy: str, unread: Sequence[str]) -> Iterator[Finding]:
    """Describe the method in plain words."""
    others = "; ".join(f"{name}: {meaning}" for name, meaning in POLICIES.items() if name != policy)
    text = f"The scores shown use the policy {policy}: {POLICIES[policy]}. The record also holds {others}."
    yield Finding("method.missing", text)
    text = (
        f"No score is given on fewer than {LEAST} items. Intervals come from {settings.draws:,} resampled sets, where "
    )
    text += (
        "pairs that share a word, questions of one pair and pairs of one relation are drawn together; for purity, from "
    )
    yield Finding(
        "method.intervals",
        f"{text}halves of the words, clustered anew. Differences are on items that both tables have.",
    )
    text = f"A word is looked up as written, then in lower case, among the {count_of(settings.most, 'first word')}."
    yield Finding("method.lookup", text)
    if unread:
        text = f"Not read, since they belong to no known and complete benchmark: {', '.join(unread)}."
        yield Finding("method.unread", text, {"files": list(unread)})
