"""The sentences of a fine-tuning."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.training.finetuning.test_grid_search import Scripted

from wordworth.progress import SILENT
from wordworth.studies.finetune.findings import baseline, baseline_warning, grid_note, no_dev_warning, run_outcomes
from wordworth.studies.finetune.results import Scored, metrics_of
from wordworth.testing.sample_tasks import sample_task
from wordworth.text.entity_link_tokenizer import LinkedTokenizer
from wordworth.training.finetuning.dev_split import Split
from wordworth.training.finetuning.grid_search import candidates, grid_search
from wordworth.training.finetuning.settings import FinetuneSettings


def test_the_best_of_a_small_grid_is_on_its_way_and_not_called_dropped():
    points = candidates(FinetuneSettings(grid="paper", batch_size=16, learning_rate=5e-5), 768, 3000)
    several = [replace(point, learning_rate=number) for number, point in enumerate(points)]
    best, told = grid_search(several, Scripted({0: 0.1, 1: 0.9, 2: 0.5}), Split(*(np.arange(300),) * 3), SILENT)
    assert (best.learning_rate, [one.state for one in told]) == (1, ["pruned", "paused", "pruned"])
    by_runs = grid_note(SimpleNamespace(tried=told))
    assert "3 settings" in by_runs
    assert "a quarter of their updates, the best one for a half; 2 were dropped" in by_runs


@pytest.mark.parametrize(
    ("mean", "low", "beside"), [(0.1, 0.05, "below"), (0.52, 0.1, "not significantly above"), (1, 1, "")]
)
def test_a_score_below_the_most_frequent_class_is_told_before_one_trusts_it(mean, low, beside):
    told = baseline_warning(sample_task("single", 60), Scored("accuracy", "accuracy", np.array([mean]), low, 1.0))
    if not beside:
        assert told is None
        return
    assert told.name == "warning.unlearned"
    assert told.text.startswith(
        f"The score, {100 * mean:.1f}, is {beside} a baseline without a model: predicting the most frequent"
    )


def test_a_choice_stands_beside_guessing():
    task = sample_task("choice", 60)
    options = tuple(one[:2] if row % 2 else one[:3] for row, one in enumerate(task.examples.options))
    given = replace(task, examples=replace(task.examples, options=options))
    chance = np.mean([1 / len(options[row]) for row in task.test])
    assert baseline(given) == pytest.approx(chance)


def test_where_questions_may_have_no_answer_a_score_stands_beside_that_of_answering_none():
    task = sample_task("span", 60)
    labels = task.labels.copy()
    labels[::4] = [()] * len(labels[::4])
    answered, some_not = (baseline(one) for one in (task, replace(task, labels=labels)))
    assert answered is None
    assert some_not == pytest.approx(np.mean([row % 4 == 0 for row in task.test]))
    assert metrics_of(task) == ("span_f1", "exact_match")
    assert metrics_of(replace(task, labels=labels)) == ("span_f1", "exact_match", "has_answer_f1", "no_answer_f1")


@pytest.mark.parametrize(("answered", "said"), [(True, False), (False, True)])
def test_without_a_dev_part_it_is_said_that_no_threshold_was_tuned(answered, said):
    task = sample_task("span", 60)
    labels = task.labels.copy()
    labels[::4] = labels[::4] if answered else [()] * len(labels[::4])
    experiment = SimpleNamespace(split=SimpleNamespace(dev=[]), settings=FinetuneSettings(dev=0.1),
                            task=replace(task, labels=labels))  # fmt: skip
    assert (
        "no answer was not tuned either; a larger dev part does so"
        in no_dev_warning(SimpleNamespace(experiment=experiment)).text
    ) is said


def outcomes(task, tokenizer=None, runs=3):
    """The warnings by name of a fine-tuning with a dev part in which so many runs ended."""
    experiment = SimpleNamespace(
        task=task, encoder=SimpleNamespace(tokenizer=tokenizer), split=Split(task.train[2:], task.train[:2], task.test),
        inputs=SimpleNamespace(truncated=np.zeros(len(task.examples), bool)),
    )  # fmt: skip
    ended = [SimpleNamespace(state="finished", seed=seed) for seed in range(runs)]
    results = SimpleNamespace(experiment=experiment, restarts=ended, ended=ended)
    main = Scored("accuracy", "accuracy", np.ones(runs), 0.99, 1.0)
    return {warning.name: warning.text for warning in run_outcomes(results, main)}


def with_first_text(text):
    task = sample_task("classification", 30)
    return replace(task, examples=replace(task.examples, first=(text, *task.examples.first[1:])))


def test_links_that_a_model_without_entities_reads_as_letters_are_warned_of():
    assert outcomes(sample_task("classification", 30)) == {}
    warning = outcomes(with_first_text("a [[Q49|b]]"))["warning.links"]
    assert warning.startswith("1 of 30 texts has links to entities, such as [[Q49|b]]")


def test_one_run_and_two_are_warned_of_and_none_is_not():
    by_runs = {runs: list(outcomes(sample_task("classification", 30), runs=runs).values()) for runs in range(4)}
    assert by_runs[0] == by_runs[3] == []
    assert "nothing of the spread over seeds" in by_runs[1][0]
    assert "Two runs" in by_runs[2][0]


def test_a_link_that_does_not_end_is_told_of_a_model_with_entities():
    tokenizer = object.__new__(LinkedTokenizer)
    assert outcomes(with_first_text("a [[Q49|b]]"), tokenizer) == {}
    assert "a link that does not end" in outcomes(with_first_text("[[HD:T47|Danbapri is"), tokenizer)["warning.links"]
