"""`wordworth worth`: from a file of labelled text to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options, todays_kind, was_given
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.errors import BadInput
from wordworth.studies.worth.planning.settings import PlanSettings
from wordworth.studies.worth.settings import WorthReadSettings, WorthSettings
from wordworth.training.finetuning.run_folder import find_model_folder

if TYPE_CHECKING:
    from wordworth.records import Record


@click.command("worth", cls=Command, former_options={"--epsilon": "--margin"})
@click.argument("data", type=click.Path(path_type=Path))
@settings_options(WorthReadSettings, WorthSettings, PlanSettings, kind=todays_kind)
@report_option
def command(data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Say whether your labelled text needs a contextual encoder, or whether something far cheaper will do.

    DATA is a CSV, TSV, JSON Lines, Parquet or CoNLL file. The verdict is printed; the record
    and the page go to --out, and so does the model that the verdict names, which wordworth serve and predict read.

    \b
    Examples:
      wordworth worth reviews.csv --text text --label label --out run/
      wordworth worth march.csv --test april.csv --metric f1:refund
      wordworth worth pairs.csv --text question --text-b answer --label score --kind regression
      wordworth worth pairs.csv --category phenomenon
      wordworth worth reviews.csv --quick
      wordworth worth --plan texts.csv --text text --labels-so-far some.csv --label label
      wordworth worth --plan texts.csv --labels-so-far some.csv --to-label 200 --out next/
      wordworth worth some.csv --test next/to_label.csv --test-weight sampling_weight
      wordworth worth reviews.csv --out run/ --freeze
    """
    from wordworth.studies.worth import worth

    planned = bool(choices["plan"])
    frozen = bool(choices["freeze"])
    if choices["to_label"] is not None and not was_given("out"):
        raise BadInput("the texts to label need a folder", where="--to-label", mend="name it with --out")
    folder = None if planned and not was_given("out") else out  # the usual folder is for the study itself
    record = worth(data, out=folder, progress=Bars(), **chosen(choices))
    say_verdict(record, None if frozen else folder, _plan_text(record) if planned else _verdict_text(record))
    if choices["to_label"] is not None:
        say(study_command(out, choices))
    if not planned and not frozen and (commands := next_commands(record, data, out, choices)):
        say(commands)


def next_commands(record: Record, data: Path, out: Path, choices: Mapping[str, Any]) -> str:
    """Return the command that serves the model of the verdict; for a fine-tuned model, first the command that makes it.

    Args:
        record: the record of the study.
        data: the file that was studied.
        out: the folder of the record, and of the model if one was written.
        choices: name of each option -> what the user chose.
    """
    from wordworth.representations.ladder import FINETUNED
    from wordworth.sources import short_name

    if find_model_folder(out) is not None:
        return f"wordworth serve {quote(str(out))}"
    rung = str(record.finding("verdict").numbers.get("rung", ""))
    model = next((each for each in choices["models"] if rung == f"{short_name(each)}{FINETUNED}"), None)
    if model is None:
        return ""
    target = quote(str(out.with_name(f"{out.name}-finetuned")))
    flags = [(f"--{name.replace('_', '-')}", choices[name]) for name in ("text", "text_b", "label", "kind", "format")]
    columns = "".join(f" {flag} {quote(str(value))}" for flag, value in flags if value is not None)
    made = f"wordworth finetune --data {quote(str(data))}{columns} --model {quote(model)} --out {target}"
    return f"{made}\nwordworth serve {target}"


def study_command(out: Path, choices: Mapping[str, Any]) -> str:
    """Return the command of the study that tests on the texts to label next, once they have labels.

    Args:
        out: the folder of the plan, which holds the texts to label.
        choices: name of each option -> what the user chose.
    """
    from wordworth.studies.worth.planning.choose_texts_to_label import WEIGHT
    from wordworth.studies.worth.planning.texts_to_label_file import NAME

    columns = "".join(
        f" --{name.replace('_', '-')} {quote(str(value))}"
        for name in ("text", "text_b", "label", "kind", "format")
        for value in _each(choices[name])
    )
    tested = f"--test {quote(str(out / NAME))} --test-weight {WEIGHT} --skip-unusable"
    return f"wordworth worth {quote(str(choices['labels_so_far']))}{columns} {tested}"


def _each(choice: object) -> Sequence[object]:
    """Return the values of an option that may be given several times; none where it was not given."""
    return choice if isinstance(choice, list | tuple) else () if choice is None else (choice,)


def _plan_text(record: Record) -> str:
    from wordworth.reports.labelling_plan import terminal_text

    return terminal_text(record)


def _verdict_text(record: Record) -> str:
    """The verdict; where context helps if categories were named; and what texts cost if costs were given."""
    further = [finding.text for finding in record.findings if finding.name in ("categories", "expected_costs")]
    return "\n".join([record.verdict, *further])
