"""The rungs that a study measures, and the encoders that the user's choice of rungs leaves out.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wordworth.representations.constant_baseline import Majority
from wordworth.representations.ladder import default_ladder, select_rungs
from wordworth.studies.worth.time_plan.scope import Scope

if TYPE_CHECKING:
    from wordworth.representations.rung import Rung
    from wordworth.studies.worth.rung_result import RungResult
    from wordworth.studies.worth.settings import WorthSettings
    from wordworth.tasks.task import Task


def rungs_of(task: Task, settings: WorthSettings, scope: Scope | None = None) -> list[Rung]:
    """Return the rungs that the study measures on a task, cheapest first.

    Args:
        task: the task.
        settings: the study's settings, which name models, vectors and rungs.
        scope: what the study may run within its budget of time; None leaves nothing out.
    """
    scope = scope or Scope.of(settings, len(task.used))
    ladder = default_ladder(
        task.kind,
        models=settings.models,
        vectors=settings.vectors,
        finetune=scope.finetune,
        vector_price=settings.vector_price,
        distil=scope.distil,
    )
    chosen = select_rungs(ladder, settings.rungs)
    return [rung.named_for(task) if isinstance(rung, Majority) else rung for rung in chosen]


def left_out_models(rung_results: Sequence[RungResult], settings: WorthSettings) -> tuple[str, ...]:
    """Return the encoders in `settings.models` that the study did not use because the user chose no contextual rung.

    The result is empty if the study has a contextual rung.
    """
    return () if any(result.rung.contextual for result in rung_results) else settings.models
