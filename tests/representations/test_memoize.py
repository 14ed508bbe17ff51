from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from wordworth.representations.memoize import SingleFlight


def test_who_asks_while_it_is_made_waits_and_gets_the_same():
    once, begun, made = SingleFlight(), Event(), []

    def slow():
        begun.set()
        made.append(object())
        return made[-1]

    ready = Barrier(4)

    def ask(_):
        ready.wait()
        return once.get("key", slow)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert len(made) == 1
    assert all(value is made[0] for value in found)


def test_a_failure_is_told_and_not_kept():
    once = SingleFlight()
    with pytest.raises(ZeroDivisionError):
        once.get("key", lambda: 1 / 0)
    assert once.get("key", lambda: 5) == 5


def test_only_the_last_few_are_kept():
    once, made = SingleFlight(2), []
    for key in "abca":
        once.get(key, lambda key=key: made.append(key))
    once.get("c", lambda: made.append("again"))
    assert made == ["a", "b", "c", "a"]
