"""Settings of a fine-tuning that cannot go together, or not with the task, are refused before anything takes long."""

import pytest

from wordworth.errors import BadInput
from wordworth.tasks import task_types
from wordworth.training.finetuning.settings import FinetuneSettings, require_kind, require_known, require_room


def test_a_dev_part_is_a_share_or_a_file():
    share, text, file = (FinetuneSettings(dev=dev) for dev in (0.2, "0.2", "dev.csv"))
    assert (share.dev_share, share.dev_file) == (text.dev_share, text.dev_file) == (0.2, None)
    assert (file.dev_share, file.dev_file) == (None, "dev.csv")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"dev": 0.6}, "0.6 is out of range; give a share from 0 to 0.5, or a file"),
        ({"dev": -0.1}, "out of range"),
        ({"bilstm": True, "features": "last"}, "frozen features are read by a BiLSTM already"),
        ({"grid": "paper", "dev": 0}, "a grid search needs a dev part"),
        ({"learning_rate": 1}, "give more than 0 and less than 1"),
        ({"max_length": 7}, "give 8 or more"),
        ({"restarts": 0}, "give 1 or more"),
    ],
)
def test_what_cannot_be_is_refused_with_a_way_out(values, words):
    with pytest.raises(BadInput, match=words):
        FinetuneSettings(**values)


@pytest.mark.parametrize(("name", "value"), [("crf", True), ("context", 0), ("features", "last")])
def test_settings_for_tags_are_refused_elsewhere(name, value):
    settings = FinetuneSettings(**{name: value})
    require_kind(settings, task_types.get("tagging"), "conll2003")
    with pytest.raises(BadInput, match="sst2 is not a tagging task") as error:
        require_kind(settings, task_types.get("classification"), "sst2")
    assert error.value.where == f"--{name}"


def test_pooling_is_refused_where_every_word_has_a_label():
    settings = FinetuneSettings(pooling="mean")
    require_kind(settings, task_types.get("classification"), "sst2")
    with pytest.raises(BadInput, match="makes predictions for words"):
        require_kind(settings, task_types.get("tagging"), "conll2003")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"model": "glove"}, "a table of vectors and cannot be fine-tuned"),
        ({"model": "no-such-model"}, "no-such-model"),
        ({"model": "mini", "device": "gpu"}, "no device 'gpu'"),
        ({"model": "mini", "pooling": "meen"}, "did you mean 'mean'"),
        ({"model": "mini", "features": "lastt"}, "did you mean 'last'"),
        ({"model": "mini", "features": "last", "max_length": 64}, "the encoder reads each sentence alone and whole"),
        ({"model": "mini", "max_length": 100_000}, "mini reads at most [0-9,]+ tokens at once, not 100,000"),
    ],
)
def test_names_and_lengths_are_checked_before_weights_are_read(values, words):
    with pytest.raises(BadInput, match=words):
        require_known(FinetuneSettings(**values))


def test_a_length_that_fits_passes():
    require_known(FinetuneSettings(model="mini", max_length=16, pooling="cls"))
    require_room(FinetuneSettings(max_length=24, context=24), 24)
    with pytest.raises(BadInput, match="give 23 or less") as error:
        require_room(FinetuneSettings(context=24), 23)
    assert error.value.where == "--context"
