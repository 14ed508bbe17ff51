from dataclasses import replace

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.representations.distilled import MOST_CHARACTERS, DistilledRung, training_texts
from wordworth.representations.rung import Desk
from wordworth.testing.rungs import rung_checks
from wordworth.testing.sample_tasks import sample_task

TASK = sample_task("single")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return str(write_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny"))


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    return Desk(ArrayCache(tmp_path_factory.mktemp("cache")))


def test_a_table_is_called_after_its_encoder(tiny):
    rung = DistilledRung(tiny)
    assert (rung.name, rung.title, rung.family) == ("tiny-static", "tiny as a table", "static")


@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
def test_a_table_made_of_the_encoder_is_a_rung(check, tiny, desk):
    check(DistilledRung(tiny), desk)


def test_a_word_is_the_mean_of_its_states_in_the_training_texts_and_no_others(tiny, desk):
    learner = DistilledRung(tiny).open(TASK, desk)
    states = load(tiny, dtype="auto").states([TASK.examples.first[row] for row in TASK.train], -1)
    means = {word: states.values[0][[one == word for one in states.words]].mean(0) for word in set(states.words)}
    counts = {word: states.words.count(word) for word in means}
    words = [word for word, count in counts.items() if 3 <= count <= 100 and word.isalpha() and word.islower()][:12]
    found, known = learner.representation.table.word_vectors(words)
    assert known.all()
    apart = np.linalg.norm(found[:, None] - found, axis=-1)
    exact = np.stack([means[word] for word in words])
    assert apart == pytest.approx(np.linalg.norm(exact[:, None] - exact, axis=-1), abs=0.05)  # turned and rounded


def test_no_label_and_no_test_text_has_a_part_in_the_table(tiny, desk):
    examples, test = TASK.examples, set(TASK.test.tolist())
    texts = tuple("other words" if row in test else text for row, text in enumerate(examples.first))
    other = replace(TASK, examples=replace(examples, first=texts), labels=TASK.labels[::-1].copy())
    made = [DistilledRung(tiny).open(task, desk).representation.table.vectors for task in (TASK, other)]
    assert np.array_equal(*made)


def test_the_variance_that_is_the_words_is_told(tiny, desk):
    told = DistilledRung(tiny).open(TASK, desk).representation.told
    assert 0 < told.word_share < 1
    assert told.occurrences > 0


def test_a_great_many_training_texts_are_read_in_part():
    examples = replace(TASK.examples, first=tuple("word " * 20_000 for _ in TASK.examples.first))
    some = list(training_texts(replace(TASK, examples=examples), 0))
    assert MOST_CHARACTERS <= sum(map(len, some)) < MOST_CHARACTERS + 100_000


def test_an_encoder_that_is_not_there_is_said_not_to_be():
    with pytest.raises(BadInput, match="no model, folder or file"):
        DistilledRung("no-such-model").open(TASK, Desk())
