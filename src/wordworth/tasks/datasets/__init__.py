"""Named tasks: one file for each published data set, imported on demand.

A name may have a variant after a colon (`xnli:fr`, `americasnli:aym`). Other packages offer tasks of their own through
entry points of the group `wordworth.tasks`, each a `DatasetSpec`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from wordworth.errors import BadInput, nearest
from wordworth.registry import entry_points_of
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.dataset_spec import DatasetSpec, assemble, check_match
from wordworth.tasks.task import Task

ENTRY_POINTS = "wordworth.tasks"
"""The entry point group under which other packages offer tasks, each a `DatasetSpec`."""

_GLUE = ("cola", "sst2", "mrpc", "stsb", "qqp", "mnli", "mnli_mm", "qnli", "rte", "wnli")
_FILES = sorted(module.name for module in iter_modules(__path__))
_OWN = (*_GLUE, *(name for name in _FILES if name not in _GLUE))
_FORMER = {
    "new_wiki": "squadshifts_new_wiki",
    "nyt": "squadshifts_nyt",
    "reddit": "squadshifts_reddit",
    "amazon_reviews": "squadshifts_amazon",
}
"""Former name -> current name."""

__all__ = ["ENTRY_POINTS", "DatasetSpec", "find_dataset_spec", "glue_names", "named_task", "names"]


def names() -> tuple[str, ...]:
    """Return the names of all named tasks: first Wordworth's, then the tasks of other packages.

    No module of a task is imported.
    """
    return (*_OWN, *(point.name for point in entry_points_of(ENTRY_POINTS)))


def glue_names() -> tuple[str, ...]:
    """Return the names of GLUE's nine tasks, ten names in all: MNLI has one name for each of its two dev parts."""
    return _GLUE


def find_dataset_spec(name: str) -> DatasetSpec:
    """Return the data set with this current or former name, even if its files are not on this machine.

    Raises:
        BadInput: there is no data set with this name, or the data set has no such variant.
    """
    base, _, variant = _FORMER.get(name, name).partition(":")
    if base in _OWN:
        module = import_module(f"wordworth.tasks.datasets.{base}")
        if not variant:
            own: DatasetSpec = module.TASK
            return own
        if not hasattr(module, "variant"):
            raise BadInput(f"{base} has no variants", mend=f"write {base}")
        chosen: DatasetSpec = module.variant(variant)
        return chosen
    point = next((point for point in entry_points_of(ENTRY_POINTS) if point.name == name), None)
    if point is None:
        raise BadInput(f"no named task {name!r}", mend=nearest(name, names()))
    offered = point.load()
    if not isinstance(offered, DatasetSpec):
        raise BadInput(f"{point.value} is not a DatasetSpec", where=point.name, mend="see wordworth.testing.tasks")
    return offered


def named_task(
    name: str, *, folder: Path | str | None = None, learn_from: str | None = None, held_out: str | None = None
) -> Task:
    """Load a named task, with its training part to learn from and its dev part (else its test part) to test on.

    Args:
        name: one of `names()`, with a variant after a colon where the task has variants.
        folder: the user's own folder of the task's files; otherwise `$WORDWORTH_DATA/<name>` and the Hugging Face hub's
            cache are searched. Nothing is downloaded.
        learn_from: another named task, of the same kind and classes, whose training part is learned from (or, without a
            training part, its dev or test part).
        held_out: the part to test on, `dev` or `test`.

    Raises:
        BadInput: there is no such task or part, or its files are not on this machine; the error says which files to put
            where.
    """
    chosen, user_folder = find_dataset_spec(name), None if folder is None else Path(folder)
    part = held_out or chosen.held_out
    other = learn_from or (None if "train" in chosen.part_names else chosen.train_from)
    if other is None:
        parts = chosen.parts(("train", part), user_folder)
        train, source = parts["train"], f"{name}'s train part"
        return assemble(chosen, train, parts[part], _parts_sentence(source, train, name, part, parts[part]))
    teacher = find_dataset_spec(other)
    check_match(chosen, teacher)
    teacher_part = "train" if "train" in teacher.part_names else teacher.held_out
    train = teacher.parts((teacher_part,), None if learn_from is None else user_folder)[teacher_part]
    test = chosen.parts((part,), user_folder)[part]
    return assemble(chosen, train, test, _parts_sentence(f"{other}'s {teacher_part} part", train, name, part, test))


def _parts_sentence(source: str, train: Part, name: str, part: str, test: Part) -> str:
    return f"Learns from {source} ({len(train):,} examples), measured on {name}'s {part} part ({len(test):,})."
