"""The findings: what is said of whom, and of what misleads."""

from dataclasses import replace

import numpy as np
from tests.studies.crossmodal.test_folds import sequences
from tests.studies.crossmodal.test_scores import made

from wordworth.studies.crossmodal.findings import findings
from wordworth.studies.crossmodal.folds import folds_of
from wordworth.studies.crossmodal.scores import score_all
from wordworth.studies.crossmodal.settings import CrossmodalSettings

GROUPS = [f"g{number // 2}" for number in range(24)]


def said(paired, shuffled, folds=3, own=None, **chosen):
    own, done = own or sequences(GROUPS), made([paired], [shuffled])
    return findings(CrossmodalSettings(**chosen), own, folds_of(own, folds, 0), done, score_all(done, GROUPS, 200, 0))


def test_what_is_above_chance_and_control_is_called_so():
    sentences = said(np.ones(24), np.zeros(24))
    assert "surely above chance, and surely above the same training on shuffled pairs" in sentences[0].text
    assert sentences[0].numbers["alignment"] == 1


def test_what_is_as_the_control_is_not_called_above():
    sentences = said(np.tile([1.0, 0.0], 12), np.tile([0.0, 1.0], 12))
    assert "not surely different from chance" in sentences[0].text


def test_one_run_few_groups_and_trainings_that_were_cut_are_warned_of():
    names = {each.name for each in said(np.ones(24), np.zeros(24), steps=1)}
    assert {"warning.few-runs", "warning.still_learning"} <= names
    assert "warning.few_groups" not in names
    assert "warning.few-runs" not in {each.name for each in said(np.ones(24), np.zeros(24), runs=3)}


def test_what_it_names_has_its_own_score_and_no_brackets_in_brackets():
    text = said(np.ones(24), np.zeros(24))[0].text
    assert "a masked code from the words alone in 100.0 %" in text
    assert "((" not in text
    assert "))" not in text


def test_fewer_folds_than_were_asked_for_are_warned_of():
    assert "warning.fewer_folds" not in {each.name for each in said(np.ones(24), np.zeros(24), group_folds=3)}
    (warning,) = [
        each for each in said(np.ones(24), np.zeros(24), folds=40, group_folds=40) if each.name == "warning.fewer_folds"
    ]
    assert warning.text.startswith("There are 12 folds, not the 40 asked for")


def test_rows_of_features_of_several_groups_are_a_leak_that_is_warned_of():
    apart = sequences(GROUPS)
    apart.bounds[:] += np.arange(24)[:, None] // 2  # a row for each group
    names = {each.name for each in said(np.ones(24), np.zeros(24), own=apart)}
    assert "warning.shared_rows" not in names
    apart.bounds[3] = 0, 2  # of the second group, and the first has row 0
    (warning,) = [each for each in said(np.ones(24), np.zeros(24), own=apart) if each.name == "warning.shared_rows"]
    assert warning.text.startswith("1 of 12 rows of features is in sequences of several groups")
    assert warning.numbers == {"rows": 1}
    parted = replace(apart, parts=("train",) * 8 + ("valid",) * 8 + ("test",) * 8)
    assert "warning.shared_rows" not in {each.name for each in said(np.ones(24), np.zeros(24), own=parted)}


def test_captions_that_are_all_alike_are_warned_of():
    own = sequences(GROUPS)
    (warning,) = [each for each in said(np.ones(24), np.zeros(24), own=own) if each.name == "warning.one_caption"]
    assert warning.text.startswith("All captions are 'one'")
    several = replace(own, texts=("two", *own.texts[1:]))
    assert "warning.one_caption" not in {each.name for each in said(np.ones(24), np.zeros(24), own=several)}
