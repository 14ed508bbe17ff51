"""Tasks that have a name: one file each, imported when it is asked for.

A name may have a variant after a colon (`xnli:fr`, `americasnli:aym`). Other packages offer theirs through the entry
points `wordworth.tasks`, each a `DatasetSpec`.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.tasks.formats.assembly import assemble, check_match
from wordworth.tasks.formats.dataset_spec import DatasetSpec
from wordworth.tasks.formats.part import Part
from wordworth.tasks.task import Task

ENTRY_POINTS = "wordworth.tasks"
"""The group under which another package offers tasks: each entry a `DatasetSpec`."""

_GLUE = ("cola", "sst2", "mrpc", "stsb", "qqp", "mnli", "mnli_mm", "qnli", "rte", "wnli")
_OWN = (
    *_GLUE,
    *("squad1", "squad2", "new_wiki", "nyt", "amazon_reviews", "reddit"),
    *("swag", "hellaswag", "codah", "dream"),
    *("conll2003", "conll2002_es", "conll2002_nl", "ncbi_disease", "bc5cdr"),
    *("xnli", "xnli_ko", "americasnli"),
)

__all__ = ["ENTRY_POINTS", "DatasetSpec", "find_dataset_spec", "glue_names", "named_task", "names"]


def names() -> tuple[str, ...]:
    """The named tasks: ours, then those of other packages; no file of a task is imported."""
    return (*_OWN, *(point.name for point in entry_points(group=ENTRY_POINTS)))


def glue_names() -> tuple[str, ...]:
    """The columns of GLUE: its nine tasks, MNLI's two dev parts apart."""
    return _GLUE


def find_dataset_spec(name: str) -> DatasetSpec:
    """The data set of that name; it need not be on this machine.

    Raises:
        BadInput: there is none, or it has no such variant.
    """
    base, _, variant = name.partition(":")
    if base in _OWN:
        module = import_module(f"wordworth.tasks.datasets.{base}")
        if not variant:
            found: DatasetSpec = module.TASK
            return found
        if not hasattr(module, "variant"):
            raise BadInput(f"{base} has no variants", mend=f"write {base}")
        chosen: DatasetSpec = module.variant(variant)
        return chosen
    point = next((point for point in entry_points(group=ENTRY_POINTS) if point.name == name), None)
    if point is None:
        raise BadInput(f"no named task {name!r}", mend=nearest(name, names()))
    offered = point.load()
    if not isinstance(offered, DatasetSpec):
        raise BadInput(f"{point.value} is no named task", where=point.name, mend="see wordworth.testing.tasks")
    return offered


def named_task(
    name: str, *, folder: Path | str | None = None, learn_from: str | None = None, held_out: str | None = None
) -> Task:
    """The task of that name: its training part to learn from, its dev part (or test, where it has no dev) to test on.

    Args:
        name: one of `names()`, with a variant where it has some.
        folder: the user's own folder of its files; else `$WORDWORTH_DATA/<name>` and the Hugging Face hub's cache are
            looked through. Nothing is downloaded.
        learn_from: another named task to learn from, of the same kind and classes: its training part, or whatever
            public part it has.
        held_out: the part to test on, `dev` or `test`.

    Raises:
        BadInput: there is no such task or part, or its files are not here; says which files to put where.
    """
    chosen, own = find_dataset_spec(name), None if folder is None else Path(folder)
    part = held_out or chosen.held_out
    other = learn_from or (None if "train" in chosen.part_names else chosen.train_from)
    if other is None:
        found = chosen.parts(("train", part), own)
        train, source = found["train"], f"{name}'s train part"
        return assemble(chosen, train, found[part], _said(source, train, name, part, found[part]))
    teacher = find_dataset_spec(other)
    check_match(chosen, teacher)
    taught = "train" if "train" in teacher.part_names else teacher.held_out
    train = teacher.parts((taught,), None if learn_from is None else own)[taught]
    test = chosen.parts((part,), own)[part]
    return assemble(chosen, train, test, _said(f"{other}'s {taught} part", train, name, part, test))


def _said(source: str, train: Part, name: str, part: str, test: Part) -> str:
    return f"Learns from {source} ({len(train):,} examples), measured on {name}'s {part} part ({len(test):,})."
