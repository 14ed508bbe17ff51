"""What chooses never measures, and every prediction of a study is counted beforehand."""

import numpy as np
import pytest

from wordworth import seeds
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.head_importance import head_importance
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.progress import SILENT
from wordworth.studies.heads.ablation import AblatedModel
from wordworth.studies.heads.ablation_score_changes import measure, predictions_needed
from wordworth.studies.heads.half_of_rows import Half
from wordworth.studies.heads.pruning_curves import numbers_pruned
from wordworth.testing.sample_tasks import sample_task


class Counter:
    """A step that counts."""

    def __init__(self):
        self.done = 0

    def advance(self, number):
        self.done += number


@pytest.fixture
def halves(run):
    network, task, step = read_run(run).network, sample_task("single"), Counter()
    examples = [labelled_inputs(network, task, rows) for rows in (task.test[:20], task.test[20:50])]
    with SILENT.step("importance", 1) as quiet:
        importance = head_importance(network.tuned, examples[0], quiet)
    model = AblatedModel(network.tuned, (2, 4), False, importance.mean_output, step)
    made = []
    for part in examples:
        rng = seeds.child(0, "test", len(part))
        comparison = PairedChanges.of(metric("accuracy", task.classes), part.labels, task.classes, 100, rng)
        made.append(Half(part, comparison, model.predict(part)))
    step.done = 0
    return model, tuple(made), importance, step


def test_the_number_of_predictions_is_known_beforehand(halves):
    model, (choosing, measuring), importance, step = halves
    measured = measure(model, (choosing, measuring), (importance, importance.by_example), 0.01, 0)
    points = len(numbers_pruned(8, 6))
    choose, judge = predictions_needed((2, 4), len(measured.curves), points)
    assert step.done == choose * len(choosing.examples) + judge * len(measuring.examples)


def test_single_heads_and_layers_are_measured_where_nothing_was_chosen(halves):
    model, (choosing, measuring), importance, _ = halves
    measured = measure(model, (choosing, measuring), (importance, importance.by_example), 0.01, 0)
    change = measuring.change(model, [(0, 1)])
    assert measured.heads["zero"][0, 1].value == change.value
    assert np.array_equal(measured.heads["zero"][0, 1].draws, change.draws)
    whole_layer = measuring.change(model, [(1, head) for head in range(4)], "uniform")
    assert measured.layers["uniform"][1].value == whole_layer.value
    kept, change = measured.kept_one[0]
    assert change.value == measuring.change(model, [(0, head) for head in range(4) if head != kept]).value
    assert measured.pruned.value == measuring.change(model, measured.order[: measured.num_within_margin]).value


def test_the_order_by_ablation_is_chosen_on_the_half_that_chooses(halves):
    model, (choosing, measuring), importance, _ = halves
    measured = measure(model, (choosing, measuring), (importance, importance.by_example), 0.01, 0)
    heads = [(layer, head) for layer in range(2) for head in range(4)]
    costs = {head: -choosing.change(model, [head]).value for head in heads}
    kept = {max([head for head in heads if head[0] == layer], key=lambda head: costs[head]) for layer in range(2)}
    order = sorted((head for head in heads if head not in kept), key=lambda head: costs[head])
    first = measured.curves["by ablation"].changes[0]
    assert first.value == measuring.change(model, order[: measured.curves["by ablation"].pruned[0]]).value
