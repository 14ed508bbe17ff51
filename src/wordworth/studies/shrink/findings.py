"""The findings of the study `shrink`: the smallest model within the margin, warnings and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, join_words, percent, points, points_phrase, signed_with_range
from wordworth.studies.labelled_rows_settings import few_rows
from wordworth.studies.shrink.compressed_vectors import NEIGHBOURS, RESCORED
from wordworth.studies.shrink.non_inferiority import Judged, Judgement
from wordworth.tasks.task import Task

Facts = Mapping[str, Any]
_MOST_NAMED = 4
_MODELS, _FORMS = "models", "forms of stored vectors"


def verdict(models: Judgement, vectors: Judgement | None, facts: Facts) -> Finding:
    """Return the finding `verdict`: the smallest model, and form of vectors, whose loss is within the margin.

    If the whole model is not significantly better than the constant answer, the verdict says so and names no model.

    Args:
        models: the judgement of models.
        vectors: the judgement of the forms of vectors; None if vectors are not studied.
        facts: the `data` of the record.
    """
    lines = [" ".join(_sentences(models, facts, _MODELS))]
    numbers = {
        "headline": _headline(models),
        "margin": models.margin,
        "level": models.level,
        **_numbers(models, "model"),
    }
    if vectors is not None:
        lines.append(" ".join(_sentences(vectors, facts, _FORMS)))
        numbers |= _numbers(vectors, "vectors")
    return Finding("verdict", "\n".join(lines), numbers)


def _headline(models: Judgement) -> str:
    if not models.beats_constant:
        return "Nothing to shrink: the whole model does not surely beat a constant answer."
    if models.smallest_within_margin is not None:
        return f"Enough: {models.smallest_within_margin.variant.name}."
    return "Cannot tell yet." if models.undecided else "Keep the whole model."


def _numbers(judgement: Judgement, what: str) -> dict[str, Any]:
    smallest = judgement.smallest_within_margin if judgement.beats_constant else None
    numbers = {what: None if smallest is None else smallest.variant.name, f"{what}_undecided": len(judgement.undecided)}
    above = judgement.whole.variant.above_constant
    if above is None:
        return numbers
    ends = above.interval.columns(f"{what}_above_constant_")
    return numbers | {f"{what}_beats_constant": judgement.beats_constant, f"{what}_above_constant": above.value, **ends}


def _sentences(judgement: Judgement, facts: Facts, what: str) -> Iterator[str]:
    if not judgement.beats_constant:
        yield _below_constant(judgement, facts, what)
        return
    smallest = judgement.smallest_within_margin
    allowed = f"{points_phrase(judgement.margin)} of {facts['metric_title']}"
    others = len(judgement.judged) - 1
    if smallest is not None:
        share = percent(smallest.variant.num_bytes / judgement.whole.variant.num_bytes)
        yield (
            f"Of {others} smaller {what}, {smallest.variant.name} is the smallest that surely stays within {allowed} "
            f"of the whole one ({points(judgement.whole.variant.score)}): {_change(smallest, judgement)}, with {share} "
            "of the bytes."
        )
    else:
        yield f"Of {others} smaller {what}, none surely stays within {allowed} of the whole one."
    undecided = judgement.undecided
    if undecided:
        listed = join_words([each.variant.name for each in undecided], _MOST_NAMED)
        yield f"Of {'smaller ones, ' if smallest else ''}{listed}, these rows cannot tell.{_rows_needed(undecided)}"
    beyond = [each for each in judgement.judged if each.within == "no"]
    if beyond:
        yield f"{count_of(len(beyond), 'costs', 'cost')} more than that beyond doubt."


def _below_constant(judgement: Judgement, facts: Facts, what: str) -> str:
    """Return the sentence on a whole model that is not significantly better than the constant answer."""
    whole, name = judgement.whole.variant, {_MODELS: "The whole model", _FORMS: "The whole vector"}[what]
    assert whole.above_constant is not None  # noqa: S101 - by `beats_constant`
    above, ends = whole.above_constant.value, whole.above_constant.interval
    return (
        f"{name} ({points(whole.score)}) does not surely beat {facts['constant']}, which has "
        f"{points(whole.score - above)}: {signed_with_range(above, ends.low, ends.high)}. So nothing can be shrunk to "
        "advantage: no smaller one is named, and a better model is needed first."
    )


def _change(each: Judged, judgement: Judgement) -> str:
    ends = each.ends
    return signed_with_range(each.variant.change.value, ends.low, ends.high, judgement.level)


def _rows_needed(undecided: tuple[Judged, ...]) -> str:
    """Return the sentence on how many rows would decide about the smallest undecided model; empty if not known."""
    for each in undecided:
        if each.rows is not None:
            return (
                f" About {each.rows:,} measuring rows would, of {each.variant.name}, were its change the measured one."
            )
    return ""


def warnings(task: Task, facts: Facts) -> Iterator[Finding]:
    """Yield the warnings: few rows, a single fine-tuning run, texts that the model truncates, problems of the data."""
    yield from few_rows(task)
    if facts["is_run"]:
        text = "One fine-tuned run is shrunk, and intervals are over rows alone: another seed may lose more or less."
        yield Finding("warning.one_run", text)
        if facts["cut"]:
            text = f"{count_of(facts['cut'], 'text is', 'texts are')} longer than the {facts['tokens']} tokens that "
            yield Finding("warning.cut", f"{text}the model reads, and cut.", {"texts": facts["cut"]})
    yield from (finding for finding in task.warnings if finding.name != "method.split")  # `method` has the halves


def method(models: Judgement, facts: Facts) -> Iterator[Finding]:
    """Yield the findings that say how the numbers of a `shrink` record were computed."""
    chosen = "ranks the heads and teaches the static table's head" if facts["is_run"] else "teaches each model's head"
    if facts["by_cosine"]:
        chosen = "sets the ranges of int8 vectors; the cosine of both texts is the answer, with no head to learn"
    yield Finding(
        "method.halves",
        f"One half of the rows ({facts['choosing']:,}) {chosen}; the other ({facts['measuring']:,}) measures. No "
        "text is in both.",
    )
    others = len(models.judged) - 1
    yield Finding(
        "method.rule",
        f"A smaller model is enough if the interval of its change lies within the margin at a level of "
        f"{100 * models.level:.3g} %, corrected for {others} smaller models (Bonferroni), so that the smallest that "
        "passes, the one of the fewest bytes, may be named. Intervals are paired bootstrap intervals over rows.",
    )
    yield Finding(
        "method.sizes",
        "Bytes are those of the weights in their number type; in int8 those of the layers' maps, the rest in float32. "
        "Nothing is trained again, and each model is shrunk in one way alone: what is named may be shrunk further.",
    )
    yield Finding(
        "method.speed",
        "Milliseconds are from the characters of a text to its answer, on one thread, each model in turn with the "
        "whole one in float32. The price is the machine's for that time, in batches of 32.",
    )
    if facts["has_vectors"]:
        yield Finding("method.vectors", _vectors_method(facts))


def _vectors_method(facts: Facts) -> str:
    how = "Pairs are scored by the cosine of their vectors as they are stored."
    if not facts["by_cosine"]:
        how = (
            f"A text gets the labels of its {NEIGHBOURS} nearest among the choosing half, the i-th counting 1 / i. "
            f"Rescored bits put the {RESCORED} nearest in order by the query's own numbers (Yamada et al. 2021)."
        )
    ranges = "The ranges of int8 are those of the choosing half, number by number, and those beyond are cut."
    return f"{how} {ranges} Intervals are corrected for the number of forms, apart from the models."
