"""The verdict: at which layers context tells most, by the published measure and by the mean-centred one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.bootstrap import interval
from wordworth.records import Finding
from wordworth.studies.context.layer_measures import LayerCurve, LayerData

Found = Sequence[tuple[LayerData, Mapping[str, LayerCurve]]]
_TOGETHER = 0.95
_MOST, _WORTH_SAYING = 0.5, 0.1
"""A layer is doubted where three dimensions make more of its baseline, and that is larger, than this."""
_TOO_FEW = 50
"""Words from which on a study says something of a language and not of its sentences."""


@dataclass(frozen=True, slots=True)
class MostContextualLayers:
    """Where a word's occurrences are least alike in one model.

    Attributes:
        published: layers by cosine above the baseline, as the paper has it; several where they cannot be told apart.
        centred: layers by cosine after the mean is subtracted.
        doubted: layers where three dimensions make most of a baseline that matters.
        start: the layer at which words are looked at.
    """

    published: list[int]
    centred: list[int]
    doubted: list[int]
    start: int

    @property
    def agreed(self) -> list[int]:
        """Layers that both measures name, those that are doubted only where all are."""
        both = [layer for layer in self.published if layer in self.centred]
        return [layer for layer in both if layer not in self.doubted] or both

    @property
    def dubious(self) -> bool:
        """Whether both measures agree, and on doubted layers alone."""
        return bool(self.agreed) and self.agreed[0] in self.doubted

    @property
    def named(self) -> list[int]:
        """Layers that both measures name, else those that either does; ascending."""
        return self.agreed or sorted({*self.published, *self.centred})

    @classmethod
    def of(cls, found: Mapping[str, LayerCurve]) -> MostContextualLayers:
        """From the measures of one model."""
        centred = found["self_similarity_centred"]
        alike = cls(lowest(found["self_similarity_adjusted"]), lowest(centred), doubted(found), 0)
        above = range(min(1, len(centred.value) - 1), len(centred.value))
        sure = ([layer for layer in some if layer not in alike.doubted] for some in (alike.named, above))
        start = min(next(filter(None, sure), alike.centred), key=lambda layer: centred.value[layer])
        return cls(alike.published, alike.centred, alike.doubted, start)


def lowest(one: LayerCurve) -> list[int]:
    """The layer where a measure is lowest, and those whose paired difference from it could be nothing; ascending.

    A layer is left out where the lower bound of its difference is above 0, and the bounds of all layers hold together
    95 times in 100: the largest of their standardised errors over a resampled set decides how wide they are. Else the
    lowest of many layers that are alike would seem surely lower than some, since it was looked for.
    """
    least = int(np.argmin(one.value))
    above, draws = one.value - one.value[least], one.draws - one.draws[:, [least]]
    spread = draws.std(axis=0)
    varies = spread > 0
    if not varies.any():
        return np.flatnonzero(above <= 0).tolist()
    errors = (draws[:, varies] - above[varies]) / spread[varies]
    return np.flatnonzero(above <= np.quantile(errors.max(axis=1), _TOGETHER) * spread).tolist()


def has_layers(found: Mapping[str, LayerCurve]) -> bool:
    """Whether it is a model that reads context, and no static table."""
    return len(found["baseline"].value) > 1


def doubted(found: Mapping[str, LayerCurve]) -> list[int]:
    """Layers of a model whose plain cosines say little: three dimensions make more than half of a large baseline."""
    rogue = (found["top_share"].value > _MOST) & (found["baseline"].value > _WORTH_SAYING)
    return np.flatnonzero(rogue).tolist() if has_layers(found) else []


def verdict(found: Found) -> Finding:
    """At which layers context tells most: a line a model, and more of one alone."""
    where = {look.name: MostContextualLayers.of(one) for look, one in found}
    lines = [_told(look.name, one, where[look.name], alone=len(found) == 1) for look, one in found]
    text = "\n".join(lines) if len(found) > 1 else lines[0] + _of_one(found[0][1])
    numbers = {look.name: _numbers(one, where[look.name]) for look, one in found}
    return Finding("verdict", text, {"headline": _headline(found, where), "models": numbers})


def _headline(found: Found, where: Mapping[str, MostContextualLayers]) -> str:
    """One clause; what speaks against it is in the sentences under it."""
    tops = {look.name: len(one["baseline"].value) - 1 for look, one in found if has_layers(one)}
    if not tops:
        return "Context changes nothing here."
    if len(tops) > 1:
        return f"Most contextual: {', '.join(f'{name} {_of(where[name])} of {top}' for name, top in tops.items())}."
    ((name, top),) = tops.items()
    return f"{name}: most contextual at {_of(where[name])} of {top}."


def _of(one: MostContextualLayers) -> str:
    return layers(one.named, "and" if one.agreed else "or")


def _numbers(found: Mapping[str, LayerCurve], where: MostContextualLayers) -> dict[str, float | int | list[int]]:
    alike = found["self_similarity_adjusted"]
    least = int(np.argmin(alike.value))
    span = interval(alike.draws[:, least])
    ends = {"value": float(alike.value[least]), "low": span.low, "high": span.high}
    by = {"published": where.published, "centred": where.centred, "doubted": where.doubted}
    return {"layer": where.start, "layers": where.named, **by, **ends}


def _told(name: str, found: Mapping[str, LayerCurve], where: MostContextualLayers, *, alone: bool) -> str:
    alike, centred = found["self_similarity_adjusted"], found["self_similarity_centred"].value
    if not has_layers(found):
        return (
            f"{name}: a word has one vector wherever it stands; its self-similarity, 1, is {alike.value[0]:.2f} above "
            "the cosine of any two occurrences."
        )
    also = "the same" if where.centred == where.published else f"at {layers(where.centred, 'or')}"
    few = f" Only {alike.number} words are behind this, too few to go by." * (alike.number < _TOO_FEW)
    return (
        f"{name}: by the published measure a word's occurrences are least alike at {layers(where.published, 'or')} "
        f"({_above(alike, alone=alone)}); with the mean vector taken off, {also} "
        f"({min(centred[layer] for layer in where.centred):.2f}).{_doubts(where)}{few}"
    )


def _doubts(where: MostContextualLayers) -> str:
    """What speaks against the layers that the headline names."""
    if not where.agreed:
        return " The measures do not agree on a layer."
    if where.dubious:
        return f" Three dimensions make more than half of the average cosine at {layers(where.agreed)}."
    return ""


def _above(alike: LayerCurve, *, alone: bool) -> str:
    """How far above the baseline the lowest layer is; of a model alone with its interval and where it began."""
    least = int(np.argmin(alike.value))
    span, at_input = interval(alike.draws[:, least]), f"; {alike.value[0]:.2f} at the input" * bool(least)
    words = f"their cosine is {alike.value[least]:.2f} above that of any two"
    return f"{words}, 95 %: {span.low:.2f} to {span.high:.2f}{at_input}" if alone else words


def _of_one(found: Mapping[str, LayerCurve]) -> str:
    """How much of a word one vector holds, at the layer that the published measure names."""
    if not has_layers(found):
        return ""
    explained, least = found["explained_literal"], int(np.argmin(found["self_similarity_adjusted"].value))
    return (
        f" At layer {least} one fixed vector a word holds {100 * explained.value[least]:.0f} % of the squared length "
        f"of its occurrences; of as many occurrences of any words it would hold {100 * explained.null[least]:.0f} %."
    )


def layers(some: Sequence[int], last: str = "and") -> str:
    """`layer 3`, `layers 3, 4 and 6`, `layer 5 or 6`."""
    *before, end = map(str, some)
    many = "s" * (last == "and")
    return f"layer{many} {', '.join(before)} {last} {end}" if before else f"layer {end}"
