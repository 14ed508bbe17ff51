"""What a study of words says: its verdict, and how it was done; `warnings` holds what could mislead."""

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
    COMMON: "items of which every table has every word; what may answer an analogy are the words that all tables have",
}
NOUNS = {"similarity": "pair", "analogy": "question", "category": "word", "relation": "pair"}


def verdict(cells: Sequence[BenchmarkScore]) -> Finding:
    """Who leads, by how much, over which sets."""
    found = lead(cells)
    if found is None:
        text = f"No set has a score: each has fewer than {LEAST} items of which the tables have every word."
        return Finding("verdict", text, {"headline": "Nothing could be scored.", "sets": []})
    names, called = [cell.of.title for cell in found.cells], labels(list(found.scores))
    scores = join_words([f"{called[name]} {between(score)}" for name, score in found.scores.items()])
    over = f"over {len(names)} sets ({join_words(names)})" if len(names) > 1 else f"on {names[0]}"
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
        return {"headline": f"{called[first]}: {between(score)}", "leader": first}
    _, second, gap = next(found.gaps())
    span, told = gap.span(), {"leader": first, "against": second, **gap.numbers("gap")}
    if span.low <= 0 <= span.high:
        return {"headline": f"{called[first]} and {called[second]} are level: {signed(gap)}", **told}
    return {"headline": f"{called[first]} leads {called[second]} by {between(gap)}", **told}


def between(score: Score) -> str:
    """`0.574 (0.545 to 0.600)`, with the true minus."""
    span = score.span()
    return f"{score.point:.3f} ({span.low:.3f} to {span.high:.3f})".replace("-", "−")


def signed(gap: Score) -> str:
    """The same with the sign of a difference."""
    return ("+" if gap.point >= 0 else "") + between(gap)


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
    text = f"A word is looked up as written, then in lower case, among the {count_of(settings.most, 'first word')}."
    yield Finding("method.lookup", text)
    if unread:
        text = f"Not read, for they belong to no benchmark that is known here and whole: {', '.join(unread)}."
        yield Finding("method.unread", text, {"files": list(unread)})
