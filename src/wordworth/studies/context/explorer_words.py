"""The choice of the explorer's words, made from the text alone before any vector is computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from wordworth import seeds
from wordworth.errors import BadInput, nearest
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.studies.context.sampling import Occurrences, SamplingPlan, few
from wordworth.studies.context.sense_tags import Tags
from wordworth.studies.context.settings import ContextSettings


def with_shown(planned: SamplingPlan, of: Occurrences, tags: Tags | None, settings: ContextSettings) -> SamplingPlan:
    """Add the explorer's words to a plan: requested words, words of two known senses, sampled words of most contexts.

    For a sampled word, the occurrences in the plan are plotted. For another word, and for one with two known senses, as
    many are drawn here, first from sentences where it is tagged; only these are kept in addition to what the measures
    need.

    Args:
        planned: the sampling plan.
        of: the occurrences that count.
        tags: the words tagged with senses; None for data without tags.
        settings: of the study.

    Raises:
        BadInput: a requested word is not among those studied.
    """
    rng = seeds.child(settings.seed, "context", "shown")
    sizes, chosen = planned.sets
    ready = dict(zip(planned.sampled.tolist(), np.split(chosen, np.cumsum(sizes)[:-1]), strict=True))
    plotted = dict[int, Integers]()
    for word in dict.fromkeys(_words(planned, of, tags, settings)):
        tagged = tags.several.get(plain(of.forms[planned.words[word]])) if tags else None
        if tagged is None and word in ready:
            plotted[word] = ready[word]
        else:
            own = np.flatnonzero(of.form == planned.words[word])
            first = np.isin(of.sentence[own], [] if tagged is None else tagged)
            plotted[word] = _tagged_first(own, of.sentence[own], first, settings.occurrences, rng)
    return replace(planned, shown=plotted)


def _tagged_first(own: Integers, sentence: Integers, first: Flags, most: int, rng: np.random.Generator) -> Integers:
    """Draw at most `most` of a word's occurrences, each from a different sentence, those of `first` before others."""
    chosen = few(own[first], sentence[first], most, rng)
    others = few(own[~first], sentence[~first], most - len(chosen), rng)
    return np.sort(np.concatenate([chosen, others]))


def _words(planned: SamplingPlan, of: Occurrences, tags: Tags | None, settings: ContextSettings) -> Iterator[int]:
    """Yield indices of words: all requested ones, then others up to the size of the explorer."""
    names = [plain(of.forms[form]) for form in planned.words]
    requested = [index for word in settings.word for index in _indices_of(word, names, settings.contexts)]
    yield from requested
    several = {form: rank for rank, form in enumerate(tags.several)} if tags else {}
    both = [index for index, name in enumerate(names) if name in several and tells(name)]
    tagged = sorted(both, key=lambda index: several[names[index]])
    often = planned.sampled[np.argsort(-planned.contexts[planned.sampled], kind="stable")]
    others = (int(index) for index in often if tells(names[index]))
    rest = [index for index in dict.fromkeys([*tagged, *others]) if index not in requested]
    yield from rest[: max(0, settings.explorer - len(requested))]


def _indices_of(word: str, names: list[str], contexts: int) -> list[int]:
    indices = [index for index, name in enumerate(names) if name == word.lower()]
    if not indices:
        what = f"--word {word!r} does not occur in {contexts} different sentences"
        raise BadInput(what, mend=nearest(word, filter(tells, names)))
    return indices


def plain(form: str) -> str:
    """Return a form in lower case, without the markers that tokenizers put before a word or subword."""
    return form.lstrip("Ġ▁").removeprefix("##").lower()


def tells(name: str) -> bool:
    """Whether a plain form is informative: not an English stop word, and more than a single letter."""
    spells = any(map(str.isalpha, name)) and (len(name) > 1 or not name.isascii())
    return spells and name not in ENGLISH_STOP_WORDS and not _is_contraction(name)


def _is_contraction(name: str) -> bool:
    """Recognise a contraction of stop words (don't, it's, i'm); a name's possessive is not one."""
    before, mark, _ = name.replace("’", "'").partition("'")
    return bool(mark) and (before in ENGLISH_STOP_WORDS or name.endswith(("n't", "n’t")))
