"""The tables of a `shrink` record."""

from __future__ import annotations

from typing import Any

from wordworth.inference.prediction_speed import SPEED_COLUMNS
from wordworth.measures.serving_costs import per_text
from wordworth.records import Table
from wordworth.studies.compression_frontier import FRONTIER
from wordworth.studies.shrink.non_inferiority import Judged, Judgement

_JUDGED = {
    "corrected_low": "of the interval at the level corrected for the number of smaller ones",
    "corrected_high": "of that interval",
    "within": "whether that interval lies within the margin: yes, no, cannot tell; whole for the whole one",
    "rows": "about how many measuring rows would tell, were the change the measured one; null where not known",
}
MODELS = {
    **FRONTIER,
    "model": "the whole model in float32, or a smaller one",
    "way": "how it was made smaller",
    **_JUDGED,
}
VECTORS = {
    "vectors": "the form in which a text's vector is stored",
    "way": "how it was made smaller",
    "numbers": "numbers of the vector that are left",
    "bytes": "bytes of a text's vector",
    **{name: FRONTIER[name] for name in ("score", "change", "low", "high")},
    **_JUDGED,
}
SPEED = {
    "model": "a model, from the characters of texts on; or a form of vectors, from the query's vector on",
    **SPEED_COLUMNS,
    "price": "price of a million texts on this machine, one thread, in batches of 32",
}


def models_table(judgement: Judgement) -> Table:
    """Return the table `models`: a row for the whole model in float32, then a row for each smaller one.

    A row has the model's size, its score, its score minus the whole model's score, and whether its loss is within the
    margin.

    Args:
        judgement: the judged models.
    """
    return Table.of([_model(each) for each in judgement.judged], MODELS)


def vectors_table(judgement: Judgement) -> Table:
    """Return the table `vectors`: a row for whole vectors in float32, then a row for each smaller form of vectors.

    A row has the form's size, its score, its score minus the score of whole vectors, and whether its loss is within the
    margin.

    Args:
        judgement: the judged forms of vectors.
    """
    return Table.of([_form(each) for each in judgement.judged], VECTORS)


def speed_of(judgements: list[Judgement], hourly_price: float) -> Table:
    """Return the table `speed` of each model and each form of vectors: milliseconds per text, price per million texts.

    Args:
        judgements: judgements of models first, then, if there are any, of forms of vectors.
        hourly_price: price of an hour of this machine.
    """
    rows = []
    for number, judgement in enumerate(judgements):
        for each in judgement.judged:
            speed = each.variant.speed_columns()
            price = 1e6 * per_text(hourly_price, 1_000 / speed["milliseconds_32"])
            name = each.variant.name if not number else f"vectors: {each.variant.name}"
            rows.append({"model": name, **speed, "price": price})
    return Table.of(rows, SPEED)


def _model(each: Judged) -> dict[str, Any]:
    return each.variant.columns() | {"way": each.variant.method} | _verdict(each)


def _form(each: Judged) -> dict[str, Any]:
    fields = each.variant.columns()
    row = {"vectors": each.variant.name, "way": each.variant.method, "numbers": each.variant.size.parameters}
    return row | {name: fields[name] for name in ("bytes", "score", "change", "low", "high")} | _verdict(each)


def _verdict(each: Judged) -> dict[str, Any]:
    return {**each.ends.columns("corrected_"), "within": each.within, "rows": each.rows}
