"""The findings of the study `adaptation`: whether adapting may help, warnings, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wordworth.records import Finding, Table
from wordworth.sentence_formatting import count_of, decimal, join_words, percent, signed_decimal

TASK, CORPUS, CONTROL = "the task's texts", "the corpus", "the control"
"""The names of the texts on which losses are measured; of the corpus and the control, they are the held-out ones."""
_FEW_TEXTS = 100
Row = Mapping[str, Any]


def findings(facts: Mapping[str, Any], tables: Mapping[str, Table]) -> list[Finding]:
    """Return the findings of an `adaptation` record: the verdict, the warnings and the description of the method.

    Args:
        facts: the description of the data in the record.
        tables: the tables of the record.
    """
    rows = {row["texts"]: row for row in tables["texts"].rows()}
    overlap = {row["texts"]: row for row in tables["overlap"].rows()}
    of_model, own = tables["vocabularies"].rows()
    return [
        _verdict(rows[TASK], overlap[CORPUS], facts),
        *([_beside_control(rows[TASK])] if rows[TASK]["gain"] is not None else []),
        _words(overlap),
        _vocabulary(of_model, own),
        *_warnings(facts, rows),
        *_method(facts),
    ]


def _verdict(task: Row, overlap: Row, facts: Mapping[str, Any]) -> Finding:
    """Return the finding `verdict`: whether the trial run lowered the model's loss on the task's texts."""
    if task["change"] is None:
        shared = percent(overlap["overlap"])
        headline = f"The corpus has {shared} of the task's frequent words; what it teaches cannot be measured."
        text = f"{facts['model']} is no language model as it is ({facts['headless']}), so that there is no loss before."
        return Finding("verdict", text, {"headline": headline})
    if task["high"] < 0:
        headline = f"The corpus teaches {facts['model']} the task's language."
    elif task["low"] > 0:
        headline = f"The corpus takes {facts['model']} away from the task's language."
    else:
        headline = f"Whether the corpus teaches {facts['model']} the task's language cannot be told."
    change = f"{signed_decimal(task['change'])} ({signed_decimal(task['low'])} to {signed_decimal(task['high'])})"
    text = (
        f"{count_of(facts['steps'], 'step')} on it change what the task's texts cost by {change} bits a character, "
        f"from {decimal(task['before'])} to {decimal(task['after'])}."
    )
    return Finding("verdict", text, {"headline": headline, **{name: task[name] for name in ("change", "low", "high")}})


def _beside_control(task: Row) -> Finding:
    """Return the finding on whether the corpus lowered the loss more than text of another domain."""
    if task["gain_high"] < 0:
        what = "That is more than text of another domain teaches"
    elif task["gain_low"] > 0:
        what = "Text of another domain teaches more"
    else:
        what = "Whether text of another domain teaches as much cannot be told"
    ends = f"{signed_decimal(task['gain_low'])} to {signed_decimal(task['gain_high'])}"
    text = f"{what}: {signed_decimal(task['gain'])} bits a character beside the control ({ends})."
    return Finding("verdict.control", text, {name: task[name] for name in ("gain", "gain_low", "gain_high")})


def _words(overlap: Mapping[str, Row]) -> Finding:
    shares = [
        f"{percent(row['overlap'])} ({percent(row['least'])} to {percent(row['most'])}) in {name}"
        for name, row in overlap.items()
    ]
    text = (
        "Frequent words of one half of the task's texts that are also frequent in equally long other text: "
        f"{join_words(shares)}."
    )
    return Finding("verdict.words", text, {name: row["overlap"] for name, row in overlap.items()})


def _vocabulary(of_model: Row, own: Row) -> Finding:
    text = (
        f"The model cuts the task's words into {of_model['per_word']:.2f} pieces, a vocabulary of {own['size']:,} "
        f"pieces learned from the corpus into {own['per_word']:.2f}; the model has {percent(own['shared'])} of those."
    )
    numbers = {"per_word": of_model["per_word"], "own_per_word": own["per_word"], "shared": own["shared"]}
    return Finding("verdict.vocabulary", text, numbers)


def _warnings(facts: Mapping[str, Any], rows: Mapping[str, Row]) -> Iterator[Finding]:
    if facts["overlapping"]:
        text = (
            f"{count_of(facts['overlapping'], 'document')} of the corpus share 13 words in a row with the task and "
            "were left out: give adapting the test file to leave out, or scores are too high."
        )
        yield Finding("warning.overlap", text, {"documents": facts["overlapping"]})
    if rows[TASK]["number"] < _FEW_TEXTS:
        text = f"Only {count_of(rows[TASK]['number'], 'text')} of the task: intervals are wide."
        yield Finding("warning.few_texts", text)
    if not facts["is_whole"]:
        yield Finding("warning.beginning", "Only the beginning of the corpus was read, 5 million characters.")


def _method(facts: Mapping[str, Any]) -> Iterator[Finding]:
    yield Finding(
        "method.score",
        "Fewer bits are no higher score: they say that the model has something to learn from this text, not that the "
        "task needs it. Only fine-tuning both models says that.",
    )
    yield Finding(
        "method.bits",
        "Bits a character are those of the task's text under the model, from pieces that are masked one at a time "
        "(a model that reads one way is asked for the next piece). Intervals are 95 % bootstrap intervals over texts, "
        "of the same texts before and after. The trial run is one, with one seed; a whole run gains more.",
    )
    yield Finding(
        "method.overlap",
        f"Without the {facts['stop_words']} most frequent words; mean, least and most of {facts['splits']} random "
        "halves. The other half of the task says how much can be shared.",
    )
