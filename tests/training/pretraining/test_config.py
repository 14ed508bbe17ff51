"""Settings of a run: lengths, numbers and milestones that cannot be are refused."""

import pytest
from tests.training.pretraining.small_run import settings

from wordworth.errors import BadInput
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain


@pytest.fixture(scope="module")
def whole(corpus, other, tmp_path_factory):
    """A run that nobody stopped, and its settings."""
    given = settings(corpus, tmp_path_factory.mktemp("whole"), held_out=other)
    pretrain(given)
    return given


@pytest.mark.parametrize("length", [{}, {"steps": 3, "epochs": 1.0}, {"steps": 0}, {"budget": -1.0, "steps": None}])
def test_a_run_needs_one_length(corpus, tmp_path, length):
    with pytest.raises(BadInput, match=r"steps|budget"):
        settings(corpus, tmp_path, **({"steps": None} | length))


@pytest.mark.parametrize("phases", ["0.7", "1", "0"])
def test_epochs_are_passes_over_the_corpus_in_tokens_whatever_the_length_of_its_sequences(corpus, tmp_path, phases):
    whole = ["batch_size=8", "lengths=16,64", "constant_tokens=no", f"first_phase_fraction={phases}"]
    result = pretrain(settings(corpus, tmp_path, steps=None, epochs=4.0, recipe=recipe("modern", whole)))
    marks = 2 * 8 * result.steps
    assert (result.tokens - marks) / len(TokenStore.open(corpus).ids) == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize(
    "choice", [{"micro_batch_tokens": 0}, {"evals": -1}, {"sampling": -0.1}, {"checkpoint_minutes": -1.0}]
)
def test_a_number_out_of_its_range_is_refused(corpus, tmp_path, choice):
    with pytest.raises(BadInput, match=f"`{min(choice)}` .* is out of range"):
        settings(corpus, tmp_path, **choice)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5])
def test_a_milestone_outside_the_run_is_refused(corpus, tmp_path, share):
    with pytest.raises(BadInput, match="fraction of the run"):
        settings(corpus, tmp_path, milestones=(share,))
