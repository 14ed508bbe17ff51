"""A rung that was written into a folder predicts as the rung that learned does, and a damaged folder is refused."""

import json
from dataclasses import replace
from shutil import copytree

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from wordworth import seeds
from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationPredictor, RepresentationRung
from wordworth.representations.few_shot import FewShot
from wordworth.representations.few_shot_settings import FewShotTraining
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.bilstm_crf import BiLstmCrf
from wordworth.representations.heads.crf_head import LinearChainCrf
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.rung import RunContext
from wordworth.representations.rung_by_name import rung_of
from wordworth.representations.saved_rung import HEAD, NGRAMS, TABLE, read_rung, write_rung
from wordworth.representations.tagging_features import TagFeatures
from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task

NEW = Examples(("a lovely film, really", "the dinner was awful", "it was quite a hotel"))


def fit(rung, kind="classification"):
    task = sample_task(kind)
    learner = rung.prepare(task, RunContext(cache=ArrayCache(), dtype="float32"))
    return task, learner.fit(task.train, seeds.child(0, "fit"))


def written(folder, rung, kind="classification"):
    """The rung's own predictor, and the metadata of the folder that it was written into."""
    folder.mkdir(exist_ok=True)
    task, predictor = fit(rung, kind)
    metadata = {"kind": task.kind, "classes": list(task.classes), "second": task.examples.second is not None}
    return predictor, {**metadata, "rung": json.loads(json.dumps(write_rung(folder, rung, predictor)))}


def same(predictor, read, examples=NEW):
    return np.allclose(read.predict(examples), predictor.predict_texts(examples), atol=1e-5)


@pytest.fixture(scope="module")
def tfidf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "tfidf"
    return folder, *written(folder, rung_of("tfidf", "classification"))


@pytest.mark.parametrize("kind", ["classification", "regression", "multilabel", "pair_classification"])
def test_tfidf_predicts_as_before_for_every_kind_of_text_task(kind, tmp_path):
    predictor, metadata = written(tmp_path / "rung", rung_of("tfidf", kind), kind)
    examples = Examples(NEW.first, NEW.first[::-1]) if metadata["second"] else NEW
    read = read_rung(tmp_path / "rung", metadata)
    assert same(predictor, read, examples)
    assert read.dtype == "float32"


def test_probabilities_are_calibrated_as_on_the_ladder(tfidf):
    folder, predictor, metadata = tfidf
    assert read_rung(folder, metadata).calibration == predictor.calibration


@pytest.mark.parametrize("form", ["{}", "{}-static", "tfidf+{}"])
def test_a_rung_over_an_encoder_reads_it_again_by_its_folder(form, tiny_folder, tmp_path):
    predictor, metadata = written(tmp_path / "rung", rung_of(form.format(tiny_folder), "classification"))
    assert same(predictor, read_rung(tmp_path / "rung", metadata, dtype="float32"))
    assert (tmp_path / "rung" / TABLE).exists() == form.endswith("-static")
    assert (tmp_path / "rung" / NGRAMS).exists() == form.startswith("tfidf")


def test_a_mix_of_layers_is_read_again(tiny_folder, tmp_path):
    rung = rung_of(tiny_folder, "classification")
    task = sample_task("classification")
    learner = rung.prepare(task, RunContext(cache=ArrayCache(), dtype="float32"))
    choice = learner.head.inner.choose(lambda a, _: ({"mix": np.zeros((len(a), 1))}, {}), _few(task), None)
    target, features = Target.of(task, task.train), learner.features(task.train)
    predictor = RepresentationPredictor(learner, learner.head.learn(features, target, choice, seeds.child(0, "fit")))
    metadata = {"kind": task.kind, "classes": list(task.classes), "second": False}
    metadata["rung"] = write_rung(_made(tmp_path / "rung"), rung, predictor)
    assert metadata["rung"]["view"] == "mix"
    assert same(predictor, read_rung(tmp_path / "rung", metadata, dtype="float32"))


def _few(task):
    return Target.of(task, task.train[:1])


def _made(folder):
    folder.mkdir()
    return folder


def test_a_few_shot_rung_is_read_with_the_encoder_that_it_trained(tiny_folder, tmp_path):
    rung = FewShot(tiny_folder, FewShotTraining(most_steps=6, learning_rate=1e-3))
    predictor, metadata = written(tmp_path / "rung", rung, "single")
    copytree(tmp_path / "rung", tmp_path / "elsewhere")
    read = read_rung(tmp_path / "elsewhere", metadata, dtype="float32")
    assert same(predictor, read)
    untrained = predictor.learner.encoder.embed(NEW.first).vectors
    assert np.abs(read.representation.encoder.embed(NEW.first).vectors - untrained).max() > 1e-3


def test_random_vectors_are_drawn_again(tmp_path):
    predictor, metadata = written(tmp_path / "rung", RandomRung())
    assert same(predictor, read_rung(tmp_path / "rung", metadata))


def test_an_encoder_with_other_weights_is_refused(tiny_folder, tmp_path):
    encoder = tmp_path / "encoder"
    copytree(tiny_folder, encoder)
    _, metadata = written(tmp_path / "rung", rung_of(str(encoder), "classification"))
    metadata["rung"]["key"] = "another"
    with pytest.raises(BadInput, match="are not those that this was fitted with"):
        read_rung(tmp_path / "rung", metadata, dtype="float32")


SENTENCES = (("Ann", "met", "Bob", "Wu"), (), ("they", "flew", "to", "Oslo"))
TAGGED = Examples(tuple(" ".join(words) for words in SENTENCES), words=SENTENCES)
SHORT = BiLstmCrf(hidden=4, least_steps=3, most_steps=3, epochs=1)


@pytest.mark.parametrize(
    "make",
    [
        lambda _: RepresentationRung(TagFeatures(), LinearChainCrf()),
        lambda _: RandomRung(SHORT),
        lambda _: RandomRung(replace(SHORT, crf=False, layers=2)),
        lambda folder: Frozen(folder, head=SHORT),
    ],
    ids=["spelling", "random", "without a CRF", "encoder"],
)
def test_a_tagger_tags_as_before(make, tiny_folder, tmp_path):
    predictor, metadata = written(tmp_path / "rung", make(tiny_folder), "tagging")
    read = read_rung(tmp_path / "rung", metadata, dtype="float32")
    task = sample_task("tagging")
    every = task.examples.take(np.arange(len(task.examples)))
    for examples in (TAGGED, every):
        tags, before = read.predict(examples), predictor.predict_texts(examples)
        assert [each.tolist() for each in tags] == [each.tolist() for each in before]
    assert len({int(tag) for sentence in read.predict(every) for tag in sentence}) > 1
    assert read.head.parameters == predictor.head.parameters


@pytest.mark.parametrize(
    "damage",
    [
        lambda facts, _: facts["rung"].update(tagger="another"),
        lambda facts, _: facts["rung"].pop("chosen"),
        lambda facts, _: facts.update(classes=facts["classes"][:1]),
        lambda _, arrays: arrays.pop("transitions"),
        lambda _, arrays: arrays.update(weights=arrays["weights"][1:]),
        lambda _, arrays: arrays.update(columns=arrays["columns"][::-1].copy()),
        lambda _, arrays: arrays.update(tags=arrays["tags"] + 99),
    ],
)
def test_a_damaged_tagger_is_one_clear_error(damage, tmp_path):
    rung = RepresentationRung(TagFeatures(), LinearChainCrf())
    _, metadata = written(tmp_path / "rung", rung, "tagging")
    arrays = load_file(tmp_path / "rung" / HEAD)
    damage(metadata, arrays)
    save_file(arrays, tmp_path / "rung" / HEAD)
    with pytest.raises(BadInput, match="rung"):
        read_rung(tmp_path / "rung", metadata)


def test_a_network_whose_weights_do_not_fit_is_one_clear_error(tmp_path):
    _, metadata = written(tmp_path / "rung", RandomRung(SHORT), "tagging")
    arrays = load_file(tmp_path / "rung" / HEAD)
    save_file(arrays | {"output.bias": arrays["output.bias"][1:]}, tmp_path / "rung" / HEAD)
    with pytest.raises(BadInput, match="the weights of its tagger do not fit each other"):
        read_rung(tmp_path / "rung", metadata)


def test_a_rung_of_another_form_is_refused(tmp_path):
    with pytest.raises(BadInput, match="'majority' is no representation under a head"):
        write_rung(tmp_path, Majority(), None)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder, _: (folder / HEAD).write_bytes(b"not an array"),
        lambda folder, _: (folder / HEAD).unlink(),
        lambda folder, _: (folder / NGRAMS).write_text("{"),
        lambda folder, _: (folder / NGRAMS).write_text('{"words": [1], "characters": []}'),
        lambda folder, _: (folder / NGRAMS).write_text('{"words": 3, "characters": 3}'),
        lambda _, facts: facts["rung"].pop("calibration"),
        lambda _, facts: facts["rung"].update(view="elsewhere"),
        lambda _, facts: facts["rung"].update(chosen=None),
        lambda _, facts: facts["classes"].append("one more"),
    ],
)
def test_a_damaged_folder_is_one_clear_error(tfidf, tmp_path, damage):
    folder, _, metadata = tfidf
    copytree(folder, tmp_path / "rung")
    facts = json.loads(json.dumps(metadata))
    damage(tmp_path / "rung", facts)
    with pytest.raises(BadInput, match="rung"):
        read_rung(tmp_path / "rung", facts)
