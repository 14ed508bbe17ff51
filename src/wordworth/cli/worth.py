"""`wordworth worth`: from a file of labelled text to a verdict."""

from __future__ import annotations

from collections.abc import Mapping
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
from wordworth.training.finetuning.unwritten_verdict import column_options, finetune_command, finetuned_folder

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
    from wordworth.studies.worth import worth_and_show

    planned = bool(choices["plan"])
    frozen = bool(choices["freeze"])
    if choices["to_label"] is not None and not was_given("out"):
        raise BadInput("the texts to label need a folder", where="--to-label", mend="name it with --out")
    folder = None if planned and not was_given("out") else out  # the usual folder is for the study itself

    def show(record: Record) -> None:
        say_verdict(record, None if frozen else folder, _plan_text(record) if planned else _verdict_text(record))

    record = worth_and_show({"data": data, "out": folder, "progress": Bars(), **chosen(choices)}, show)
    if choices["to_label"] is not None:
        say(study_command(out, choices))
    if not planned and not frozen and (commands := next_commands(record, data, out)):
        say(commands)


def next_commands(record: Record, data: Path, out: Path) -> str:
    """Return the command that serves the verdict's model; if `out` has no model, first the command that fine-tunes it.

    The result is "" if no model was written and the verdict names no fine-tuned model.

    Args:
        record: the record of the study.
        data: the file that was studied.
        out: the folder of the record, and of the model if one was written.
    """
    if find_model_folder(out) is not None:
        return f"wordworth serve {quote(str(out))}"
    made = finetune_command(record, data, out)
    return f"{made}\nwordworth serve {quote(str(finetuned_folder(out)))}" if made else ""


def study_command(out: Path, choices: Mapping[str, Any]) -> str:
    """Return the command line of a `worth` study that is tested on the texts to label next, once they have labels.

    Args:
        out: the folder of the plan, which holds the texts to label.
        choices: name of each option -> what the user chose.
    """
    from wordworth.studies.worth.planning.choose_texts_to_label import WEIGHT
    from wordworth.studies.worth.planning.texts_to_label_file import NAME

    tested = f"--test {quote(str(out / NAME))} --test-weight {WEIGHT} --skip-unusable"
    return f"wordworth worth {quote(str(choices['labels_so_far']))}{column_options(choices)} {tested}"


def _plan_text(record: Record) -> str:
    from wordworth.reports.labelling_plan import terminal_text

    return terminal_text(record)


def _verdict_text(record: Record) -> str:
    """Return the verdict of a study, then the findings on the categories and on the expected costs, if it has them."""
    further = [finding.text for finding in record.findings if finding.name in ("categories", "expected_costs")]
    return "\n".join([record.verdict, *further])
