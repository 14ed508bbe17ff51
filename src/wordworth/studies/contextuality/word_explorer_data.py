"""The data of the page's word explorer, for one model: the choice of words, their plots, curves and neighbours.

For each word, the explorer plots occurrences in a plane and lists nearest neighbours in two of its contexts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.measures.geometry.mean_cosine import error_of_mean, unit_or_zero
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.studies.contextuality.layer_measures import LayerData
from wordworth.studies.contextuality.read_sentences import Sentences, Tags
from wordworth.studies.contextuality.sampling_plan import Occurrences, SamplingPlan, sample_occurrences
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.word_explorer_tables import (
    UNKNOWN,
    Context,
    ExplorerWord,
    Pool,
    Row,
    candidates,
    excerpt,
    rounded,
)
from wordworth.studies.word_vectors_by_layer import LayerReader
from wordworth.text.word_boundaries import Span


def add_explorer_words(
    planned: SamplingPlan, stream: Occurrences, tags: Tags | None, settings: ContextSettings
) -> SamplingPlan:
    """Return a copy of a sampling plan in which `plotted` has the words of the word explorer, with occurrences to plot.

    Requested words come first, then words with two known senses, then the sampled words with the most contexts. A
    sampled word without tags is plotted at the occurrences in `SamplingPlan.sets`. For any other word this function
    draws occurrences, preferably from sentences in which the word is tagged; their vectors are stored for the explorer
    alone.

    Args:
        planned: the sampling plan of the measures.
        stream: all occurrences of words in the sentences.
        tags: the words tagged with senses; None for data without tags.
        settings: the settings of the study.

    Raises:
        BadInput: a requested word is not among the words studied.
    """
    rng = seeds.child(settings.seed, "context", "shown")
    sizes, chosen = planned.sets
    ready = dict(zip(planned.sampled.tolist(), np.split(chosen, np.cumsum(sizes)[:-1]), strict=True))
    plotted = dict[int, Integers]()
    for word in dict.fromkeys(_select_words(planned, stream, tags, settings)):
        tagged = tags.several.get(plain(stream.forms[planned.words[word]])) if tags else None
        if tagged is None and word in ready:
            plotted[word] = ready[word]
        else:
            own = np.flatnonzero(stream.form == planned.words[word])
            first = np.isin(stream.sentence[own], [] if tagged is None else tagged)
            plotted[word] = _tagged_first(own, stream.sentence[own], first, settings.occurrences, rng)
    return replace(planned, plotted=plotted)


def _tagged_first(own: Integers, sentence: Integers, first: Flags, most: int, rng: np.random.Generator) -> Integers:
    """Draw at most `most` of a word's occurrences from different sentences, preferring occurrences with `first` True.

    Args:
        own: int64 [n], the indices of the word's occurrences.
        sentence: int64 [n], the index of the sentence of each occurrence.
        first: bool [n], whether each occurrence is preferred.
        most: the largest number of occurrences to draw.
        rng: the source of randomness.
    """
    chosen = sample_occurrences(own[first], sentence[first], most, rng)
    others = sample_occurrences(own[~first], sentence[~first], most - len(chosen), rng)
    return np.sort(np.concatenate([chosen, others]))


def _select_words(
    planned: SamplingPlan, stream: Occurrences, tags: Tags | None, settings: ContextSettings
) -> Iterator[int]:
    """Yield indices into `SamplingPlan.words`: all requested words, then other words up to the explorer's size."""
    names = [plain(stream.forms[form]) for form in planned.words]
    requested = [index for word in settings.word for index in _indices_of(word, names, settings.contexts)]
    yield from requested
    several = {form: rank for rank, form in enumerate(tags.several)} if tags else {}
    both = [index for index, name in enumerate(names) if name in several and is_informative(name)]
    tagged = sorted(both, key=lambda index: several[names[index]])
    often = planned.sampled[np.argsort(-planned.contexts[planned.sampled], kind="stable")]
    others = (int(index) for index in often if is_informative(names[index]))
    rest = [index for index in dict.fromkeys([*tagged, *others]) if index not in requested]
    yield from rest[: max(0, settings.explorer - len(requested))]


def _indices_of(word: str, names: list[str], contexts: int) -> list[int]:
    indices = [index for index, name in enumerate(names) if name == word.lower()]
    if not indices:
        what = f"--word {word!r} does not occur in {contexts} different sentences"
        raise BadInput(what, mend=nearest(word, filter(is_informative, names)))
    return indices


def plain(form: str) -> str:
    """Return a word form in lower case, without the tokenizer's marker of a word or subword (`Ġ`, `▁`, `##`).

    >>> plain("ĠBank"), plain("##ing")
    ('bank', 'ing')
    """
    return form.lstrip("Ġ▁").removeprefix("##").lower()


def is_informative(name: str) -> bool:
    """Return True for a word worth exploring: longer than one letter, not a stop word, and not a contraction.

    A single character that is not ASCII, such as a Chinese one, is worth exploring too.

    Args:
        name: the word, as `plain` returns it.
    """
    spells = any(map(str.isalpha, name)) and (len(name) > 1 or not name.isascii())
    return spells and name not in ENGLISH_STOP_WORDS and not _is_contraction(name)


def _is_contraction(name: str) -> bool:
    """Return True for contractions of stop words (don't, it's, i'm), but not for a name's possessive."""
    before, mark, _ = name.replace("’", "'").partition("'")
    return bool(mark) and (before in ENGLISH_STOP_WORDS or name.endswith(("n't", "n’t")))


@dataclass(frozen=True, slots=True)
class ExplorerText:
    """The text around each occurrence that the word explorer plots, and the sense that the word has in this text.

    Attributes:
        contexts: the text around each plotted occurrence, word by word as in `SamplingPlan.plotted`.
        senses: int64 [occurrences], indices into `Tags.labels`; `UNKNOWN` for an occurrence without a tag.
        tags: the number of tagged words in the sentences of these occurrences.
        missed: the number of tagged words whose sense is lost, because none of the model's units (words or subwords)
            starts at the word's first letter.
    """

    contexts: tuple[Context, ...]
    senses: Integers
    tags: int = 0
    missed: int = 0


def explorer_text(data: LayerData, model: LayerReader, read: Sentences) -> ExplorerText:
    """Return the text around each occurrence that the word explorer plots, and the word's sense in this text.

    Args:
        data: one model's data, with its sampling plan.
        model: the reader that splits the sentences into units.
        read: the sentences.
    """
    stream, occurrences = data.stream, np.concatenate([np.zeros(0, np.int64), *data.plan.plotted.values()])
    sentences = stream.sentence[occurrences]
    units = np.flatnonzero(stream.is_counted)[occurrences] - (np.cumsum(stream.units) - stream.units)[sentences]
    wanted = np.unique(sentences).tolist()
    spans = dict(zip(wanted, model.spans([read.texts[sentence] for sentence in wanted]), strict=True))
    contexts, senses = list[Context](), list[int]()
    for sentence, unit in zip(sentences.tolist(), units.tolist(), strict=True):
        text, (start, end) = read.texts[sentence], spans[sentence][unit]
        contexts.append(excerpt(text[:start], text[start:end], text[end:]))
        senses.append(read.tags.at(sentence, _letter(text, start, end)) if read.tags else UNKNOWN)
    tags, missed = _count_missed_tags(read, spans)
    return ExplorerText(tuple(contexts), np.array(senses, np.int64), tags, missed)


def _letter(text: str, start: int, end: int) -> int:
    """Return the character position of a unit's first letter or digit, or the unit's start if it has none.

    Args:
        text: the sentence.
        start: position of the unit's first character.
        end: position after the unit's last character.
    """
    return next((position for position in range(start, end) if text[position].isalnum()), start)


def _count_missed_tags(read: Sentences, spans: Mapping[int, Sequence[Span]]) -> tuple[int, int]:
    """Return the number of tagged words in some sentences, and how many of these start where no unit starts.

    Args:
        read: the sentences.
        spans: index of each sentence that counts -> start and end of its units, as character positions.
    """
    if read.tags is None:
        return 0, 0
    tags = missed = 0
    for sentence, units in spans.items():
        unit_starts = {_letter(read.texts[sentence], *span) for span in units}
        starts = read.tags.starts(sentence).tolist()
        tags, missed = tags + len(starts), missed + len(set(starts) - unit_starts)
    return tags, missed


WORDS = {
    "entry": "number in the explorer, within the record",
    "model": "name as given",
    "word": "as the model sees it",
    "contexts": "number of different sentences it occurs in",
    "occurrences": "number of occurrences in them",
    "senses": "senses of the plotted occurrences, most frequent first; empty without tags",
    "counts": "plotted occurrences of each sense",
    "layer": "layer of the plot and the neighbours: where words are least alike by the mean-centred measure",
    "shown": "share of the plotted occurrences' variance that the plane explains",
    "self_similarity": "mean cosine of two occurrences by layer from the input layer on, not adjusted",
    "low": "lower end of its 95 % interval, from leaving out one plotted occurrence at a time",
    "high": "upper end of the interval",
}
_SURE = 0.975


def entries(
    data: LayerData, layer: int, text: ExplorerText, tags: Tags | None
) -> Iterator[tuple[ExplorerWord, Pool, Row]]:
    """Yield each word of the word explorer as (word, candidate neighbours, row of the table `explorer`).

    Args:
        data: one model's data.
        layer: the layer whose vectors are plotted and compared with neighbours.
        text: the text and the senses at the plotted occurrences.
        tags: the words tagged with senses; None for data without tags.
    """
    pool, begin = _pool(data, layer), 0
    for entry, (index, occurrences) in enumerate(data.plan.plotted.items()):
        begin, own = begin + len(occurrences), slice(begin, begin + len(occurrences))
        vectors = plotted_vectors(data, occurrences)
        senses, names, counts = _senses(text.senses[own], tags)
        word = ExplorerWord(
            entry=entry,
            units=unit_or_zero(vectors[layer]),
            senses=senses,
            contexts=text.contexts[own],
            sentences=tuple(data.stream.sentence[occurrences].tolist()),
            forms=frozenset({plain(_form(data, index))}),
        )
        row = {"model": data.name, "word": _form(data, index), "senses": names, "counts": counts, "layer": layer}
        numbers = {"contexts": data.plan.contexts[index], "occurrences": data.plan.members.counts[index]}
        yield word, pool, {**row, **{name: int(n) for name, n in numbers.items()}, **_curve(data, index, vectors)}


def _form(data: LayerData, word: int) -> str:
    return data.stream.forms[int(data.plan.words[word])]


def plotted_vectors(data: LayerData, occurrences: Integers) -> NDArray[np.float32]:
    """Return the vectors of the occurrences of one word that the word explorer plots, float32 [layers, n, d].

    The vectors are taken from `CollectedLayers.set_vectors` and `CollectedLayers.plotted_vectors`.

    Args:
        data: one model's data.
        occurrences: int64 [n], the plotted occurrences of the word.
    """
    ready = np.isin(occurrences, data.plan.sets[1])
    layers, _, width = data.collected.set_vectors.shape
    vectors = np.empty((layers, len(occurrences), width), np.float32)
    vectors[:, ready] = data.collected.set_vectors[:, np.isin(data.plan.sets[1], occurrences)]
    vectors[:, ~ready] = data.collected.plotted_vectors[:, np.isin(data.plan.explorer_only, occurrences)]
    return vectors


def _senses(senses: Integers, tags: Tags | None) -> tuple[Integers, list[str], list[int]]:
    """Return each occurrence's sense as an index into a list of senses, and the names and counts of these senses.

    The list has the senses of the given occurrences, the most frequent first. The index is `UNKNOWN` for an occurrence
    without a tag. A name begins with the tagged word if the senses are of several tagged words.

    Args:
        senses: int64 [occurrences], indices into `Tags.labels`, or `UNKNOWN`.
        tags: the words tagged with senses; None for data without tags.
    """
    if tags is None:
        return senses, [], []
    counts = Counter(sense for sense in senses.tolist() if sense != UNKNOWN)
    order = sorted(counts, key=lambda sense: (-counts[sense], sense))
    several = len({tags.labels[sense][1] for sense in order}) > 1
    names = [f"{word}, {label}" if several else label for label, word in (tags.labels[sense] for sense in order)]
    rank_of = {UNKNOWN: UNKNOWN, **{sense: rank for rank, sense in enumerate(order)}}
    return np.array([rank_of[sense] for sense in senses.tolist()]), names, [counts[sense] for sense in order]


def _curve(data: LayerData, word: int, vectors: NDArray[np.float32]) -> dict[str, list[float | None]]:
    """Return a word's self-similarity by layer over all occurrences, and the ends of its 95 % interval (Student's t).

    The standard error is the jackknife's over the plotted occurrences, scaled to the number of all occurrences.

    Args:
        data: one model's data.
        word: index of the word in `SamplingPlan.words`.
        vectors: float32 [layers, n, d], vectors of the plotted occurrences.

    Returns:
        `self_similarity`, `low` and `high` -> a value for each layer.
    """
    value, number, whole = data.collected.words[word], vectors.shape[1], int(data.plan.members.counts[word])
    half = student.ppf(_SURE, number - 1) * error_of_mean(vectors) * np.sqrt(number / whole)
    curves = {"self_similarity": value, "low": value - half, "high": value + half}
    return {name: [rounded(v) for v in np.clip(curve, -1, 1)] for name, curve in curves.items()}


def _pool(data: LayerData, layer: int) -> Pool:
    """Return the candidate neighbours: occurrences with stored vectors, at most two of a word, without stop words."""
    occurrences = np.concatenate([data.plan.sets[1], data.plan.pool])
    names = [plain(data.stream.forms[form]) for form in data.stream.form[occurrences]]
    chosen = list(candidates(names, is_informative))
    of_words = [row for row in chosen if row < len(data.plan.sets[1])]
    of_pool = [row - len(data.plan.sets[1]) for row in chosen[len(of_words) :]]
    vectors = np.concatenate([data.collected.set_vectors[layer, of_words], data.collected.pool[layer, of_pool]])
    sentences = data.stream.sentence[occurrences[chosen]].tolist()
    return Pool.of(unit_or_zero(vectors), tuple(names[row] for row in chosen), tuple(sentences))


def findings(data: LayerData, text: ExplorerText) -> Iterator[Finding]:
    """Yield a finding on how the word explorer was made, and a warning if it shows tagged words without their sense.

    A tagged word is a word whose sense the data name. Such a word is shown without its sense if none of the model's
    words or subwords starts where the tagged word starts. The finding is left out if no word is plotted, and the
    warning if every tagged word has its sense.

    Args:
        data: one model's data.
        text: the text and the senses at the plotted occurrences.
    """
    if data.plan.plotted:
        yield Finding("method.explorer", " ".join(_METHOD.format(most=data.settings.occurrences).split()))
    if text.missed:
        what = (
            f"{data.name}: {count_of(text.missed, 'tagged word')} of {text.tags:,} in the sentences of the explorer "
            "start inside a word as the model splits the text, and are shown without their sense."
        )
        yield Finding("warning.missed_tags", what, {"missed": text.missed, "tags": text.tags})


_METHOD = """\
The explorer plots at most {most} occurrences of a word, from different sentences, in the plane of their own two largest
principal components. A word's self-similarity is over all its occurrences; its interval comes from leaving out one
plotted occurrence at a time. The two contexts are of its two most frequent senses where these are known, else its two
least similar occurrences. Neighbours are the nearest of the occurrences that the measures keep, without stop words, at
most two of a form, by cosine after the mean of those is subtracted."""
