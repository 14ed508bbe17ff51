"""Fine-tuning with --features: the encoder is frozen, and a BiLSTM tags."""

import json

import numpy as np
import pytest
from safetensors.torch import load_file
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.inference.predict import predict
from wordworth.models.text_encoder import TextEncoder
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.feature_tagger import layers_of, new_tagger

FEATURES = {  # the layers that each reads of five, and the numbers that the tagger reads of a word, 32 a layer
    "embeddings": ((0,), 32),
    "second-to-last": ((4,), 32),
    "last": ((5,), 32),
    "weighted-last-four": ((2, 3, 4, 5), 32),
    "concat-last-four": ((2, 3, 4, 5), 4 * 32),
    "weighted-all": ((1, 2, 3, 4, 5), 32),
}


@pytest.fixture(scope="module")
def deep_encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("features") / "deep", layers=5))


@pytest.fixture
def small_tagger(tmp_path, monkeypatch):
    """States are kept in this test's own folder, and the BiLSTM is 32 wide; for users it is 384."""
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("wordworth.training.finetuning.feature_tagger.HIDDEN", 32)


@pytest.mark.slow
@pytest.mark.usefixtures("small_tagger")
@pytest.mark.parametrize("features", FEATURES)
def test_frozen_features_are_tagged_by_a_bilstm_and_answered(deep_encoder, tmp_path, features):
    some = {
        "restarts": 1,
        "epochs": 10,
        "batch_size": 8,
        "learning_rate": 0.03,
        "dev": 0.0,
        "processes": 1,
        "features": features,
    }
    record = finetune(sample_task("tags", 150), model=deep_encoder, out=tmp_path / "run", **some)
    assert features in " ".join(one.text for one in record.findings)
    losses = record.table("evaluations")["loss"]
    assert losses.iloc[-1] < losses.iloc[0] * 2 / 3
    head = load_file(tmp_path / "run" / "model" / "head.safetensors")
    assert head["layers.0.left_to_right.input.weight"].shape[1] == FEATURES[features][1]
    assert ("weights" in head) == features.startswith("weighted")
    (tmp_path / "in.jsonl").write_text(json.dumps({"words": ["good", "film"]}) + "\n")
    predict(tmp_path / "run", tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert len(json.loads((tmp_path / "out.jsonl").read_text())["tags"]) == 2


@pytest.mark.usefixtures("small_tagger")
@pytest.mark.parametrize("features", FEATURES)
def test_states_of_words_are_kept_and_a_second_run_asks_no_encoder(deep_encoder, tmp_path, monkeypatch, features):
    task, layers, read = sample_task("tags", 45), FEATURES[features][0], []
    true_states = TextEncoder.word_states
    monkeypatch.setattr(
        TextEncoder, "word_states", lambda *given, **asked: read.append(asked["layers"]) or true_states(*given, **asked)
    )
    for out, rate in (("one", 1e-3), ("other", 2e-3)):
        some = {"restarts": 1, "epochs": 1, "learning_rate": rate, "dev": 0.0, "processes": 1, "features": features}
        finetune(task, model=deep_encoder, out=tmp_path / out, **some)
        assert read == [layers]
    (kept,) = map(np.load, (tmp_path / "cache").rglob("*.npy"))
    assert (kept.shape, kept.dtype) == ((sum(map(len, task.examples.words)), len(layers), 32), np.float16)


def test_the_six_feature_sets_have_the_widths_of_the_paper_s_table():
    names = ("embeddings", "second-to-last", "last", "weighted-last-four", "concat-last-four", "weighted-all")
    taggers = [new_tagger(name, (len(layers_of(name, 12)), 768), ("O", "B-x"), crf=False) for name in names]
    assert [tagger.layers[0].left_to_right.input.in_features for tagger in taggers] == [
        768,
        768,
        768,
        768,
        4 * 768,
        768,
    ]
    assert layers_of("second-to-last", 12) == (11,)
    assert layers_of("weighted-all", 12) == tuple(range(1, 13))
