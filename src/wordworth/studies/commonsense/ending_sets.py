"""Read texts with several endings: COPA, HellaSwag, SWAG, CODAH, and tables of a user's own."""

from __future__ import annotations

from collections.abc import Iterator

from wordworth.studies.commonsense.items import Choice
from wordworth.tasks.formats.copa import CONNECTIVES, COPA
from wordworth.tasks.formats.multiple_choice import Choices
from wordworth.text.file_formats.table import TextTable

_FOUR = ("ending0", "ending1", "ending2", "ending3")
LAYOUTS = (
    COPA,
    Choices(first="prompt", options=_FOUR, label="label"),  # CODAH
    Choices(first="sent1", second="sent2", options=_FOUR, label="label"),  # SWAG
    Choices(first="ctx_a", second="ctx_b", options=("endings",), label="label"),  # HellaSwag
    Choices(first="context", options=("endings",), label="label"),
)


def layout_of(table: TextTable) -> Choices | None:
    """Return the first of `LAYOUTS` whose columns a table has; None if the table has the columns of none."""
    return next((layout for layout in LAYOUTS if set(_columns(layout)) <= table.columns.keys()), None)


def _columns(layout: Choices) -> tuple[str, ...]:
    return (layout.first, *layout.options, layout.label, *([layout.second] if layout.second else []))


def ending_items(layout: Choices, table: TextTable) -> Iterator[Choice]:
    """Yield the item of each row of a table of endings.

    Args:
        layout: the columns of the table.
        table: the table.

    Raises:
        BadInput: a label is not the number of an ending, or a row has fewer than two endings; the error names the line.
    """
    examples, labels = layout.examples(table)
    second = examples.second or ("",) * len(examples)
    for first, then, options, label in zip(examples.first, second, examples.options or (), labels, strict=True):
        if layout is COPA and then in CONNECTIVES:
            before = f"{first.rstrip().rstrip('.')} {CONNECTIVES[then]} "
            endings = tuple(_continued(option.strip()) for option in options)
        else:
            before = " ".join(filter(None, (first.strip(), then.strip()))) + " "
            endings = tuple(option.strip() for option in options)
        yield Choice(before, endings, "", int(label))


def _continued(sentence: str) -> str:
    """Return a sentence with a small first letter, to follow a connective; `I` stays as it is."""
    return sentence if sentence[:2] in {"I ", "I'"} else sentence[:1].lower() + sentence[1:]
