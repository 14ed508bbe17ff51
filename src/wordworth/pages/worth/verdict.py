"""The head of the page: what was asked, the answer in four words, two sentences, four figures."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.pages.numbers import ABSENT, count, figures, finite, money, size_in_bytes
from wordworth.pages.worth.study import Study

_KINDS = {
    "single": "texts to classify",
    "pair": "pairs of texts to classify",
    "regression": "texts to score",
    "multilabel": "texts with any number of labels",
    "tags": "sentences to tag",
}
_SHORT = {
    "cheap suffices": "A cheap rung suffices.",
    "contextual is worth it": "Context is worth it.",
    "cannot tell yet": "Cannot tell yet.",
}


@dataclass(frozen=True, slots=True)
class Tile:
    """One large figure: what it is, its value, a line under it."""

    title: str
    value: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer. `figures_of` names the rung that the tiles describe."""

    asked: str
    made: str
    headline: str
    sentences: str
    figures_of: str
    tiles: tuple[Tile, ...]


def verdict(study: Study) -> Verdict:
    """The head of the page from the record's verdict and the chosen rung's row."""
    found = study.findings("verdict")
    numbers = study.verdict
    answer = str(numbers.get("answer", ""))
    return Verdict(
        asked=_asked(study),
        made=_made(study),
        headline=str(numbers.get("headline") or _SHORT.get(answer, "No verdict.")),
        sentences=str(found[0]["text"]) if found else "This record holds no verdict.",
        figures_of=study.title(study.chosen),
        tiles=_tiles(study),
    )


def _asked(study: Study) -> str:
    data = study.data
    rows = (finite(data.get("train")) or 0) + (finite(data.get("test")) or 0)
    parts = [str(data["name"]), f"{count(rows)} {_KINDS.get(str(data['kind']), 'texts')}"]
    distinct = finite(data.get("labels_distinct"))
    if distinct is not None and data["kind"] != "regression":
        parts.append(f"{count(distinct)} labels")
    return " · ".join(parts)


def _made(study: Study) -> str:
    environment = study.plain["environment"]
    parts = [str(environment[name]) for name in ("date", "cpu") if environment.get(name)]
    return " · ".join(parts)


def _tiles(study: Study) -> tuple[Tile, ...]:
    row = study.ladder.get(study.chosen or "", {})
    cost = study.costs.get(study.chosen or "", {})
    untimed = "" if cost else "not timed"
    between = study.unit.interval(finite(row.get("low")), finite(row.get("high")))
    rate, price = finite(cost.get("texts_per_second")), finite(cost.get("price_per_million"))
    weight = finite(row.get("disk_bytes"))
    return (
        Tile(
            study.unit.title,
            study.unit.score(finite(row.get("score"))),
            f"95 %: {between}" if between else "no interval",
        ),
        Tile("texts a second", figures(rate), untimed or "on this machine"),
        Tile("price of a million texts", money(price, study.currency), untimed or _rent(study)),
        Tile("size on disk", size_in_bytes(weight), "" if weight is not None else f"{ABSENT} not known"),
    )


def _rent(study: Study) -> str:
    rent = finite(study.settings.get("hourly_price"))
    return "" if rent is None else f"at {study.currency}{rent:.2f} an hour"
