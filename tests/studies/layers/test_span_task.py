"""Tasks of spans as arrays: parts by document, labels, the control task."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.studies.layers.span_file import SpanFile, Target
from wordworth.studies.layers.span_task import span_task


def a_file(texts=60, documents=None, labels=("x", "y"), name="f"):
    words = [(f"w{number % 7}", "b", "c") for number in range(texts)]
    targets = [Target(number, ((0, 1),), (labels[number % len(labels)],)) for number in range(texts)]
    return SpanFile(words, range(texts) if documents is None else documents, targets, name, "0" * 64)


@settings(max_examples=30)
@given(st.integers(70, 99), st.integers(1, 4), st.integers(0, 3))
def test_no_document_is_in_two_parts(documents, each, seed):
    file = a_file(documents * each, np.repeat(np.arange(documents), each).tolist())
    task = span_task("t", "", {"all": file}, 10_000, seed)
    found = [{file.documents[text] for text in part} for part in task.parts]
    assert not any(found[a] & found[b] for a, b in ((0, 1), (0, 2), (1, 2)))
    assert sum(map(len, task.parts)) == len(file.texts)
    assert len(task.parts[0]) > len(task.parts[2]) > 0


def test_parts_of_their_own_are_kept_and_a_limit_draws_from_each():
    files = {part: a_file(100, name=part) for part in ("train", "test")}
    task = span_task("t", "", files, 40, 0)
    train, dev, test = task.parts
    assert (len(train), len(dev), len(test)) == (40, 10, 20)
    assert max(train.max(), dev.max()) < 100 <= test.min()
    again = span_task("t", "", files, 40, 1)
    assert set(again.parts[0]) != set(train)


def test_labels_and_targets_of_texts():
    task = span_task("t", "", {"all": a_file(60)}, 100, 0)
    assert task.classes == ("x", "y")
    assert task.exclusive
    assert task.targets_of(np.array([5, 2])).tolist() == [5, 2]
    assert task.labels[5].tolist() == [False, True]
    several = a_file(60)
    targets = [target._replace(labels=("x", "y") if target.text % 2 else ("x",)) for target in several.targets]
    assert not span_task(
        "t", "", {"all": SpanFile(several.texts, several.documents, targets, "f", "")}, 100, 0
    ).exclusive


def test_a_control_label_is_a_words_own_and_follows_the_frequencies():
    task = span_task("t", "", {"all": a_file(600, labels=("x", "x", "x", "y"))}, 10_000, 0)
    control = task.control_labels(0)
    words = np.array(task.types())
    for word in set(words):
        assert len(np.unique(control[words == word], axis=0)) == 1
    assert (control.sum(1) == 1).all()
    assert not np.array_equal(control, task.labels)
    shares = np.mean([task.control_labels(seed)[:, 0].mean() for seed in range(40)])
    assert shares == pytest.approx(0.75, abs=0.1)


def test_whole_texts_have_no_control_task():
    file = a_file(60)
    task = span_task("t", "", {"all": SpanFile(["a text"] * 60, file.documents, file.targets, "f", "")}, 100, 0)
    assert task.whole_texts
    assert task.control_labels(0) is None


@pytest.mark.parametrize(
    ("file", "what"),
    [
        (a_file(12), "only [0-9] texts? with targets"),
        (a_file(60, labels=("x",)), "every target has the same label: 'x'"),
        (
            SpanFile(
                [("a", "b")] * 60, range(60), [Target(n, ((0, 1),) * (1 + n % 2), ("x",)) for n in range(60)], "f", ""
            ),
            "some targets have one span and some two",
        ),
    ],
)
def test_what_cannot_be_probed_is_said(file, what):
    with pytest.raises(BadInput, match=what):
        span_task("t", "", {"all": file}, 100, 0)


def test_a_file_that_is_renamed_leaves_every_draw_as_it_was():
    one, other = (span_task(name, "", {"all": a_file(100, name=f"{name}.txt")}, 40, 0) for name in ("a", "b"))
    assert [part.tolist() for part in one.parts] == [part.tolist() for part in other.parts]
    assert one.seed_names == other.seed_names
    assert (one.control_labels(0) == other.control_labels(0)).all()


def test_tasks_on_the_same_texts_share_their_resamples_and_not_their_probes():
    one, other = (span_task("t", "", {"all": a_file(60, labels=labels)}, 40, 0) for labels in (("x", "y"), ("y", "z")))
    assert one.seed_names[1] == other.seed_names[1]
    assert one.seed_names[0] != other.seed_names[0]


def test_a_published_task_is_seeded_by_its_name():
    task = span_task("pos", "", {"all": replace(a_file(60), published=True)}, 40, 0)
    assert task.seed_names == ("pos", ("0" * 64,))
