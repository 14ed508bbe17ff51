"""A folder belongs to one run; nothing else is gone on with or written over."""

import dataclasses

import pytest
from tests.training.pretraining.small_run import CHANGES, settings

from wordworth.errors import BadInput
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain


@pytest.fixture(scope="module")
def whole(corpus, other, tmp_path_factory):
    """A run that nobody stopped, and its settings."""
    given = settings(corpus, tmp_path_factory.mktemp("whole"), held_out=other)
    pretrain(given)
    return given


def test_another_run_in_the_same_folder_is_refused_and_says_what_differs(whole):
    changed = dataclasses.replace(whole, recipe=recipe("modern", [*CHANGES, "learning_rate=0.5"]))
    with pytest.raises(BadInput, match=r"another recipe.*'learning_rate': None.*'learning_rate': 0.5"):
        pretrain(changed)


def test_checkpoints_of_a_run_that_nothing_is_known_of_are_not_gone_on_with(corpus, tmp_path):
    given = settings(corpus, tmp_path, steps=2)
    pretrain(given)
    told = tmp_path / "training" / "run.json"
    told.write_text(told.read_text()[:-20])
    with pytest.raises(BadInput, match=r"run\.json: not a whole JSON.*put the run's own run\.json back"):
        pretrain(given)
    told.unlink()
    with pytest.raises(BadInput, match=r"checkpoints of a run without its run\.json"):
        pretrain(given)


@pytest.mark.parametrize(
    ("name", "said"), [("config.json", "a model"), ("README.md", "a README.md"), ("vocab.txt", "a tokenizer")]
)
def test_what_no_run_made_is_not_written_over(corpus, tmp_path, name, said):
    (tmp_path / name).write_text("{}")
    with pytest.raises(BadInput, match=f"{said} is here already"):
        pretrain(settings(corpus, tmp_path))
