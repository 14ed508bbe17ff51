"""What a public function does not say of its parameters, the help of its settings says."""

import inspect
from dataclasses import dataclass

import pytest

import wordworth as ww
from wordworth.settings_docs import description, documented_by
from wordworth.settings_validation import setting


@dataclass(frozen=True)
class Settings:
    rate: float | None = setting(None, "Peak rate. [default: by the width]")
    text_b: str | None = setting(None, "Column of --text-b. Repeatable.")
    crf: bool = setting(False, "Decode with a CRF.")
    distil: bool = setting(True, "Do not distil.")
    sif: float = setting(1.0, "SIF smoothing of words, ...")


@documented_by(Settings)
def function(data, *, sif=1.0, text_b=None, rate=None, crf=False, distil=True, out=None):  # noqa: PLR0913
    """Do it.

    Args:
        data: a file, of which the description
            has two lines.
        crf: whether a CRF decodes.
        distil: whether there is a table.
        out: a folder.

    Returns:
        Nothing.
    """


def test_args_are_completed_in_the_order_of_the_parameters_and_what_is_written_stays():
    assert inspect.getdoc(function).splitlines() == [
        "Do it.",
        "",
        "Args:",
        "    data: a file, of which the description",
        "        has two lines.",
        "    sif: SIF smoothing of words, ...",
        "    text_b: column of `text_b`.",
        "    rate: peak rate; by default by the width.",
        "    crf: whether a CRF decodes.",
        "    distil: whether there is a table.",
        "    out: a folder.",
        "",
        "Returns:",
        "    Nothing.",
    ]


def test_a_switch_that_is_on_is_not_described_by_the_help_of_its_flag():
    assert description(Settings.__dataclass_fields__["distil"]) == ""


def test_a_docstring_without_args_gets_them_and_a_prefix_stands_before_each():
    @documented_by(Settings, prefix="with `data`: ")
    def short(*, crf=False):
        """Do it."""

    assert short.__doc__ == "Do it.\n\nArgs:\n    crf: with `data`: decode with a CRF.\n"


def test_a_function_without_a_docstring_stays_without():
    assert documented_by(Settings)(lambda crf: crf).__doc__ is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("worth", "\n    group: column of groups (an author, a document, a patient)"),
        ("finetune", "\n    learning_rate: peak learning rate; by default by the encoder's width."),
        ("finetune", "\n    text_b: with `data`: column of the second texts, for pairs."),
        ("finetune", "\n    seed: random seed."),
        ("pretrain", "\n    steps: length of the run in updates; else give `epochs` or `budget`."),
        ("study_heads", "\n    draws: bootstrap resamples of rows per interval."),
    ],
)
def test_help_in_python_says_what_the_command_line_says(name, said):
    assert said in inspect.getdoc(getattr(ww, name))
