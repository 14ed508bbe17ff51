"""Every kind of task has a head."""

from wordworth.testing.sample_tasks import sample_task
from wordworth.training.task_heads import head_of


def test_every_kind_has_a_head_and_only_unanswerable_questions_may_be_left_unanswered():
    kinds = {kind: head_of(sample_task(kind)) for kind in ("single", "regression", "choice", "tags", "span")}
    assert kinds["regression"].num_scores == kinds["choice"].num_scores == 1
    assert kinds["span"].threshold is None
