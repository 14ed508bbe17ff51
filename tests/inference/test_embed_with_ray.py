"""Parts are computed by a cluster, a few at a time, in any order; here by a stand-in for Ray, in `parity` by itself."""

import numpy as np
import pytest
from tests.inference.ray_stand_in import install
from tests.serving.served import tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference import embed_with_ray
from wordworth.inference.embed_settings import EmbedSettings

TEXTS = ["a bad cab the zebra " * (row % 3) for row in range(40)]


@pytest.fixture
def ray(monkeypatch):
    return install(monkeypatch)


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
    part = embed_with_ray.TextBatch(0, 0, ["a"])
    with pytest.raises(BadInput, match=r"a worker computes by .*, and this machine by another, so that the last bits"):
        list(embed_with_ray.encoded_by_ray(iter([part]), settings, "another"))
    assert np.isfinite(
        embed_with_ray._encode(part, settings, embed_with_ray.kernel_of(ww.load(settings.model))).vectors
    ).all()


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
    part = embed_with_ray.TextBatch(0, 0, ["cab"])
    done = embed_with_ray._encode(part, settings, embed_with_ray.kernel_of(ww.load(settings.model)), "the ")
    assert np.allclose(done.vectors, encoder.encode(["the cab"]), atol=1e-6)
