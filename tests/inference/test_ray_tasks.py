"""Parts of some work are computed by a cluster, a few at a time, in any order; here by a stand-in for Ray."""

import pytest
from tests.inference.ray_stand_in import install

from wordworth.errors import BadInput
from wordworth.inference.ray_tasks import results_by_ray


@pytest.fixture
def ray(monkeypatch):
    return install(monkeypatch)


def ten_times(part, plus, minus):
    return 10 * part + plus - minus


def results(parts, compute=ten_times, shared=(3, 1), **choices):
    return results_by_ray(parts, compute, shared, rows_of=lambda part: range(5 * part, 5 * part + 5), **choices)


def test_every_part_comes_once_with_its_result_and_few_are_under_way(ray):
    assert sorted(results(range(20))) == [(part, 10 * part + 2) for part in range(20)]
    assert (ray.most, ray.started, ray.starts) == (4, 0, 1)


def test_workers_of_more_threads_are_fewer(ray):
    assert len(list(results(range(20), threads=2))) == 20
    assert ray.most == 2


def test_parts_are_read_as_workers_become_free(ray):
    read = []
    done = results(read.append(part) or part for part in range(20))
    next(done)
    assert read == [0, 1, 2, 3]
    done.close()
    assert ray.cancelled == [0, 1, 2]
    assert ray.started == 0


def test_a_part_whose_workers_die_is_named_by_its_texts(ray):
    ray.dies = True
    with pytest.raises(BadInput, match=r"4 workers died at the texts of rows 5 to 9: Died; give workers more memory"):
        list(results(range(2)))


def test_what_the_function_raises_is_raised_here(ray):
    def refuse(part, *_):
        raise BadInput(f"part {part} is bad")

    with pytest.raises(BadInput, match=r"^part 1 is bad$"):
        list(results(range(2), refuse))
    assert ray.cancelled == [0]
