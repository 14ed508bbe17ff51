"""Solvers run on one BLAS thread, however many fits run at once, and what the user set comes back."""

import threading
import warnings

import pytest
from threadpoolctl import ThreadpoolController

from wordworth.representations.heads.blas_threads import SingleBlasThread


def blas_threads():
    """The limits of the libraries that numpy and scipy bring; faiss brings one that has a limit for each thread."""
    libraries = ThreadpoolController().select(user_api="blas").lib_controllers
    return [library.num_threads for library in libraries if library.info()["threading_layer"] != "openmp"]


def test_one_thread_inside_and_as_before_outside():
    controller, limit = ThreadpoolController(), SingleBlasThread()
    with controller.limit(limits=2, user_api="blas"):
        before = blas_threads()
        with limit.limited():
            assert set(blas_threads()) == {1}
        assert blas_threads() == before


def test_the_limit_stays_until_the_last_fit_ends():
    limit, inside, leave = SingleBlasThread(), threading.Event(), threading.Event()

    def fit():
        with limit.limited():
            inside.set()
            leave.wait(20)

    with ThreadpoolController().limit(limits=2, user_api="blas"):
        before = blas_threads()
        other = threading.Thread(target=fit)
        other.start()
        assert inside.wait(20)
        with limit.limited():
            pass
        assert set(blas_threads()) == {1}
        leave.set()
        other.join(20)
        assert blas_threads() == before


def test_the_thread_that_ends_last_need_not_be_the_one_that_began_first():
    limit = SingleBlasThread()
    began, leave, left, done = (threading.Event() for _ in range(4))

    def fit():
        with limit.limited():
            began.set()
            leave.wait(20)
        left.set()
        done.wait(20)  # the thread lives on, as that of a pool does

    before = blas_threads()
    first = threading.Thread(target=fit)
    first.start()
    assert began.wait(20)
    with limit.limited():
        leave.set()
        assert left.wait(20)
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
    done.set()
    first.join(20)


def test_a_fit_that_fails_gives_the_threads_back():
    limit = SingleBlasThread()
    before = blas_threads()

    def fail():
        with limit.limited():
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert blas_threads() == before


def test_solvers_do_not_warn_and_others_do():
    def warn_of(module):
        with SingleBlasThread().limited():
            warnings.warn_explicit("a small step", UserWarning, "file.py", 1, module=module)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of("sklearn.linear_model")
        warn_of("scipy.optimize._lbfgsb_py")
        with pytest.raises(UserWarning, match="a small step"):
            warn_of("mine")
