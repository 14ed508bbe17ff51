"""Parts are computed by a cluster, a few at a time, in any order; here by a stand-in for Ray, in `parity` by itself."""

import types

import numpy as np
import pytest
from tests.serving.served import tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference import ray_engine
from wordworth.inference.embed_settings import EmbedSettings

TEXTS = ["a bad cab the zebra " * (row % 3) for row in range(40)]


class Died(Exception):
    """A worker that died."""


class TaskFailed(Died):
    """An error in a worker, with what it was."""

    def __init__(self, cause):
        super().__init__(str(cause))
        self.cause = cause


class StandIn(types.ModuleType):
    """As much of Ray as the engine uses: tasks run when they are waited for, the last one first."""

    def __init__(self, cores=2):
        super().__init__("ray")
        self.cores, self.tasks, self.under_way, self.cancelled = cores, {}, [], []
        self.most, self.started, self.dies = 0, 0, False
        self.exceptions = types.SimpleNamespace(RayTaskError=TaskFailed, RayError=Died)

    def is_initialized(self):
        return False

    def init(self, **_):
        self.started += 1

    def shutdown(self):
        self.started -= 1

    def cluster_resources(self):
        return {"CPU": float(self.cores)}

    def put(self, value):
        return value

    def remote(self, **_):
        return lambda function: types.SimpleNamespace(remote=lambda *arguments: self._task(function, arguments))

    def _task(self, function, arguments):
        number = arguments[0].number
        self.tasks[number] = lambda: function(*arguments)
        self.under_way.append(number)
        self.most = max(self.most, len(self.under_way))
        return number

    def wait(self, tasks, *, num_returns):
        assert num_returns == 1
        return [tasks[-1]], tasks[:-1]

    def get(self, number):
        if self.dies:
            raise Died
        self.under_way.remove(number)
        try:
            return self.tasks[number]()
        except BadInput as error:
            raise TaskFailed(error) from error

    def cancel(self, task, force):
        assert force
        self.cancelled.append(task)


@pytest.fixture
def ray(monkeypatch):
    stand_in = StandIn()
    monkeypatch.setitem(__import__("sys").modules, "ray", stand_in)
    monkeypatch.setattr(ray_engine, "require_package", lambda *_: None)
    return stand_in


def test_the_file_has_the_bytes_of_one_process_and_few_parts_are_under_way(ray, tmp_path):
    tiny_encoder(tmp_path / "tiny")
    settings = {"model": str(tmp_path / "tiny"), "rows": 4, "dtype": "float32"}
    ww.embed(TEXTS, tmp_path / "one.npy", **settings)
    ww.embed(TEXTS, tmp_path / "ray.npy", engine="ray", **settings)
    assert (tmp_path / "one.npy").read_bytes() == (tmp_path / "ray.npy").read_bytes()
    assert ray.most == 4
    assert ray.started == 0
    assert ww.embed(TEXTS, tmp_path / "ray.npy", **settings).unchanged  # whichever engine made it


def test_a_worker_that_dies_again_and_again_is_one_error_and_the_work_goes_on_later(ray, tmp_path):
    tiny_encoder(tmp_path / "tiny")
    settings = {"model": str(tmp_path / "tiny"), "rows": 4, "dtype": "float32", "engine": "ray"}
    ray.dies = True
    with pytest.raises(BadInput, match=r"4 workers died at the texts of rows 12 to 15: Died; give workers more memory"):
        ww.embed(TEXTS, tmp_path / "v.npy", **settings)
    assert ray.started == 0
    assert ray.cancelled == [0, 1, 2]
    ray.dies, ray.under_way = False, []
    assert ww.embed(TEXTS, tmp_path / "v.npy", **settings).rows == len(TEXTS)


@pytest.mark.usefixtures("ray")
def test_what_a_worker_refuses_is_what_one_process_refuses(tmp_path):
    tiny_encoder(tmp_path / "tiny")
    settings = {"model": str(tmp_path / "tiny"), "rows": 4, "dtype": "float32", "long_texts": "error"}
    texts = [*TEXTS[:10], "the zebra " * 40]
    errors = []
    for engine in ("local", "ray"):
        with pytest.raises(BadInput) as error:
            ww.embed(texts, tmp_path / "v.npy", engine=engine, **settings)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    assert "row 10 (the first is 0)" in errors[0]


@pytest.mark.usefixtures("ray")
def test_a_worker_of_another_kernel_is_refused(tmp_path):
    tiny_encoder(tmp_path / "tiny")
    settings = EmbedSettings(model=str(tmp_path / "tiny"), dtype="float32", engine="ray")
    part = ray_engine.TextBatch(0, 0, ["a"])
    with pytest.raises(BadInput, match=r"a worker computes by .*, and this machine by another, so that the last bits"):
        list(ray_engine.encoded_by_ray(iter([part]), settings, "another"))
    assert np.isfinite(ray_engine._encode(part, settings, ray_engine.kernel_of(ww.load(settings.model))).vectors).all()


def test_it_writes_files_alone_and_says_what_to_install(monkeypatch, tmp_path):
    tiny_encoder(tmp_path / "tiny")
    with pytest.raises(BadInput, match="`engine` ray writes vectors to a file; give `out`"):
        ww.embed(TEXTS, model=str(tmp_path / "tiny"), engine="ray")
    monkeypatch.setattr("wordworth.errors.find_spec", lambda _: None)
    with pytest.raises(BadInput, match="this needs ray, which is not installed"):
        ww.embed(TEXTS, tmp_path / "v.npy", model=str(tmp_path / "tiny"), engine="ray")


def test_workers_put_the_same_prompt_before_texts(tmp_path):
    encoder = tiny_encoder(tmp_path / "tiny")
    settings = EmbedSettings(model=str(tmp_path / "tiny"), dtype="float32", engine="ray")
    part = ray_engine.TextBatch(0, 0, ["cab"])
    done = ray_engine._encode(part, settings, ray_engine.kernel_of(ww.load(settings.model)), "the ")
    assert np.allclose(done.vectors, encoder.encode(["the cab"]), atol=1e-6)
