from __future__ import annotations

import threading
import time

import pytest
import torch

from wordworth.models.parallel_map import parallel_map


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("two_threads")
def test_results_come_in_the_order_of_the_pieces_whoever_is_faster():
    first_may_end = threading.Event()

    def work(piece):
        if piece == 0:
            assert first_may_end.wait(10)
        first_may_end.set()
        return piece * 10

    assert list(parallel_map(work, range(7))) == [0, 10, 20, 30, 40, 50, 60]


@pytest.mark.usefixtures("two_threads")
def test_every_piece_is_computed_on_one_thread_and_the_number_comes_back():
    assert set(parallel_map(lambda _: torch.get_num_threads(), range(5))) == {1}
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_an_error_in_one_piece_ends_all_and_the_number_of_threads_comes_back():
    with pytest.raises(ZeroDivisionError):
        list(parallel_map(lambda piece: 1 / (3 - piece), range(100)))
    assert torch.get_num_threads() == 2


@pytest.mark.usefixtures("two_threads")
def test_two_users_at_once_leave_the_number_of_threads_as_it_was_whoever_ends_last():
    second_is_in, first_is_out, counts = threading.Event(), threading.Event(), []

    def first_to_come():
        for _ in parallel_map(lambda piece: piece, [0]):
            assert second_is_in.wait(10)
        first_is_out.set()

    def last_to_leave():
        for _ in parallel_map(lambda piece: piece, [0]):
            second_is_in.set()
            assert first_is_out.wait(10)
            counts.append(torch.get_num_threads())

    users = [threading.Thread(target=first_to_come), threading.Thread(target=last_to_leave)]
    for user in users:
        user.start()
        time.sleep(0.05)
    for user in users:
        user.join(10)
    later = threading.Thread(target=lambda: counts.append(torch.get_num_threads()))
    later.start()
    later.join(10)
    assert counts == [1, 2]
