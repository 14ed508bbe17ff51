"""Items made ahead are the items, in their order; errors come in their place; the thread ends."""

import threading

import pytest

from wordworth.training.prefetch import prefetch


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "batches ahead"]


def test_all_items_come_in_order_and_the_thread_ends():
    assert list(prefetch(iter(range(50)), depth=3)) == list(range(50))
    assert threads() == []


def test_no_more_than_the_depth_and_one_is_made_before_it_is_asked_for():
    made = []
    items = prefetch((made.append(number) or number for number in range(100)), depth=2)
    assert next(items) == 0
    items.close()
    assert len(made) <= 5
    assert threads() == []


def test_an_error_is_raised_where_its_item_would_have_come():
    def items():
        yield 1
        yield 2
        raise KeyError("three")

    seen = prefetch(items())
    assert [next(seen), next(seen)] == [1, 2]
    with pytest.raises(KeyError, match="three"):
        next(seen)
    assert threads() == []
