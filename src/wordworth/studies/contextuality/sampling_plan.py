"""The sampling plan: which words, occurrences and sentences are measured, chosen before any vector is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.geometry.running_sums import Membership
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.word_vectors_by_layer import Forms

_MOST_IN_A_NULL = 1_000
"""Most random occurrences that stand in for a word to give its null value: the expected value does not depend on their
number."""
_LEAST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Occurrences:
    """All occurrences of words or subwords that are studied, in the order of the text.

    A unit is a word or a subword of a sentence; an occurrence is a unit that is studied.

    Attributes:
        forms: the distinct spellings of the occurrences.
        form: int64 [occurrences], the spelling of each occurrence, an index into `forms`.
        sentence: int64 [occurrences], the index of the sentence of each occurrence, ascending.
        first: bool [occurrences], whether the occurrence is the first unit of its sentence.
        is_counted: bool [units], whether each unit is studied, over the units of all sentences end to end.
        units: int64 [sentences], the number of units in each sentence.
    """

    forms: tuple[str, ...]
    form: Integers
    sentence: Integers
    first: Flags
    is_counted: Flags
    units: Integers


@dataclass(frozen=True, slots=True)
class SamplingPlan:
    """The words and the samples that are measured for one model; occurrences are indices into `Occurrences`.

    Attributes:
        words: int64 [words], the forms studied, indices into `Occurrences.forms`.
        contexts: int64 [words], the number of different sentences of each word.
        members: the occurrences of each word.
        sampled: int64 [sampled], a sample of the words, indices into `words`.
        null: for each sampled word, as many random occurrences of any words as the word has occurrences, up to 1,000.
        repeated: the occurrences of each sampled word, each repeated as often as its sentence is in the data.
        sets: a sample of the occurrences of each sampled word, as two arrays: how many each word has, int64 [sampled],
            and the occurrences of all words, end to end.
        pool: int64 [pool], occurrences drawn uniformly.
        sentences: int64 [drawn], indices of sentences with two units or more, drawn uniformly.
        plotted: index of a word in `words` -> the word's occurrences that the word explorer plots; only for the words
            of the explorer.
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
    plotted: Mapping[int, Integers] = field(default_factory=dict)

    @property
    def explorer_only(self) -> Integers:
        """The plotted occurrences that are not in `sets`, int64 [n]; their vectors are stored for the word explorer."""
        pictured = np.concatenate([np.zeros(0, np.int64), *self.plotted.values()])
        return np.setdiff1d(pictured, self.sets[1])


def list_occurrences(sentences: Sequence[Forms], settings: ContextSettings) -> Occurrences:
    """Return the occurrences that are studied: the units (words or subwords) that have a letter or a digit.

    Units without a vector are left out.

    Args:
        sentences: the units of each sentence.
        settings: the settings of the study; with `first` false, the first unit of each sentence is left out.
    """
    flat = [form for forms in sentences for form in forms]
    units = np.array([len(forms) for forms in sentences], dtype=np.int64)
    first = np.zeros(len(flat), dtype=bool)
    first[(np.cumsum(units) - units)[units > 0]] = True
    names = sorted(form for form in set(flat) if form is not None and any(map(str.isalnum, form)))
    number = {name: index for index, name in enumerate(names)}
    form = np.array([-1 if name is None else number.get(name, -1) for name in flat], dtype=np.int64)
    is_counted = (form >= 0) & (settings.first | ~first)
    sentence = np.repeat(np.arange(len(units)), units)
    return Occurrences(tuple(names), form[is_counted], sentence[is_counted], first[is_counted], is_counted, units)


def plan(stream: Occurrences, times: NDArray[np.int64], settings: ContextSettings) -> SamplingPlan:
    """Choose the words whose self-similarity is measured for one model, and draw the samples of occurrences.

    Args:
        stream: all occurrences.
        times: int64 [sentences], how often each sentence is in the data.
        settings: the settings of the study.

    Raises:
        BadInput: too few words occur in enough different sentences.
    """
    by_form = _by_form(stream)
    words, contexts, word_of = _studied(stream, by_form, settings.contexts)
    studied = np.flatnonzero(word_of[stream.form] >= 0)
    members = Membership.of(studied, word_of[stream.form[studied]], len(words))
    rng = seeds.child(settings.seed, "context", "sample")
    sampled = seeds.sorted_sample(rng, len(words), settings.sample)
    own = [by_form[form] for form in words[sampled]]
    chosen = [
        sample_occurrences(occurrences, stream.sentence[occurrences], settings.occurrences, rng) for occurrences in own
    ]
    several_units = np.flatnonzero(np.bincount(stream.sentence, minlength=len(stream.units)) > 1)
    return SamplingPlan(
        words=words,
        contexts=contexts,
        members=members,
        sampled=sampled,
        null=_null(len(stream.form), own, rng),
        repeated=_repeated(own, times[stream.sentence]),
        sets=(np.array([len(occurrences) for occurrences in chosen]), np.concatenate(chosen)),
        pool=seeds.sorted_sample(rng, len(stream.form), settings.pool),
        sentences=seeds.sorted_sample(rng, several_units, settings.sentences),
    )


def _by_form(stream: Occurrences) -> list[Integers]:
    """Return for each form the indices of its occurrences, ascending, by a counting sort in linear time."""
    number = len(stream.form)
    membership = csr_matrix(
        (np.ones(number, np.bool_), stream.form, np.arange(number + 1)), (number, len(stream.forms))
    )
    columns = membership.tocsc()
    return np.split(columns.indices.astype(np.int64), columns.indptr[1:-1])


def _studied(stream: Occurrences, by_form: Sequence[Integers], least: int) -> tuple[Integers, Integers, Integers]:
    """Return the words to study: the forms that occur in at least `least` sentences.

    Args:
        stream: all occurrences.
        by_form: for each form the indices of its occurrences, ascending.
        least: the smallest number of sentences.

    Returns:
        The words as indices into `Occurrences.forms`, int64 [words]; the number of sentences of each word, int64
        [words]; and for every form its index among the words, or -1, int64 [forms].
    """
    contexts = np.array([1 + np.count_nonzero(np.diff(stream.sentence[occurrences])) for occurrences in by_form])
    words = np.flatnonzero(contexts >= least)
    if len(words) < _LEAST_WORDS:
        what = f"only {len(words)} words occur in {least} or more different sentences"
        raise BadInput(what, mend=f"{_LEAST_WORDS} are needed: give more sentences, or fewer --contexts")
    word_of = np.full(len(stream.forms), -1, dtype=np.int64)
    word_of[words] = np.arange(len(words))
    return words, contexts[words].astype(np.int64), word_of


def sample_occurrences(occurrences: Integers, sentence: Integers, most: int, rng: np.random.Generator) -> Integers:
    """Draw occurrences of a word, each from a different sentence.

    Args:
        occurrences: int64 [n], the indices of the word's occurrences.
        sentence: int64 [n], the index of the sentence of each occurrence.
        most: the largest number of occurrences to draw.
        rng: the source of randomness.

    Returns:
        The indices of the occurrences that were drawn, int64, ascending.
    """
    one_per_sentence = occurrences[np.unique(sentence, return_index=True)[1]]
    return seeds.sorted_sample(rng, one_per_sentence, most)


def _null(occurrences: int, own: Sequence[Integers], rng: np.random.Generator) -> Membership:
    sizes = [min(len(of_word), _MOST_IN_A_NULL, occurrences) for of_word in own]
    drawn = [rng.choice(occurrences, size, replace=False, shuffle=False) for size in sizes]
    return Membership.of(np.concatenate(drawn), np.repeat(np.arange(len(own)), sizes), len(own))


def _repeated(own: Sequence[Integers], times: NDArray[np.int64]) -> Membership:
    each = [np.repeat(of_word, times[of_word]) for of_word in own]
    return Membership.of(np.concatenate(each), np.repeat(np.arange(len(own)), [len(e) for e in each]), len(own))
