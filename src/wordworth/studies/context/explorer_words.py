"""Which words the explorer shows, decided from the text alone before a single vector is made."""

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
    """The plan with the explorer's words: those asked for, those of two known senses, the sampled of most contexts.

    Of a sampled word the occurrences that were chosen already are pictured. Of another, and of one with two known
    senses, as many are chosen here, those in sentences where it is tagged before others; they are all that the explorer
    keeps beside what the measures need.

    Raises:
        BadInput: a word that was asked for is not among those studied.
    """
    rng = seeds.child(settings.seed, "context", "shown")
    sizes, chosen = planned.sets
    ready = dict(zip(planned.sampled.tolist(), np.split(chosen, np.cumsum(sizes)[:-1]), strict=True))
    found = dict[int, Integers]()
    for place in dict.fromkeys(_words(planned, of, tags, settings)):
        known = tags.several.get(plain(of.forms[planned.words[place]])) if tags else None
        if known is None and place in ready:
            found[place] = ready[place]
        else:
            own = np.flatnonzero(of.form == planned.words[place])
            first = np.isin(of.sentence[own], [] if known is None else known)
            found[place] = _tagged_first(own, of.sentence[own], first, settings.occurrences, rng)
    return replace(planned, shown=found)


def _tagged_first(places: Integers, sentence: Integers, first: Flags, most: int, rng: np.random.Generator) -> Integers:
    """At most so many of a word's occurrences, each from another sentence; of those not `first` as there is room."""
    chosen = few(places[first], sentence[first], most, rng)
    others = few(places[~first], sentence[~first], most - len(chosen), rng)
    return np.sort(np.concatenate([chosen, others]))


def _words(planned: SamplingPlan, of: Occurrences, tags: Tags | None, settings: ContextSettings) -> Iterator[int]:
    """Places of the words: all that were asked for, and of the others as many as there is room for."""
    names = [plain(of.forms[form]) for form in planned.words]
    asked = [place for word in settings.word for place in _asked(word, names, settings.contexts)]
    yield from asked
    several = {form: rank for rank, form in enumerate(tags.several)} if tags else {}
    both = [place for place, name in enumerate(names) if name in several and tells(name)]
    tagged = sorted(both, key=lambda place: several[names[place]])
    often = planned.sampled[np.argsort(-planned.contexts[planned.sampled], kind="stable")]
    others = (int(place) for place in often if tells(names[place]))
    rest = [place for place in dict.fromkeys([*tagged, *others]) if place not in asked]
    yield from rest[: max(0, settings.explorer - len(asked))]


def _asked(word: str, names: list[str], contexts: int) -> list[int]:
    found = [place for place, name in enumerate(names) if name == word.lower()]
    if not found:
        what = f"--word {word!r} does not stand in {contexts} different sentences"
        raise BadInput(what, mend=nearest(word, filter(tells, names)))
    return found


def plain(form: str) -> str:
    """A form in lower case, without the marks that tokenizers put before a word or a piece of one."""
    return form.lstrip("Ġ▁").removeprefix("##").lower()


def tells(name: str) -> bool:
    """Whether a plain form says something by itself: no English stop word, and more than a letter of the alphabet."""
    spells = any(map(str.isalpha, name)) and (len(name) > 1 or not name.isascii())
    return spells and name not in ENGLISH_STOP_WORDS and not _shortened(name)


def _shortened(name: str) -> bool:
    """Whether it is a stop word run into another: don't, it's, i'm; what is a name's possessive says something."""
    before, mark, _ = name.replace("’", "'").partition("'")
    return bool(mark) and (before in ENGLISH_STOP_WORDS or name.endswith(("n't", "n’t")))
