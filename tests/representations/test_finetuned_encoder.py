"""Fine-tuning: it learns, it notices when it does not, and the number of threads changes nothing."""

import threading
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.array_cache import ArrayCache
from wordworth.representations import finetuning_run
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import QUICK, FineTuning
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.heads.cross_validation import split_off
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf_with_encoder import Hybrid
from wordworth.sentence_formatting import count_of
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.loop import Diverged

EAGER = FineTuning(least_steps=80, learning_rate=3e-3, head_learning_rate=1e-2, most_tokens=32)
BRIEF = replace(EAGER, least_steps=8, most_steps=8, least_epochs=0, restarts=0)


def opened(folder, tmp_path, kind="single", settings=EAGER, **changes):
    task = replace(sample_task(kind), **changes)
    return FineTuned(folder, settings).prepare(task, RunContext(ArrayCache(tmp_path)))


def fitted(learner, rows=None, seed=0):
    return learner.fit(learner.task.train if rows is None else rows, np.random.default_rng(seed))


@pytest.mark.parametrize("kind", ["single", "pair", "multilabel", "tags"])
def test_thirty_two_examples_are_learned_by_heart(tiny_folder, tmp_path, kind):
    learner = opened(tiny_folder, tmp_path, kind, replace(EAGER, least_steps=150))
    rows = learner.task.train[:32]
    said, gold = fitted(learner, rows).predict(rows), learner.task.gold(rows)
    if kind == "tags":
        right = np.concatenate(said) == np.concatenate(gold)
    elif kind == "multilabel":
        right = (said > 0) == gold
    else:
        right = said.argmax(1) == gold
    assert right.mean() > 0.95


def test_values_are_learned_in_their_own_units(tiny_folder, tmp_path):
    task = sample_task("regression")
    learner = opened(
        tiny_folder, tmp_path, "regression", replace(EAGER, least_steps=150), labels=1000 + 50 * task.labels
    )
    rows = task.train[:32]
    said, gold = fitted(learner, rows).predict(rows), learner.task.gold(rows)
    assert np.corrcoef(said, gold)[0, 1] > 0.9
    assert said.mean() == pytest.approx(gold.mean(), abs=25)


def test_a_run_that_learns_nothing_is_noticed_started_anew_and_said(tiny_folder, tmp_path):
    deaf = replace(BRIEF, learning_rate=1e-12, head_learning_rate=1e-12, restarts=1)
    chosen = fitted(opened(tiny_folder, tmp_path, settings=deaf)).chosen
    assert (chosen["collapsed"], chosen["restarts"]) == (True, 1)
    chosen = fitted(opened(tiny_folder, tmp_path)).chosen
    assert (chosen["collapsed"], chosen["restarts"]) == (False, 0)


def test_one_class_to_learn_from_is_no_collapse(tiny_folder, tmp_path):
    learner = opened(tiny_folder, tmp_path, settings=replace(BRIEF, restarts=1))
    rows = learner.task.train[learner.task.labels[learner.task.train] == 1][:6]
    predictor = fitted(learner, rows)
    assert predictor.chosen["restarts"] == 0
    assert set(predictor.predict(rows).argmax(1)) == {1}


def test_a_run_that_diverges_is_started_anew_and_the_last_one_s_error_is_told(tiny_folder, tmp_path, monkeypatch):
    learner, train = opened(tiny_folder, tmp_path, settings=replace(BRIEF, restarts=1)), finetuning_run.train_keep_best
    attempts = []

    def once(*given):
        attempts.append(1)
        if len(attempts) == 1:
            raise Diverged("loss nan")
        return train(*given)

    monkeypatch.setattr(finetuning_run, "train_keep_best", once)
    assert fitted(learner).chosen["restarts"] == 1

    def never(*_given):
        raise Diverged("loss nan")

    monkeypatch.setattr(finetuning_run, "train_keep_best", never)
    with pytest.raises(Diverged):
        fitted(learner)


def test_one_thread_two_threads_and_company_give_the_same_bytes(tiny_folder, tmp_path):
    learner, before = opened(tiny_folder, tmp_path, settings=BRIEF), torch.get_num_threads()
    said = {}

    def work(seed):
        said[seed] = fitted(learner, seed=seed).predict(learner.task.test)

    try:
        torch.set_num_threads(2)
        both = [threading.Thread(target=work, args=(seed,)) for seed in (0, 1)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        torch.set_num_threads(1)
        for seed in (0, 1):
            np.testing.assert_array_equal(fitted(learner, seed=seed).predict(learner.task.test), said[seed])
    finally:
        torch.set_num_threads(before)


def test_the_encoder_is_not_changed_by_fine_tuning_copies_of_it(tiny_folder, tmp_path):
    learner = opened(tiny_folder, tmp_path, settings=BRIEF)
    before = {name: value.clone() for name, value in learner.encoder.model.state_dict().items()}
    fitted(learner)
    assert all(torch.equal(value, before[name]) for name, value in learner.encoder.model.state_dict().items())


def test_long_texts_are_cut_and_counted(tiny_folder, tmp_path):
    notes = []

    class Listening:
        def note(self, message):
            notes.append(message)

    rung = FineTuned(tiny_folder, replace(BRIEF, most_tokens=8))
    learner = rung.prepare(sample_task("single"), RunContext(ArrayCache(tmp_path), progress=Listening()))
    assert learner.tokenized.lengths.max() == 8
    assert 0 < learner.tokenized.num_truncated <= len(learner.task.examples)
    assert "beginning and end" in notes[0]
    longer = count_of(learner.tokenized.num_truncated, "is", "are")
    assert f"of {len(learner.task.examples)} texts, {longer} longer than 8" in notes[0]
    assert fitted(learner).chosen["cut"] == learner.tokenized.truncated[learner.task.train].sum()
    assert learner.max_tokens == 8
    assert learner.num_truncated(learner.task.train) == learner.tokenized.truncated[learner.task.train].sum()


def test_many_labels_hold_some_out_and_keep_the_best_look(tiny_folder, tmp_path):
    learner = opened(tiny_folder, tmp_path, settings=replace(EAGER, stop_from=40, evaluations=3))
    chosen = fitted(learner).chosen
    assert chosen["held_out"] == len(learner.task.train) // 10
    assert chosen["steps"] in {26, 53, 80}


def test_where_the_metric_cares_for_rare_classes_scores_are_adjusted_on_the_held_out_part(
    tiny_folder, tmp_path, monkeypatch
):
    """A network that learned next to nothing always gives the common class: the adjustment mends that."""
    monkeypatch.setattr(finetuning_run, "HELD_OUT_PART", 2)
    deaf = replace(BRIEF, learning_rate=1e-12, head_learning_rate=1e-12, stop_from=40)
    labels = (np.random.default_rng(0).random(len(sample_task("single").labels)) < 0.3).astype(np.int64)
    found = {
        metric: fitted(opened(tiny_folder, tmp_path, settings=deaf, labels=labels, metric=metric))
        for metric in ("accuracy", f"f1:{sample_task('single').classes[1]}")
    }
    plain, adjusted = found.values()
    rows = plain.learner.task.test
    assert plain.chosen["tau"] == 0
    assert adjusted.chosen["tau"] > 0
    shift = np.diff(adjusted.predict(rows) - plain.predict(rows), axis=1)[:, 0]
    assert (shift > 0).all()
    assert plain.calibration.held_out == adjusted.calibration.held_out == plain.chosen["held_out"] > 0
    both = [predictor.calibration.probabilities(predictor.predict(rows)) for predictor in (plain, adjusted)]
    assert np.allclose(*both, atol=1e-5)  # probabilities take the adjustment back


def test_of_few_labels_a_fifth_is_held_out_only_where_there_is_a_tau_to_choose(tiny_folder, tmp_path):
    labelled = len(opened(tiny_folder, tmp_path, settings=BRIEF).task.train)
    by_accuracy, by_f1 = (
        fitted(opened(tiny_folder, tmp_path, settings=BRIEF, metric=metric)).chosen
        for metric in ("accuracy", "macro_f1")
    )
    assert (by_accuracy["held_out"], by_f1["held_out"]) == (0, labelled // 5)
    assert fitted(opened(tiny_folder, tmp_path, settings=BRIEF, metric="accuracy")).calibration == NOT_CALIBRATED
    assert by_f1["steps"] == by_accuracy["steps"], "the last step is kept, whatever the few held-out labels say"


def test_the_rows_held_out_are_of_groups_that_it_does_not_learn_from(tiny_folder, tmp_path, monkeypatch):
    splits = []

    def watched(target, rng, part):
        splits.append((target, *split_off(target, rng, part)))
        return splits[-1][1:]

    monkeypatch.setattr(finetuning_run, "split_off", watched)
    examples = sample_task("single").examples
    for authors in (9, 1):
        grouped = replace(examples, groups=tuple(row % authors for row in range(len(examples))))
        fitted(opened(tiny_folder, tmp_path, settings=replace(EAGER, stop_from=40, evaluations=3), examples=grouped))
    target, training, held_out = splits[0]
    assert len(held_out) > 0
    assert not set(target.groups[training]) & set(target.groups[held_out])
    assert len(splits[-1][2]) == 0, "of one group nothing can be held out"


@given(count=st.integers(0, 5000), longest=st.integers(3, 600), seed=st.integers(0, 9))
def test_a_plan_keeps_to_its_budget_and_never_stands_still(count, longest, seed):
    lengths = np.random.default_rng(seed).integers(3, longest + 1, count)
    for settings in (FineTuning(), QUICK):
        plan = settings.plan(lengths)
        epochs = settings.least_epochs * -(-count // settings.batch_size)
        assert 1 <= plan.steps <= max(settings.most_steps, epochs)
        assert plan.tokens <= settings.budget or plan.steps == 1
        assert plan == settings.plan(lengths[::-1].copy())


def test_names_follow_the_model():
    assert (Frozen("minilm").name, Hybrid("minilm").name) == ("minilm", "tfidf+minilm")
    assert FineTuned("minilm").name == "minilm-finetuned"
    assert Frozen("some/where/my-bert").name == "my-bert"
