"""A training that was stopped ends as one that never was; the step that the dev part judged best is kept."""

import numpy as np
import pytest
import torch
from tests.training.sentences.sentence_files import files_to_train_on

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.training.checkpointed_run import CheckpointedRun
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.read_data import read_data
from wordworth.training.sentences.run import SentenceTrainingResult, open_encoder, train
from wordworth.training.sentences.settings import SentenceTrainingSettings


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return files_to_train_on(tmp_path_factory.mktemp("files"))


def settings(files, **choices) -> SentenceTrainingSettings:
    usual = {"model": str(files / "tiny"), "dev": files / "sts.csv", "epochs": 4, "batch_size": 16, "max_length": 64}
    return SentenceTrainingSettings(**{**usual, **choices})


def trained(files, folder, **choices) -> SentenceTrainingResult:
    chosen = settings(files, **choices)
    data = read_data(files / "nli.csv", chosen, LOSSES.get(chosen.loss))
    return train(chosen, data, open_encoder(chosen), folder, SILENT)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["ranking", "softmax", "triplet"])
def test_a_stopped_run_ends_as_one_that_never_was(files, tmp_path, monkeypatch, loss):
    straight = trained(files, tmp_path / "straight", loss=loss, epochs=2)
    own = CheckpointedRun.advance

    def stopped(run, _, step):
        own(run, 5, step)
        run.save()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(CheckpointedRun, "advance", stopped)
        with pytest.raises(KeyboardInterrupt):
            trained(files, tmp_path / "stopped", loss=loss, epochs=2)
    resumed = trained(files, tmp_path / "stopped", loss=loss, epochs=2)
    assert resumed.losses == straight.losses
    assert [each.dev for each in resumed.evaluations] == [each.dev for each in straight.evaluations]
    one, other = straight.encoder.model.state_dict(), resumed.encoder.model.state_dict()
    assert all(torch.equal(value, other[name]) for name, value in one.items())


def test_the_best_step_is_kept(files, tmp_path):
    result = trained(files, tmp_path / "run", learning_rate=0.05)
    scores = {each.step: each.dev for each in result.evaluations}
    assert result.kept_step in scores
    assert scores[result.kept_step] == max(score for step, score in scores.items() if step)
    assert np.corrcoef(*result.cosines)[0, 1] < 1


def test_more_tokens_or_wider_prefixes_than_the_model_has_are_refused(files):
    with pytest.raises(BadInput, match="reads at most 96 tokens at once, not 128"):
        open_encoder(settings(files, max_length=128))
    with pytest.raises(BadInput, match="have 32 numbers, not 64"):
        open_encoder(settings(files, max_length=64, matryoshka=(16, 64)))


@pytest.mark.parametrize("name", ["prompt", "query_prompt"])
def test_a_prompt_that_leaves_no_room_for_a_text_is_refused(files, name):
    with pytest.raises(BadInput, match="a prompt of 8 tokens leaves no room for a text in 8; give more tokens, or a"):
        open_encoder(settings(files, max_length=8, **{name: "the good dinner was really bad "}))
    assert open_encoder(settings(files, max_length=9, **{name: "the good dinner was really bad "}))
