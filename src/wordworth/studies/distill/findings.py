"""The findings of a record of kind `distill`: the student's score, its gain by the teacher, warnings, the method."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, join_words, percent, points, signed
from wordworth.studies.distill.comparison import Comparison, Measured
from wordworth.studies.distill.settings import BILSTM, CONTROL, DEV_SHARE, TEACHER_LAYERS
from wordworth.studies.distill.tables import Size
from wordworth.training.finetuning.dev_split import LEAST_DEV

Facts = Mapping[str, Any]
_FEW_ROWS, _FEW_SEEDS = 200, 5
_MEGABYTE = 1e6


def findings_of(comparison: Comparison, sizes: tuple[Size, Size], facts: Facts) -> list[Finding]:
    """Return the findings of a `distill` record: the verdict, the warnings and the description of the method.

    Warnings about the rows are not among them; `Task.warnings` has them.

    Args:
        comparison: the scores of the students and their teacher.
        sizes: the sizes of the teacher and of a student.
        facts: the description of the data in the record.
    """
    return [
        _verdict(comparison, sizes, facts),
        *_order(comparison, facts),
        *_noise(comparison, facts),
        *_warnings(comparison, facts),
        *_method(comparison, facts),
    ]


def _verdict(comparison: Comparison, sizes: tuple[Size, Size], facts: Facts) -> Finding:
    student, title = comparison.measured[-1], facts["metric_title"]
    name = student.name
    shape = _shape(facts)
    if student.change_from_teacher is None:
        text = f"No student of {shape} by {name} was written: every run failed. A lower learning rate helps."
        return Finding("verdict", text, {"headline": "No student was written.", "method": name})
    score = float(student.scored.values.mean())
    runs = count_of(len(student.scored.values), "seed")
    scores = (
        f"{title[:1].upper()}{title[1:]} of a student of {shape}, taught by {name}, is {points(score)} in the mean of "
        f"{runs} ({points(student.scored.low)} to {points(student.scored.high)}) on {facts['test']:,} test rows; the "
        f"teacher has {points(comparison.teacher)}: {student.change_from_teacher.in_points()}."
    )
    sentences = [scores, *_gain_sentence(student, comparison), _size_sentence(sizes)]
    numbers = {"method": name, "score": score, "teacher": comparison.teacher, "loss": student.change_from_teacher.value}
    numbers |= {} if student.gain is None else {"gain": student.gain.value, **student.gain.interval.columns("gain_")}
    gained = ""
    if student.gain is not None:
        numbers["gained"] = _gain_in_words(student)
        gained = f"; {numbers['gained']}"
    headline = f"{shape[:1].upper()}{shape[1:]}, {signed(student.change_from_teacher.value)} points{gained}."
    return Finding("verdict", "\n".join(sentences), {"headline": headline, **numbers})


def _gain_in_words(student: Measured) -> str:
    """Return a clause that says how many points students of a method gain by having a teacher."""
    assert student.gain is not None  # noqa: S101 - by the callers
    if not student.gain.is_significant:
        return f"no gain or loss of {student.name} by its teacher is shown"
    verb = "gains" if student.gain.value > 0 else "loses"
    return f"{student.name} {verb} {points(abs(student.gain.value))} points by its teacher"


def _gain_sentence(student: Measured, comparison: Comparison) -> Iterator[str]:
    """Yield the sentence that compares students with students without a teacher, of the same start and seeds."""
    if student.gain is None:
        if student.name != CONTROL:
            yield "No student without a teacher was trained beside it, so that what the teacher gave is not known."
        return
    control = next(each for each in comparison.measured if each.name == CONTROL)
    mean, first = points(float(control.scored.values.mean())), ""
    if comparison.start is not None:
        first = f" The teacher's first layers without training have {points(comparison.start)}."
    yield (
        f"The same student without a teacher has {mean}, a difference of {student.gain.in_points()}: "
        f"{_gain_in_words(student)}.{first}"
    )


def _size_sentence(sizes: tuple[Size, Size]) -> str:
    teacher, student = sizes
    saved = percent(1 - student.parameters / teacher.parameters)
    text = f"Its encoder has {student.parameters:,} of {teacher.parameters:,} parameters, {saved} fewer"
    if student.bytes is None or teacher.bytes is None:
        return f"{text}."
    return (
        f"{text}; its weights take {student.bytes / _MEGABYTE:.1f} MB, the teacher's {teacher.bytes / _MEGABYTE:.1f}."
    )


def _order(comparison: Comparison, facts: Facts) -> Iterator[Finding]:
    """Yield a finding that lists the methods from the lowest score to the highest, if several were compared."""
    scored = [each for each in comparison.measured if len(each.scored.values)]
    if len(scored) < 2:  # noqa: PLR2004 - an order needs two
        return
    scored.sort(key=lambda each: float(each.scored.values.mean()))
    listed = join_words([f"{each.name} {points(each.scored.values.mean())}" for each in scored])
    gains = [each for each in scored if each.gain is not None]
    sure = [each.name for each in gains if each.gain is not None and each.gain.is_significant]
    gained = f"of {join_words(sure)}" if sure else "of none of them"
    beside = f" Beside {CONTROL} a difference is shown {gained}." if gains else ""
    yield Finding("order", f"From the lowest {facts['metric_title']} to the highest: {listed}.{beside}")


def _noise(comparison: Comparison, facts: Facts) -> Iterator[Finding]:
    """Yield a finding on the standard deviation of an accuracy that the number of test rows implies."""
    if facts["metric"] != "accuracy":
        return
    deviation = noise_floor(comparison.teacher, facts["test"])
    text = (
        f"The {facts['test']:,} test rows alone give an accuracy of {points(comparison.teacher)} a standard deviation "
        f"of {points(deviation)} points, √(p(1−p)/n); differences of models on the same rows have a smaller one."
    )
    yield Finding("noise", text, {"deviation": deviation})


def noise_floor(accuracy: float, rows: int) -> float:
    """Return the standard deviation of an accuracy over random test rows, √(p(1−p)/n), from 0 to 1.

    Args:
        accuracy: the accuracy p, from 0 to 1.
        rows: the number of test rows, n.

    >>> round(100 * noise_floor(0.694, 277), 1)
    2.8
    """
    return math.sqrt(accuracy * (1 - accuracy) / rows)


def _warnings(comparison: Comparison, facts: Facts) -> Iterator[Finding]:
    if facts["test"] < _FEW_ROWS:
        text = f"{facts['test']} test rows: changes of a few points cannot be told from luck."
        yield Finding("warning.few_rows", text, {"rows": facts["test"]})
    if facts["seeds"] < _FEW_SEEDS:
        text = f"{count_of(facts['seeds'], 'seed')}: how far other seeds would differ is hardly known; five say more."
        yield Finding("warning.few_seeds", text, {"seeds": facts["seeds"]})
    if not facts["dev"]:
        few = f"{percent(DEV_SHARE)} of {facts['train']:,} training rows is fewer than {LEAST_DEV}"
        text = f"There was no dev part ({few}): each student keeps its last weights, and the one with the lowest "
        yield Finding("warning.no_dev", f"{text}training loss is written.", {"train": facts["train"]})
    for each in comparison.measured:
        odd = [run.state for run in each.students.results if run.state != "finished"]
        if odd:
            text = f"{len(odd)} of {count_of(len(each.students.results), 'run')} by {each.name} "
            yield Finding("warning.runs", f"{text}failed, or predict the same for every text.", {"states": odd})
    if facts["cut"]:
        text = f"{count_of(facts['cut'], 'text is', 'texts are')} longer than the {facts['tokens']} tokens that "
        yield Finding("warning.cut", f"{text}teacher and student read, and cut.", {"texts": facts["cut"]})


def _shape(facts: Facts) -> str:
    """Return in words the architecture of a student: a BiLSTM, or a number of the teacher's layers."""
    if facts["start"] == BILSTM:
        return f"a BiLSTM of {count_of(facts['layers'], 'layer')}"
    return f"{facts['layers']} of {count_of(facts['teacher_layers'], 'layer')}"


def _start(facts: Facts) -> str:
    """Return a sentence on how a student is initialised."""
    if facts["start"] == BILSTM:
        return (
            "A student begins as a new BiLSTM, 512 cells in each direction, over the teacher's word embeddings, which "
            "are trained with it; its states are max-pooled under a new output layer (Adhikari et al. 2019)."
        )
    shape = f"{facts['layers']} of {facts['teacher_layers']}"
    if facts["start"] == TEACHER_LAYERS:
        return (
            f"A student begins as the teacher's first layers, {shape}, under the teacher's own output layer, as "
            "wordworth prune writes it. Sun et al. (2019) begin from the first layers of the pretrained model: "
            "the option start with the value pretrained."
        )
    return (
        f"A student begins as the first layers, {shape}, of the model that the teacher was fine-tuned from, under a "
        "new output layer (Sun et al. 2019)."
    )


def _method(comparison: Comparison, facts: Facts) -> Iterator[Finding]:
    """Yield the findings that describe the method of distillation."""
    yield Finding("method.start", _start(facts))
    for each in comparison.measured:
        method = each.students.method
        yield Finding("method.loss", f"{method.name}: {method.formula} ({method.source}).")
    chosen = "no other rows chose anything"
    if facts["dev"]:
        chosen = f"{facts['dev']:,} other rows chose the weights that are kept and the student that is written"
    yield Finding(
        "method.runs",
        f"{count_of(facts['seeds'], 'run')} of each method, which differ in the order of the rows and in dropout; the "
        f"teacher answered the {facts['train']:,} training rows once; {chosen}; the test rows decided "
        "nothing. Weights of the losses were not chosen on these rows: they are fixed for each method.",
    )
    yield Finding(
        "method.interval",
        "Intervals are 95 % bootstrap intervals over seeds and test rows; differences are of models on the same rows, "
        "gains also of the same seeds. Whether a gain is shown is decided at a level corrected for the number of "
        "methods (Bonferroni). Times are of one thread, teacher and student in turn.",
    )
