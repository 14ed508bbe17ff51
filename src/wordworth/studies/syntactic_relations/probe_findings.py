"""The findings of the study `relations` on probes: whether their published order is reproduced, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, join_words, passing_by_chance, percent, signed_with_range
from wordworth.studies.syntactic_relations.probe_scores import BEST_HEAD, COMPARED, RIGHT_BRANCHING
from wordworth.studies.syntactic_relations.probe_tables import PUBLISHED
from wordworth.studies.syntactic_relations.probe_training import (
    ATTENTION,
    ATTENTION_AND_WORDS,
    RANDOM,
    TRAINING,
    WORDS_AND_DISTANCES,
)

Row = Mapping[str, Any]
ORDER = (ATTENTION_AND_WORDS, ATTENTION, WORDS_AND_DISTANCES, BEST_HEAD, RIGHT_BRANCHING)
"""The published order, the best first."""
_STEPS = tuple(pair for pair in COMPARED if set(pair) <= set(ORDER))
"""The differences of `COMPARED` between systems of the published order, all above 0 in the paper."""


class PublishedOrder(NamedTuple):
    """Whether the order of probes that Clark et al. (2019) published is reproduced.

    Attributes:
        sentence: the sentence of the verdict.
        steps: number of pairs of systems whose published order is tested.
        steps_above: number of these pairs in which the system with the higher published score is significantly ahead
            here too.
    """

    sentence: str
    steps: int
    steps_above: int


def published_order(tables: Mapping[str, Table]) -> PublishedOrder:
    """Compare the order of the dependency probes by score with the order that Clark et al. (2019) published.

    Args:
        tables: tables of a `relations` record with probes.
    """
    systems, gaps = _systems(tables), _gaps(tables)
    rows = [gaps[step] for step in _STEPS]
    holds = [row for row in rows if row["ahead"]]
    reverse = [row for row in rows if row["high"] < 0]
    rest = [row for row in rows if row not in holds and row not in reverse]
    shares = join_words([f"{name} {percent(systems[name]['uas'], 1)}" for name in ORDER])
    published = join_words([decimal(100 * PUBLISHED[name], 1).removesuffix(".0") for name in ORDER])
    whole = "comes out" if len(holds) == len(rows) else f"comes out in {len(holds)} of {len(rows)} steps"
    text = f"Probes find, of all syntactic heads: {shares}. The published order (BERT-base: {published} %) {whole}."
    for words, those in (("the other way round", reverse), ("not told apart", rest)):
        if those:
            text += f" Here {words}: {'; '.join(map(_gap, those))}."
    return PublishedOrder(text, len(rows), len(holds))


def probe_warnings(tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Yield a warning if a probe with attention is not significantly better than the same probe on random weights."""
    gaps = _gaps(tables)
    names = [name for name in (ATTENTION_AND_WORDS, ATTENTION) if not gaps[name, RANDOM.format(name)]["ahead"]]
    if names:
        text = f"With random weights these probes find as many heads, as far as can be told: {join_words(names)}."
        yield Finding("warning.random_probes", text, {"probes": names})


def _systems(tables: Mapping[str, Table]) -> dict[str, Row]:
    return {str(row["system"]): row for row in tables["probes"].rows()}


def _gaps(tables: Mapping[str, Table]) -> dict[tuple[str, str], Row]:
    return {(str(row["first"]), str(row["second"])): row for row in tables["probe_differences"].rows()}


def _gap(row: Row) -> str:
    return f"{row['first']} beside {row['second']}, {signed_with_range(row['difference'], row['low'], row['high'])}"


def probe_method(facts: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the findings that say what the dependency probes are and how they were trained.

    Args:
        facts: `training` and `held_out`, numbers of sentences, and `width`, the width of the static vectors.
    """
    yield Finding(
        "method.probes",
        "A probe gives each word a softmax over the other words and the root (Clark et al. 2019, section 5). Attention "
        "alone: one weight for each head in each direction. Attention and words: these weights are linear in the "
        f"static vectors of both words, the means of the model's own input embeddings ({facts['width']} wide; the "
        "paper used GloVe). Words and distances: a layer of 256 tanh units on both vectors and their distance, no "
        "attention. Special tokens together stand for the root. Right-branching takes the next word, for the last word "
        "the root.",
    )
    yield Finding(
        "method.probe_training",
        f"Probes are trained on {count_of(facts['training'], 'sentence')} of the half that chooses heads; "
        f"{facts['held_out']:,} more, of other documents, decide when to stop and which of three learning rates is "
        f"kept (at most {TRAINING.passes} passes with Adam). The other half measures, punctuation left out. The second "
        "seed decides the order of sentences and first weights. A difference counts as above 0 at a level corrected "
        f"for all {len(COMPARED)} (with no difference, {passing_by_chance(len(COMPARED), 0.025)}).",
    )
