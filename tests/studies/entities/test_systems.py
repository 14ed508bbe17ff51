"""Systems read the same texts with the same markers; only what the entities are differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.entities.conftest import linked_rows

from wordworth.errors import BadInput
from wordworth.studies.entities.systems import (
    LINKED,
    SHUFFLED,
    UNLINKED,
    entities_of,
    exchanged,
    link_counts,
    task_of,
    texts_of,
)
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.text.entity_links import parse_links
from wordworth.text.file_formats.in_memory import as_file


@pytest.fixture(scope="module")
def task():
    with as_file(linked_rows()) as path:
        return read_task(path, ReadSettings())


@given(st.lists(st.sampled_from("abcdefg"), min_size=2), st.integers(0, 99))
def test_every_entity_is_exchanged_for_another_one_and_each_is_taken_once(entities, seed):
    if len(set(entities)) < 2:
        with pytest.raises(BadInput, match="link to 1 entity"):
            exchanged(entities, seed)
        return
    exchange = exchanged(entities, seed)
    assert set(exchange) == set(exchange.values()) == set(entities)
    assert all(entity != other for entity, other in exchange.items())


def test_texts_and_markers_are_those_of_every_system(task):
    for system in (SHUFFLED, UNLINKED):
        changed = task_of(system, task, seed=0)
        for before, after in zip(task.examples.first, changed.examples.first, strict=True):
            ours, theirs = parse_links(before), parse_links(after)
            assert ours.text == theirs.text
            assert [mention.marker for mention in ours.mentions] == [mention.marker for mention in theirs.mentions]
    assert task_of(LINKED, task, seed=0) is task


def test_without_entities_there_are_none_and_exchanged_ones_are_all_others(task):
    assert not entities_of(task_of(UNLINKED, task, 0).examples.first)
    before, after = (entities_of(each.examples.first) for each in (task, task_of(SHUFFLED, task, 0)))
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_links_are_counted_by_part(task):
    train, test = link_counts(task)
    assert (train.rows, test.rows) == (len(task.train), len(task.test))
    assert train.linked_rows == train.mentions == train.rows
    assert (test.entities, test.unseen) == (2, 0)


def test_words_to_tag_have_no_links():
    rows = [{"words": ["a", f"b{n}"], "tags": ["X", "Y"]} for n in range(30)]
    with as_file(rows) as path, pytest.raises(BadInput, match="entities are measured on texts"):
        texts_of(read_task(path, ReadSettings(kind="tagging")))
