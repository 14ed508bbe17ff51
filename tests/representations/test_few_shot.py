"""The few-shot rung: it passes the checks of every rung, gains by its training, and stands on a ladder by name."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.representations.few_shot import FewShot
from wordworth.representations.few_shot_settings import FewShotTraining
from wordworth.representations.ladder import default_ladder, select_rungs
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.rung_result import RungResult
from wordworth.studies.worth.vocabulary_coverage_warnings import cut_findings
from wordworth.testing.rungs import rung_checks
from wordworth.testing.sample_tasks import sample_task

BRIEF = FewShotTraining(most_steps=6)


@pytest.mark.parametrize("check", rung_checks(), ids=lambda check: check.__name__)
def test_it_is_a_rung(tiny_folder, check):
    check(FewShot(tiny_folder, BRIEF))


def test_training_changes_the_encoder_of_the_fit_alone(tiny_folder):
    task = sample_task("single")
    learner = FewShot(tiny_folder, replace(BRIEF, learning_rate=1e-3)).prepare(task, RunContext())
    texts = list(task.examples.first[:8])
    before = learner.encoder.embed(texts).vectors
    trained = learner.fit(task.train[:24], np.random.default_rng(0)).encoder.embed(texts).vectors
    assert np.array_equal(learner.encoder.embed(texts).vectors, before)
    assert np.abs(trained - before).max() > 1e-3


def test_labels_of_one_class_are_answered_without_training(tiny_folder):
    task = sample_task("single")
    learner = FewShot(tiny_folder, BRIEF).prepare(task, RunContext())
    gold = np.asarray(task.gold(task.train))
    fitted = learner.fit(task.train[gold == gold[0]][:5], np.random.default_rng(0))
    assert fitted.encoder is learner.encoder
    assert fitted.chosen["steps"] == 0
    assert set(fitted.predict(task.test).argmax(1)) == {gold[0]}


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_no_texts_are_held_out_to_choose_a_tau(tiny_folder, metric):
    task = replace(sample_task("single"), metric=metric)
    fitted = FewShot(tiny_folder, BRIEF).prepare(task, RunContext()).fit(task.train[:20], np.random.default_rng(0))
    assert fitted.head.chosen["tau"] == 0
    assert set(fitted.chosen) == {"steps", "strength"}, "what is chosen besides is written into the record"


@pytest.mark.parametrize("kind", ["pair_classification", "regression", "multilabel", "tagging"])
def test_tasks_of_other_than_one_label_a_text_have_no_such_rung(kind):
    with pytest.raises(BadInput, match="no rung for this kind of task is called 'minilm-fewshot'"):
        select_rungs(default_ladder(kind), ["minilm-fewshot"])


def test_long_texts_are_cut_and_counted(tiny_folder):
    task, notes = sample_task("single"), []

    class Listening:
        def note(self, message):
            notes.append(message)

    learner = FewShot(tiny_folder, replace(BRIEF, most_tokens=8)).prepare(task, RunContext(progress=Listening()))
    whole = FewShot(tiny_folder, BRIEF).prepare(task, RunContext())
    longer = whole.lengths > 8
    assert 0 < longer.sum() < len(longer)
    assert (whole.num_truncated(task.used), learner.max_tokens) == (0, 8)
    assert [learner.num_truncated(rows) for rows in (task.used, task.test)] == [longer.sum(), longer[task.test].sum()]
    assert f"of {len(longer)} texts, {longer.sum()} are longer than 8 tokens; training reads their" in notes[0]
    (warning,) = cut_findings([RungResult(FewShot(tiny_folder), learner)], task)
    assert "is trained on only the first 8 tokens of a text; longer are " in warning.text
    assert f"{longer.sum()} of the {len(longer)} texts ({longer[task.test].sum()} of the " in warning.text


def test_a_study_has_it_only_where_it_is_named():
    ladder = default_ladder("single")
    assert "minilm-fewshot" not in {rung.name for rung in select_rungs(ladder, ())}
    assert {rung.name for rung in select_rungs(ladder, ["minilm-fewshot"])} == {"majority", "minilm-fewshot"}
