"""Check a data set for problems that would make scores misleading, and count them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from wordworth.json_file import parse_json
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of, join_words, percent, some_of, within
from wordworth.tasks.checks.distribution_shift import Differences, part_differences
from wordworth.tasks.checks.duplicates import conflicts, empty, groups, plain, repeats
from wordworth.tasks.checks.extreme_labels import extreme_labels
from wordworth.tasks.checks.label_leakage import leaks
from wordworth.tasks.checks.near_duplicates import LEAST_OVERLAP, nearest_duplicates
from wordworth.tasks.labels import memberships
from wordworth.tasks.reading.labelled_rows import LabelledRows, is_no_answer
from wordworth.tasks.reading.parse_numbers_with_units import amounts
from wordworth.tasks.task import Rows, Task

__all__ = ["Differences", "checks", "overlap_rows", "part_differences"]

FEW_EXAMPLES = 5
LONG_TEXT = 10_000
_EXCERPT_LENGTH = 80
_SURELY, _FAR, _UNSEEN = 0.001, 0.05, 0.02


def checks(task: Task, rows: LabelledRows, seed: int = 0) -> tuple[Finding, ...]:
    """Return a finding, named `warning.*`, for each problem of the data that would make scores misleading.

    Such problems are duplicate texts, test texts that are also in the training part, label leakage, rare classes,
    extreme labels, and a test part that differs from the training part.

    Args:
        task: the task, split into a training and a test part.
        rows: the rows of the task's files; example i of the task is row i.
        seed: the seed of the run, which `part_differences` uses.
    """
    tagged = task.type.labels_words
    held_out = task.on_split(0)
    of_texts = (_texts(task, rows), _duplicates(task, rows), _overlap(task))
    results = (*of_texts, _classes(task), extreme_labels(task, rows), leaks(held_out, rows))
    findings = tuple(finding for group in results for finding in group)
    # folds are drawn at random from the same rows, so that they differ by chance alone
    return findings if task.folds else (*findings, *_differences(part_differences(task, seed), tagged=tagged))


def overlap_rows(task: Task) -> Rows:
    """Return the test rows with an exact or near duplicate in the training part, int64 [n], ascending.

    Args:
        task: the task.
    """
    return task.test[_training_duplicates(task) >= 0]


def _training_duplicates(task: Task) -> Rows:
    """Return, for each row of `task.test`, the row index of its duplicate among the training rows, or -1; int64 [n].

    With folds, a test row is compared with the rows of the other folds.
    """
    texts, duplicate = tuple(plain(task.examples)), np.full(len(task.examples), -1, dtype=np.int64)
    for train, test in task.splits:
        index = _cached_duplicates(texts, test.tobytes(), train.tobytes())
        duplicate[test] = np.where(index >= 0, train[index], -1)
    return duplicate[task.test]


@lru_cache(maxsize=10)
def _cached_duplicates(texts: tuple[str, ...], test: bytes, train: bytes) -> Rows:
    """Return the `nearest_duplicates` of test texts among training texts, as indices into `train`, or -1; int64 [test].

    The last results are cached, because a study needs them twice, for its warnings and for its conditions.

    Args:
        texts: the texts of all rows, as `plain` returns them.
        test: the bytes of an int64 array with the indices of the test rows.
        train: the bytes of an int64 array with the indices of the training rows.
    """
    test_rows, train_rows = (np.frombuffer(part, dtype=np.int64) for part in (test, train))
    return nearest_duplicates([texts[row] for row in test_rows], [texts[row] for row in train_rows])


def _texts(task: Task, rows: LabelledRows) -> Iterator[Finding]:
    yield from _empty_texts(task, rows)
    written = [text for text in task.examples.first if text.strip()]
    if written and amounts(written[:1]) is not None and amounts(written) is not None:
        text = "Every text is a number, and no rung reads numbers as amounts: is this the column of the texts?"
        yield Finding("warning.number_texts", text, {"rows": len(task.examples)})
    if written and all(_is_object(text) for text in written):
        text = "Every text is a JSON object, whose names are read as words: make the field with the text a column."
        yield Finding("warning.object_texts", text, {"rows": len(task.examples)})
    second = task.examples.second
    if second is not None and len(set(second)) == 1:
        text = "Every second text is the same: the task is about the first alone."
        yield Finding("warning.constant_text", text, {"rows": len(second)})
    lengths = np.array([len(text) for text in task.examples.first])
    long = int((lengths > LONG_TEXT).sum())
    if long:
        longest = int(lengths.argmax())
        many = count_of(long, "text has", "texts have")
        text = f"{many} over {LONG_TEXT:,} characters, one {lengths[longest]:,} ({rows.name_and_line(longest)})."
        yield Finding("warning.long_texts", text, {"rows": long, "longest": int(lengths[longest])})


def _is_object(text: str) -> bool:
    try:
        return text.lstrip().startswith("{") and isinstance(parse_json(text), dict)
    except ValueError:
        return False


def _empty_texts(task: Task, rows: LabelledRows) -> Iterator[Finding]:
    """Warn of empty texts, and of their different labels: the warning of conflicting labels leaves empty rows out."""
    lacking = [row for row, text in enumerate(task.examples.first) if not text.strip()]
    if not lacking:
        return
    where = rows.name_and_line(lacking[0])
    first = "the first: " if len(lacking) > 1 else ""
    text = f"{count_of(len(lacking), 'text is', 'texts are')} empty ({first}{where}) and kept"
    numbers = {"rows": len(lacking), "first": where}
    texts = plain(task.examples)
    alike = np.array([row for row in lacking if empty(texts[row])], dtype=np.int64)
    lost = conflicts(np.zeros(len(alike), dtype=np.int64), task.gold(alike)).lost
    if lost:
        text = f"{text}, with different labels: one prediction for all of them is wrong for {lost:,}"
        numbers |= {"lost": lost}
    yield Finding("warning.empty_texts", f"{text}.", numbers)


def _duplicates(task: Task, rows: LabelledRows) -> Iterator[Finding]:
    texts = plain(task.examples)
    written = np.array([row for row, text in enumerate(texts) if not empty(text)], dtype=np.int64)
    group = groups([texts[row] for row in written])
    again = repeats(group)
    if again:
        text = f"{again:,} of {len(texts):,} rows {'repeats' if again == 1 else 'repeat'} an earlier text."
        yield Finding("warning.duplicates", text, {"rows": again, "of": len(texts)})
    clash = conflicts(group, task.gold(written))
    if clash.texts:
        example = written[list(clash.example)].tolist()
        excerpt = within(task.examples.first[example[0]], _EXCERPT_LENGTH)
        first, second = (rows.name_and_line(row) for row in example[:2])
        file, _, _ = first.rpartition(", ")
        locations = f"{first} and {second.removeprefix(f'{file}, ')}"
        many = count_of(clash.texts, "text is", "texts are")
        text = f"{many} in these {len(texts):,} rows with different labels, such as {excerpt!r} ({locations})"
        numbers = {"texts": clash.texts, "rows": clash.rows, "lost": clash.lost, "share_lost": clash.lost / len(texts)}
        yield Finding(
            "warning.conflicts",
            f"{text}: one prediction for each text is wrong for {clash.lost:,} of these rows.",
            numbers,
        )


def _overlap(task: Task) -> Iterator[Finding]:
    twins_of = _training_duplicates(task)
    texts = plain(task.examples)
    rows = np.array([n for n in np.flatnonzero(twins_of >= 0) if not empty(texts[task.test[n]])], dtype=np.int64)
    if not len(rows):
        return
    test_twins, train_twins = task.test[rows], twins_of[rows]
    exact = sum(texts[a] == texts[b] for a, b in zip(test_twins, train_twins, strict=True))
    same = sum(np.array_equal(task.labels[a], task.labels[b]) for a, b in zip(test_twins, train_twins, strict=True))
    near = len(rows) - exact
    overlap = f"by {percent(LEAST_OVERLAP)} or more"
    kinds = [count_of(exact, "is the same text", "are the same text")] if exact else []
    kinds += [count_of(near, f"overlaps {overlap}", f"overlap {overlap}")] if near else []
    excerpts = dict.fromkeys(_excerpt(task, row) for row in (test_twins[0], train_twins[0]))
    text = (
        f"{some_of(len(rows), len(task.test), 'test texts has', 'test texts have')} a duplicate among the training "
        f"texts: {', '.join(kinds)}; {count_of(same, 'has', 'have')} the same label. An example: "
        f"{' and '.join(map(repr, excerpts))}."
    )
    if 2 * len(rows) > len(task.test):
        text = f"Scores here may be memory. {text}"
    numbers = {"rows": len(rows), "exact": exact, "near": near, "same_label": same, "test": len(task.test)}
    yield Finding("warning.overlap", text, numbers)


def _classes(task: Task) -> Iterator[Finding]:
    rows, classes = memberships(task.labels)
    counts = np.bincount(classes[np.isin(rows, task.train)], minlength=len(task.classes))
    named = zip(task.classes, counts.tolist(), strict=True)
    few = [(name, n) for name, n in named if 0 < n < FEW_EXAMPLES and not (task.type.labels_words and name[:2] == "I-")]
    if few:
        listing = ", ".join(f"{name!r} ({n})" for name, n in few[:8]) + (" and others" if len(few) > 8 else "")  # noqa: PLR2004 - a line's worth
        text = f"Classes with fewer than {FEW_EXAMPLES} training examples: {listing}; scores for them mean little."
        yield Finding("warning.rare_classes", text, {"classes": dict(few)})
    yield from _spellings(task.classes)


def _spellings(classes: Sequence[str]) -> Iterator[Finding]:
    """Warn about classes that may be two spellings of one class, and classes that may stand for a missing label."""
    by_form: dict[str, list[str]] = {}
    for name in classes:
        by_form.setdefault(_normal_form(name), []).append(name)
    alike = [names for names in by_form.values() if len(names) > 1]
    if alike:
        listing = "; ".join(", ".join(map(repr, names)) for names in alike[:4])
        mend = "They count as different classes until all rows spell them alike."
        text = f"Classes that may be one, spelt differently: {listing}. {mend}"
        yield Finding("warning.similar_classes", text, {"classes": alike})
    missing = [name for name in classes if is_no_answer(name)]
    if missing:
        counts = "counts as a class; if it means" if len(missing) == 1 else "count as classes; if they mean"
        text = f"{join_words(list(map(repr, missing)))} {counts} “no label”, leave such rows out."
        yield Finding("warning.missing_classes", text, {"classes": missing})


def _normal_form(name: str) -> str:
    """Return a form of a class name that is equal for different spellings of the class.

    The form of a number is the value that `float` reads. The form of another name is its letters and digits in lower
    case, or the name itself if it has none.
    """
    try:
        return f"{float(name):g}"
    except ValueError:
        plain = "".join(letter for letter in unicodedata.normalize("NFKC", name).casefold() if letter.isalnum())
        return plain or name


def _differences(differences: Differences, *, tagged: bool) -> Iterator[Finding]:
    if differences.class_p < _SURELY and differences.class_distance > _FAR:
        labels, each = ("tags", " of the words") if tagged else ("labels", "")
        change = f"{percent(differences.changed)}{each} would have to change"
        text = f"The test part has other {labels} than the training part: {change}"
        if differences.furthest:
            name, train, test = differences.furthest
            text += f"; {name!r} holds {percent(train)}{each} in training and {percent(test)} in test"
        numbers = {"distance": differences.class_distance, "changed": differences.changed, "p": differences.class_p}
        yield Finding("warning.class_shares", text + ".", numbers)
    if differences.unseen - differences.unseen_expected > _UNSEEN and differences.unseen_p < _SURELY:
        text = (
            f"{percent(differences.unseen, 1)} of the test part's words are new to the training part, where "
            f"{percent(differences.unseen_expected, 1)} would be expected: it comes from elsewhere, or from later."
        )
        yield Finding(
            "warning.vocabulary", text, {"unseen": differences.unseen, "expected": differences.unseen_expected}
        )


def _excerpt(task: Task, row: int) -> str:
    """Return the beginning of an example's text for a reader; for a pair, the beginnings of both texts."""
    parts = filter(None, (task.examples.first, task.examples.second))
    return " / ".join(within(part[row], _EXCERPT_LENGTH) for part in parts)
