"""What will be looked at, decided from the text alone before a single vector is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.geometry.streaming import Membership
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.studies.context.readers import Forms
from wordworth.studies.context.settings import ContextSettings

_MOST_IN_A_NULL = 1_000
"""Occurrences of a made-up word at most; its expected self-similarity does not depend on their number."""
_LEAST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The occurrences that count, in the order in which vectors will come.

    Attributes:
        forms: the distinct forms.
        form: int64 [occurrences], into `forms`.
        sentence: int64 [occurrences].
        first: bool [occurrences], whether it is the first unit of its sentence.
        counted: bool [units], which units of the sentences, one after another, are occurrences.
        units: int64 [sentences], units of each sentence, counted or not.
    """

    forms: tuple[str, ...]
    form: Integers
    sentence: Integers
    first: Flags
    counted: Flags
    units: Integers


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """Words, samples and nulls; the places are in the stream.

    Attributes:
        words: forms studied, into `Occurrences.forms`.
        contexts: int64 [words], different sentences of each.
        members: the occurrences of each word.
        sampled: places within `words`.
        null: as many occurrences of any words as each sampled word has: word labels permuted.
        repeated: the sampled words' occurrences with sentences as often as they were given.
        sets: int64 [sampled] sizes, and the chosen occurrences of each sampled word, end to end.
        pool: int64, occurrences drawn alike.
        sentences: int64, sentences drawn.
        shown: words of the explorer, places within `words`, each with its occurrences that are pictured.
    """

    words: Integers
    contexts: Integers
    members: Membership
    sampled: Integers
    null: Membership
    repeated: Membership
    sets: tuple[Integers, Integers]
    pool: Integers
    sentences: Integers
    shown: Mapping[int, Integers] = field(default_factory=dict)

    @property
    def explorer_only(self) -> Integers:
        """Occurrences that are pictured and not chosen already, since their words were not sampled."""
        pictured = np.concatenate([np.zeros(0, np.int64), *self.shown.values()])
        return np.setdiff1d(pictured, self.sets[1])


def stream(sentences: Sequence[Forms], settings: ContextSettings) -> Occurrences:
    """The occurrences of forms with a letter or digit in them and a vector; the first of a sentence if `first`."""
    flat = [form for forms in sentences for form in forms]
    units = np.array([len(forms) for forms in sentences], dtype=np.int64)
    first = np.zeros(len(flat), dtype=bool)
    first[(np.cumsum(units) - units)[units > 0]] = True
    names = sorted(form for form in set(flat) if form is not None and any(map(str.isalnum, form)))
    number = {name: place for place, name in enumerate(names)}
    form = np.array([-1 if name is None else number.get(name, -1) for name in flat], dtype=np.int64)
    counted = (form >= 0) & (settings.first | ~first)
    sentence = np.repeat(np.arange(len(units)), units)
    return Occurrences(tuple(names), form[counted], sentence[counted], first[counted], counted, units)


def plan(of: Occurrences, times: NDArray[np.int64], settings: ContextSettings) -> SamplingPlan:
    """The words, samples and nulls of one model.

    Raises:
        BadInput: too few words stand in enough different sentences.
    """
    by_form = _by_form(of)
    words, contexts, place = _studied(of, by_form, settings.contexts)
    mine = np.flatnonzero(place[of.form] >= 0)
    members = Membership.of(mine, place[of.form[mine]], len(words))
    rng = seeds.child(settings.seed, "context", "sample")
    sampled = np.sort(rng.choice(len(words), min(settings.sample, len(words)), replace=False))
    own = [by_form[form] for form in words[sampled]]
    chosen = [few(places, of.sentence[places], settings.occurrences, rng) for places in own]
    some = np.flatnonzero(np.bincount(of.sentence, minlength=len(of.units)) > 1)
    return SamplingPlan(
        words=words,
        contexts=contexts,
        members=members,
        sampled=sampled,
        null=_null(len(of.form), own, rng),
        repeated=_repeated(own, times[of.sentence]),
        sets=(np.array([len(places) for places in chosen]), np.concatenate(chosen)),
        pool=np.sort(rng.choice(len(of.form), min(settings.pool, len(of.form)), replace=False)),
        sentences=np.sort(rng.choice(some, min(settings.sentences, len(some)), replace=False)),
    )


def _by_form(of: Occurrences) -> list[Integers]:
    """Each form's occurrences, ascending; counted out into their places, which costs the same for each of them."""
    number = len(of.form)
    one_a_row = csr_matrix((np.ones(number, np.bool_), of.form, np.arange(number + 1)), (number, len(of.forms)))
    columns = one_a_row.tocsc()
    return np.split(columns.indices.astype(np.int64), columns.indptr[1:-1])


def _studied(of: Occurrences, by_form: Sequence[Integers], least: int) -> tuple[Integers, Integers, Integers]:
    """Forms with enough different sentences, how many each has, and every form's place among them or -1."""
    contexts = np.array([1 + np.count_nonzero(np.diff(of.sentence[places])) for places in by_form])
    words = np.flatnonzero(contexts >= least)
    if len(words) < _LEAST_WORDS:
        what = f"{len(words)} words stand in {least} or more different sentences"
        raise BadInput(what, mend=f"{_LEAST_WORDS} are needed: give more sentences, or fewer --contexts")
    place = np.full(len(of.forms), -1, dtype=np.int64)
    place[words] = np.arange(len(words))
    return words, contexts[words].astype(np.int64), place


def few(places: Integers, sentence: Integers, most: int, rng: np.random.Generator) -> Integers:
    """At most so many of a word's occurrences, each from another sentence."""
    apart = places[np.unique(sentence, return_index=True)[1]]
    return np.sort(rng.choice(apart, min(most, len(apart)), replace=False))


def _null(occurrences: int, own: Sequence[Integers], rng: np.random.Generator) -> Membership:
    sizes = [min(len(places), _MOST_IN_A_NULL, occurrences) for places in own]
    drawn = [rng.choice(occurrences, size, replace=False, shuffle=False) for size in sizes]
    return Membership.of(np.concatenate(drawn), np.repeat(np.arange(len(own)), sizes), len(own))


def _repeated(own: Sequence[Integers], times: NDArray[np.int64]) -> Membership:
    each = [np.repeat(places, times[places]) for places in own]
    return Membership.of(np.concatenate(each), np.repeat(np.arange(len(own)), [len(e) for e in each]), len(own))
