"""Windows of dialogues: neighbouring turns with roles, half of them with a turn of another dialogue."""

import numpy as np
import pytest
from tests.text.corpus.dialogue_files import dialogues, write

from wordworth.errors import BadInput
from wordworth.text.corpus.dialogue_store import build_dialogue_store, read_speakers
from wordworth.text.corpus.pretraining_sequences import InstanceStream, gather_texts
from wordworth.text.corpus.samplers.dialogues import DialogueWindows
from wordworth.text.tokenizer import Tokenizer


def store_of(folder, rows):
    return build_dialogue_store(write(folder, rows), Tokenizer.read(folder / "tok"), folder / "store")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return store_of(tmp_path_factory.mktemp("windows"), dialogues(400))


@pytest.fixture(scope="module")
def plan(store):
    return DialogueWindows(store=store, length=32).plan(0)


def turn_numbers(store, plan):
    """The number of each turn of each sequence; -1 where there is none."""
    starts, ends = plan.texts[..., 0], plan.texts[..., 1]
    return np.where(ends > starts, np.searchsorted(store.sentences, starts), -1)


def documents(store, turns):
    return np.searchsorted(store.documents, turns, side="right") - 1


def test_a_real_dialogue_is_two_or_three_neighbouring_turns_of_one_dialogue(store, plan):
    turns = turn_numbers(store, plan)[plan.labels == 0]
    assert set((turns >= 0).sum(axis=1)) == {2, 3}
    owner = documents(store, turns)
    assert (owner[:, 0] == owner[:, 1]).all()
    assert (np.diff(turns[:, :2]) == 1).all()
    three = turns[:, 2] >= 0
    assert (np.diff(turns[three]) == 1).all()
    assert (owner[three, 0] == owner[three, 2]).all()


def test_roles_are_q_for_who_begins_and_r_for_others_in_every_pattern(store, plan):
    turns, speakers = turn_numbers(store, plan), read_speakers(store)
    real = plan.labels == 0
    for row, roles in zip(turns[real], plan.segments[real], strict=True):
        there = row[row >= 0]
        assert roles[: len(there)].tolist() == [int(speakers[turn] != speakers[there[0]]) for turn in there]
    three = (turns[real] >= 0).all(axis=1)
    assert {(0, 1, 0), (0, 1, 1), (0, 0, 1)} <= set(map(tuple, plan.segments[real][three].tolist()))


def test_a_fake_dialogue_has_one_turn_of_another_dialogue_and_keeps_the_role(store, plan):
    turns = turn_numbers(store, plan)[plan.labels == 1]
    strange, places = 0, set()
    for row in turns:
        owner = documents(store, row[row >= 0])
        values, counts = np.unique(owner, return_counts=True)
        assert len(values) == 2
        if len(owner) == 3:
            assert sorted(counts) == [1, 2]
            places.add(int(np.flatnonzero(owner == values[counts == 1])[0]))
        strange += 1
    assert places == {0, 1, 2}
    assert abs(strange / len(plan) - 0.5) < 3 * 0.5 / np.sqrt(len(plan))


def test_every_dialogue_is_read_in_every_pass_and_passes_differ(store, plan):
    windows = DialogueWindows(store=store, length=32)
    real = turn_numbers(store, plan)[plan.labels == 0]
    assert len(np.unique(documents(store, real[:, 0]))) > 200
    assert np.array_equal(windows.plan(0).texts, plan.texts)
    assert not np.array_equal(windows.plan(1).labels, plan.labels)


def test_sequences_have_a_sep_behind_each_turn_and_fit(store, plan):
    made = gather_texts(store, plan.texts, plan.segments, plan.labels)
    sep, cls = store.vocabulary.special_ids["sep"], store.vocabulary.special_ids["cls"]
    for number in range(50):
        ids = made.ids[made.starts[number] : made.starts[number + 1]]
        segments = made.segments[made.starts[number] : made.starts[number + 1]]
        count = (turn_numbers(store, plan)[number] >= 0).sum()
        assert (ids[0], ids[-1], (ids == sep).sum(), (ids == cls).sum()) == (cls, sep, count, 1)
        ends = np.flatnonzero(ids == sep)
        assert segments[ends].tolist() == plan.segments[number, :count].tolist()
    short = DialogueWindows(store=store, length=10).plan(0)
    assert gather_texts(store, short.texts, short.segments, short.labels).lengths.max() <= 10


@pytest.fixture(scope="module")
def long_turns(tmp_path_factory):
    """Dialogues whose turns have from one to thirty words."""
    rng = np.random.default_rng(0)
    rows = [{"turns": [f"{'AB'[turn % 2]}: " + "q1 " * rng.integers(1, 31) for turn in range(5)]} for _ in range(100)]
    return store_of(tmp_path_factory.mktemp("long"), rows)


@pytest.mark.parametrize("length", [8, 10, 16, 32, 64])
def test_the_longest_turns_are_cut(long_turns, length):
    """No turn is cut more than another that is longer than what is left of it, and no longer turns would fit."""
    store = long_turns
    room = length - 4
    plan = DialogueWindows(store=store, length=length).plan(0)
    turns = turn_numbers(store, plan)
    whole = np.where(turns >= 0, np.diff(store.sentences)[turns], 0)
    kept = np.diff(plan.texts, axis=2)[..., 0]
    for lengths, left in zip(whole.tolist(), kept.tolist(), strict=True):
        longest = max(left)
        assert sum(left) <= room
        if left != lengths:
            assert left == [min(size, longest) for size in lengths]
            assert sum(min(size, longest + 1) for size in lengths) > room
    assert (kept < whole).any()


def test_a_stream_goes_on_from_any_step(store):
    make = lambda: InstanceStream(DialogueWindows(store=store, length=16, seed=3), batch_size=64, seed=3)  # noqa: E731
    first = make()
    for step in range(15):
        first.batch(step)
    assert np.array_equal(first.batch(15).ids, make().batch(15).ids)


def test_one_dialogue_alone_is_refused(tmp_path):
    lonely = store_of(tmp_path, [{"turns": ["A: q1", "B: r1"]}])
    with pytest.raises(BadInput, match="one dialogue alone"):
        DialogueWindows(store=lonely, length=16).plan(0)
