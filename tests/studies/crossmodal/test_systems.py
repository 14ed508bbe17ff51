"""The systems: what is learned from which sequences, and a control whose words are dealt out anew."""

import numpy as np
import pytest
from tests.studies.crossmodal.made_up import FAST, write_inputs

from wordworth.progress import SILENT
from wordworth.studies.crossmodal import systems
from wordworth.studies.crossmodal.folds import folds_of
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.studies.crossmodal.systems import PAIRED, PRIOR, SHUFFLED, Subject, outcomes
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.captioned_sequences import read_captioned
from wordworth.training.codebook.feature_rows import FeatureRows
from wordworth.training.crossmodal.sequences import Pairs


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    features, captions = write_inputs(tmp_path_factory.mktemp("inputs"), sounds=False)
    settings, rows = CrossmodalSettings(**FAST), FeatureRows.open(features)
    sequences = read_captioned(captions, len(rows))
    return Subject(settings, rows, sequences, folds_of(sequences, 3, 0))


@pytest.mark.slow
def test_every_sequence_is_tested_once_by_every_system(subject):
    made = outcomes(subject, FinishedParts.of("test", SILENT, "systems"), SILENT)
    assert sorted(made.rows) == list(range(60))
    assert {name: right.shape[:2] for name, right in made.right.items()} == dict.fromkeys(
        (PAIRED, SHUFFLED, PRIOR), (1, 60)
    )
    assert made.examples.shape == (2, 4)
    assert set(made.examples.ravel()) <= set(subject.folds[0].test)


def test_codebook_and_words_are_those_of_training_sequences_alone(subject, monkeypatch):
    learned = []
    whole = systems.learn
    monkeypatch.setattr(systems, "learn", lambda features, *rest: learned.append(features) or whole(features, *rest))
    fold = subject.folds[0]
    codes = systems._codes(subject, fold)
    own = np.concatenate([np.arange(*subject.sequences.bounds[row]) for row in fold.train])
    assert np.array_equal(learned[0].chosen, own)
    assert len(codes) == len(subject.features)


def test_the_control_has_the_words_of_others_and_the_same_codes():
    words = [np.array([number]) for number in range(30)]
    own = Pairs(words, words)
    dealt = systems._trained(own, SHUFFLED, 0)
    assert dealt.codes is own.codes
    assert sorted(int(ids[0]) for ids in dealt.words) == list(range(30))
    assert sum(int(ids[0]) == number for number, ids in enumerate(dealt.words)) < 10
    assert systems._trained(own, PAIRED, 0) is own


def test_the_control_leaves_words_and_codes_alone_as_they_are():
    sides, nothing = [np.array([number]) for number in range(30)], np.zeros(0, dtype=np.int64)
    own = Pairs([nothing] * 5 + sides[5:], sides[:20] + [nothing] * 10)
    dealt = systems._trained(own, SHUFFLED, 0)
    assert dealt.whole.tolist() == own.whole.tolist() == list(range(5, 20))
    assert [ids.tolist() for ids in dealt.words[20:]] == [ids.tolist() for ids in own.words[20:]]
    assert sorted(int(ids[0]) for ids in dealt.words[5:20]) == list(range(5, 20))
    assert [ids.tolist() for ids in dealt.words[5:20]] != [ids.tolist() for ids in own.words[5:20]]
