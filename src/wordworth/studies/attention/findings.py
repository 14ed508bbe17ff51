"""The findings of the study `attention`: what the heads attend to in this text, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log

import numpy as np

from wordworth.measures.attention_maps import AttentionMaps
from wordworth.records import Finding, Table
from wordworth.reports.attention.viewer_data import PackedModel
from wordworth.sentence_formatting import count_of, decimal, join_words, percent, quoted, significant

_HALF = 0.5
_SUM = 0.01
"""The largest difference of a row's sum from 1 that gives no warning."""
_SAME = 1e-4
"""The largest divergence, in nats, that rounding may cause between the heads of equal models."""
Row = Mapping[str, object]
ByModel = Mapping[str, Sequence[Row]]
"""The rows of the heads of each model, by its name."""
RANDOM_WEIGHTS = "random weights"
"""The name of the model that has the shape of the first one, with random weights."""


def verdict(models: Sequence[AttentionMaps], tables: Mapping[str, Table]) -> Finding:
    """Return the finding `verdict`: what the heads attend to in this text, and where two models differ.

    Args:
        models: the maps of one model or two, between words or tokens, as the settings say.
        tables: name of a table -> the table, made from these maps.
    """
    rows = {maps.name: [row for row in tables["heads"].rows() if row["model"] == maps.name] for maps in models}
    control = {row["figure"]: row for row in tables["control"].rows()} if "control" in tables else {}
    beside = {} if RANDOM_WEIGHTS in rows else control
    sentences = [
        *_difference(tables),
        *_special(models, rows, beside),
        *_unlike_random(rows, control),
        *_positions(models, rows, beside),
        *_across(rows, beside),
    ]
    if len(models) == 1:
        sentences += [*_focused(models[0], rows[models[0].name], beside), *_most_received(tables)]
    headline, numbers = _headline(models, tables)
    return Finding("verdict", "\n".join(sentences), {"headline": headline, **numbers})


def _each(figures: Mapping[str, str]) -> str:
    """Return in words the statistic of each model, followed by the model's name unless all values are equal.

    `figures` has name of a model -> value of the statistic in words.
    """
    if len(set(figures.values())) == 1:
        return next(iter(figures.values()))
    return join_words([f"{figure} ({name})" for name, figure in figures.items()])


def _special(models: Sequence[AttentionMaps], rows: ByModel, control: Mapping[str, Row]) -> Iterator[str]:
    """Yield the sentence on the share of attention that special tokens receive."""
    known = {maps.name: maps for maps in models if maps.special.any()}
    if known:
        shares = _each({name: percent(_mean(rows[name], "special")) for name in known})
        even = _each({name: percent(maps.special.mean()) for name, maps in known.items()})
        random = _random_share(rows, control, "special")
        yield (
            f"Special tokens receive {shares} of the attention of the others{random}; spread evenly it would be {even}."
        )


def _random_share(rows: ByModel, control: Mapping[str, Row], figure: str) -> str:
    row = control.get(figure)
    return "" if row is None else f", {_with_random(rows)} {percent(_number(row, 'random_mean'))}"


def _with_random(rows: ByModel) -> str:
    return "with random weights" if len(rows) == 1 else f"with random weights in the shape of {next(iter(rows))}"


def _unlike_random(rows: ByModel, control: Mapping[str, Row]) -> Iterator[str]:
    """Yield the sentence on the number of heads that are outside the range of heads with random weights.

    Heads are compared by their attention to special tokens or, if that is not known, by their entropy.
    """
    name, heads = next(iter(rows.items()))
    of_model = "" if len(rows) == 1 else f" of {name}"
    for figure, more, less in (
        ("special", "give special tokens more", "less"),
        ("entropy", "spread wider", "narrower"),
    ):
        if row := control.get(figure):
            luck = f"if they were alike, {decimal(_number(row, 'luck'), 1)} each by luck"
            yield (
                f"Of {count_of(len(heads), 'head')}{of_model}, {row['above']} {more} than any head with random weights "
                f"does, {row['below']} {less} than any ({luck})."
            )
            return


def _positions(models: Sequence[AttentionMaps], rows: ByModel, control: Mapping[str, Row]) -> Iterator[str]:
    """Yield the sentence on the number of heads that mostly attend to a neighbouring token."""
    counts = {}
    for maps in models:
        before, after = (sum(_number(row, name) > _HALF for row in rows[maps.name]) for name in ("previous", "next"))
        counts[maps.name] = f"{before} and {after} of {count_of(len(rows[maps.name]), 'head')}"
    if all(len(maps.tokens) > 1 for maps in models):
        of_random = [str(control[name]["random_over_half"]) for name in ("previous", "next") if control]
        random = f", {_with_random(rows)} in {' and '.join(of_random)}" if control else ""
        yield f"More than half goes to the token before and to the token after in {_each(counts)}{random}."


def _across(rows: ByModel, control: Mapping[str, Row]) -> Iterator[str]:
    """Yield the sentence on the share of attention that goes to the other text."""
    known = {name: of_model for name, of_model in rows.items() if of_model[0]["across"] is not None}
    if known:
        shares = _each({name: percent(_mean(of_model, "across")) for name, of_model in known.items()})
        random = _random_share(rows, control, "across")
        yield f"From one text to words of the other goes {shares} of the attention{random}."


def _focused(maps: AttentionMaps, rows: Sequence[Row], control: Mapping[str, Row]) -> Iterator[str]:
    """Yield the sentence on the target of the head with the lowest entropy."""
    focused = min(rows, key=lambda row: _number(row, "entropy"))
    row = control.get("entropy")
    least = "" if row is None else f"; with random weights the least is {decimal(_number(row, 'random_lowest'), 2)}"
    yield (
        f"The most focused head, {_name(focused)}, attends {_target(focused)}; its entropy is "
        f"{decimal(_number(focused, 'entropy'), 2)} nats, and could be {decimal(log(len(maps.tokens)), 2)}"
        f"{least}."
    )


def _most_received(tables: Mapping[str, Table]) -> Iterator[str]:
    """Yield the sentence on the word that receives most attention, special tokens excluded."""
    words = [row for row in tables["tokens"].rows() if not row["special"]]
    if words:
        best = max(words, key=lambda row: row["received"])
        random = "" if best["random"] is None else f", with random weights {percent(best['random'])}"
        yield (
            f"Of the words, {quoted(best['token'])} receives most: {percent(best['received'])} over all heads{random}."
        )


def _headline(models: Sequence[AttentionMaps], tables: Mapping[str, Table]) -> tuple[str, dict[str, float]]:
    rows = tables["heads"].rows()
    compared = [row for row in rows if row["difference"] is not None]
    if compared:
        top = max(compared, key=lambda row: row["difference"])
        if top["difference"] < _SAME:
            return "The two do not differ in this text.", {"difference": float(top["difference"])}
        return f"The two differ most in {_name(top)}.", {"difference": float(top["difference"])}
    of_first = f" in {models[0].name}" if len(models) > 1 else ""
    if models[0].special.any():
        special = _mean([row for row in rows if row["model"] == models[0].name], "special")
        return f"Special tokens receive {percent(special)} of the attention of the others{of_first}.", {
            "special": special
        }
    best = max(tables["tokens"].rows(), key=lambda row: row["received"])
    return f"{quoted(best['token'])} receives {percent(best['received'])} of the attention{of_first}.", {
        "received": best["received"]
    }


def _difference(tables: Mapping[str, Table]) -> Iterator[str]:
    compared = {(row["layer"], row["head"]): row["difference"] for row in tables["heads"].rows()}
    known = [float(value) for value in compared.values() if value is not None]
    if known:
        yield (
            f"Their heads differ by {significant(float(np.mean(known)))} nats on average, by "
            f"{significant(max(known))} at most; two heads with nothing in common by {decimal(log(2), 2)}."
        )


def warnings(models: Sequence[AttentionMaps], packed: Sequence[PackedModel]) -> Iterator[Finding]:
    """Yield a warning for everything about attention maps that could mislead a reader.

    Two warnings always apply: attention is no explanation, and the numbers are of one text. Further warnings name heads
    that were pruned, rows that do not sum to 1, models that cannot be compared, and what the page leaves out to stay
    small.

    Args:
        models: the maps of one model or two, as they were read.
        packed: the same maps, as the page stores them.
    """
    yield Finding(
        "warning.explanation",
        "A weight says where a head reads, not what the model makes of it: a token with much attention may change "
        "nothing, and other weights can give the same answer (Jain and Wallace 2019; Wiegreffe and Pinter 2019). To "
        "see what a head is worth, leave it out: wordworth study heads.",
    )
    yield Finding(
        "warning.one_text",
        "This is one text. What a head does in general is a question to many: wordworth study patterns, study "
        "relations.",
    )
    for maps in models:
        yield from _removed(maps)
        yield from _row_sums(maps)
    if len({maps.shape for maps in models}) > 1:
        text = "The two models have different numbers of layers or heads, so that their heads are not compared."
        yield Finding("warning.shapes", text)
    if len(models) > 1 and models[0].tokens != models[1].tokens:
        yield Finding("warning.tokens", "The two models read other tokens, so that their heads are not compared.")
    for model in packed:
        yield from _left_out(model, several=len(packed) > 1)


def _removed(maps: AttentionMaps) -> Iterator[Finding]:
    """Yield a warning if heads of the model were pruned, as the tables say nothing of them."""
    if lost := int((~maps.present).sum()):
        text = (
            f"{lost} of {count_of(maps.present.size, 'head')} were removed from {maps.name}: nothing is said of them."
        )
        yield Finding("warning.removed", text, {"removed": lost})


def _row_sums(maps: AttentionMaps) -> Iterator[Finding]:
    kept = [layer[present] for layer, present in zip(maps.weights, maps.present, strict=True) if present.any()]
    sums = np.array([(layer.sum(-1).min(), layer.sum(-1).max()) for layer in kept])
    low, high = float(sums[:, 0].min()), float(sums[:, 1].max())
    if low < 1 - _SUM or high > 1 + _SUM:
        text = (
            f"Rows of {maps.name} sum to between {decimal(low, 2)} and {decimal(high, 2)}, not to 1: figures are of "
            "the weights as they are."
        )
        yield Finding("warning.row_sums", text, {"low": low, "high": high})


def _left_out(model: PackedModel, *, several: bool) -> Iterator[Finding]:
    """Yield a warning for each part of a model's maps that the page leaves out to stay below 3 MB.

    The tables are computed from the whole maps.
    """
    name = f" of {model.maps.name}" if several else ""
    weights, layers = model.weights, model.maps.shape[0]
    if len(weights.layers) < layers:
        numbers = ", ".join(str(layer + 1) for layer in weights.layers)
        text = (
            f"The drawings{name} have {len(weights.layers)} of {layers} layers, so that the page stays small: "
            f"{numbers}."
        )
        yield Finding("warning.layers", text, {"layers": [layer + 1 for layer in weights.layers]})
    if weights.threshold:
        text = (
            f"The drawings{name} leave out weights under {weights.smallest_kept:.4f}, so that the page stays small: "
            f"{percent(weights.lost)} of the attention. Tables and figures have all of it."
        )
        yield Finding("warning.small_weights", text, {"least": weights.smallest_kept, "lost": weights.lost})
    tokens = len(model.maps.tokens)
    kept = 0 if model.vectors is None else model.vectors.tokens
    if model.maps.vectors is not None and kept < tokens:
        which = f"there for the first {kept} of {tokens} tokens" if kept else "left out"
        text = f"Queries and keys{name} are {which}, so that the page stays small."
        yield Finding("warning.vectors", text, {"tokens": kept})


def method(models: Sequence[AttentionMaps], units: str, *, from_arrays: bool) -> Iterator[Finding]:
    """Yield the findings that describe how attention maps were read and measured.

    Args:
        models: the maps as they were read.
        units: whether heads are measured between `words` or `pieces`.
        from_arrays: True if the maps are arrays that the user gave, False if they were read from a model.
    """
    read = (
        "The maps are the softmax of q·k/√d of every head, plus a bias of positions where the model has one, read from "
        "the exact model in one pass, without dropout."
    )
    yield Finding(
        "reading",
        "Weights are drawn from one byte each: off by at most 0.004.",
    )
    yield Finding(
        "method.maps",
        f"{'The maps are arrays from elsewhere, as they are.' if from_arrays else read} On the page a weight is stored "
        "as the root of it in 255 steps, off by at most 0.004.",
    )
    if units == "words" and any(maps.words is not None for maps in models):
        yield Finding(
            "method.words",
            "To a word goes the sum over its pieces, from a word the mean over them (Clark et al. 2019), so that rows "
            "still sum to 1. A drawn word of k pieces is off by at most 0.004 times the root of k.",
        )
    if not from_arrays:
        yield Finding(
            "method.control",
            "Beside the first model stand the same figures of its shape with random weights, for the same text: what "
            "they show too needs no training. They are one draw, so that the highest of its heads is a matter of luck.",
        )
    yield Finding(
        "method.special",
        "Figures of a head are means over tokens that are not special. Hiding special tokens on the page scales "
        "nothing up: what they hold is written below the drawing.",
    )


def _name(row: Row) -> str:
    return f"layer {row['layer']}, head {row['head']}"


def _target(row: Row) -> str:
    """Return in words what a head attends to most: the token itself, a neighbour, or one token of the text."""
    at = {"self": "to the token itself", "previous": "to the token before", "next": "to the token after"}
    for name, words in at.items():
        if _number(row, name) > _HALF:
            return f"{words} ({percent(_number(row, name))})"
    return f"to {quoted(str(row['top']))} ({percent(_number(row, 'top_share'))})"


def _mean(rows: Sequence[Row], name: str) -> float:
    return float(np.mean([_number(row, name) for row in rows]))


def _number(row: Row, name: str) -> float:
    return float(row[name])  # type: ignore[arg-type]  # a column of numbers
