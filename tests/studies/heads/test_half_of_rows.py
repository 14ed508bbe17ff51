"""A half of the rows measures what ablating heads changes beside the whole model on the same rows."""

import numpy as np

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.head_importance import head_importance
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import PairedChanges
from wordworth.progress import SILENT
from wordworth.studies.heads.ablation import AblatedModel
from wordworth.studies.heads.half_of_rows import Half
from wordworth.testing.sample_tasks import sample_task


def test_the_change_is_the_score_with_heads_ablated_less_that_of_the_whole_model(run):
    network, task = read_run(run).network, sample_task("single")
    examples, accuracy = labelled_inputs(network, task, task.test[:30]), metric("accuracy", task.classes)
    with SILENT.step("heads", 1) as step:
        mean_output = head_importance(network.tuned, examples, step).mean_output
        model = AblatedModel(network.tuned, (2, 4), False, mean_output, step)
        whole, ablated = model.predict(examples), model.predict(examples, [(0, 1), (1, 2)], "mean")
        comparison = PairedChanges.of(accuracy, examples.labels, task.classes, 50, np.random.default_rng(0))
        half = Half(examples, comparison, whole)
        change = half.change(model, [(0, 1), (1, 2)], "mean")
    assert change.value == accuracy.score(examples.labels, ablated) - accuracy.score(examples.labels, whole)
