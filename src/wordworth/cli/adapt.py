"""`wordworth adapt`: continue the pretraining of a model on the text of your domain or language, or plan that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.training_options import FORMER_OPTIONS, override_option, progress, say_result
from wordworth.errors import BadInput
from wordworth.settings_validation import flag_of
from wordworth.studies.adaptation.settings import AdaptationSettings
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.training.pretraining.settings import AdaptSettings


@click.command("adapt", cls=Command, former_options={**FORMER_OPTIONS, "--pieces": "--new-subwords"})
@click.argument("model")
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="File or folder of text, or a token store. Repeatable.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder of the new model; with --plan of the plan and its page."
)
@click.option("--plan", is_flag=True, help="Write no model: say what adapting promises the texts of --task.")
@settings_options(AdaptationSettings, AdaptSettings, CorpusSettings)
@override_option
def command(model: str, corpora: tuple[Path, ...], out: Path | None, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Continue the pretraining of MODEL (a folder or a name) on text of your domain, task or language.

    \b
    Examples:
      wordworth adapt model/ --corpus notes/ --epochs 3 --out notes-model/
      wordworth adapt minilm --corpus notes/ --vocabulary extend --new-subwords 3000 --budget 1h --out notes-model/
      wordworth adapt model/ --corpus german/ --corpus english/ --sampling 0.7 --epochs 2 --out both/
      wordworth adapt model/ --plan --corpus notes/ --task train.csv --control news/ --out plan/
    """
    plan, used = choices.pop("plan"), chosen(choices)
    if plan:
        _plan(model, corpora, out, used)
        return
    if out is None:
        raise BadInput("adapting writes a model", where="--out", mend="give a folder for it")
    _refuse(used, set(_OF_PLANS), "is for a plan", "give --plan too, or leave it out")
    from wordworth.training.pretraining import adapt

    say_result(adapt(model, corpora, out=out, progress=progress(), **used))


_OF_PLANS = ("task", "control")


def _plan(model: str, corpora: tuple[Path, ...], out: Path | None, used: dict[str, Any]) -> None:
    """Print the verdict of a plan of the adaptation, and write its record and page if a folder is given.

    Args:
        model: the model to adapt.
        corpora: the files or folders of text.
        out: the folder of the plan; None writes nothing.
        used: name of each option that the user set -> its value.

    Raises:
        BadInput: an option is not for plans, or --task is missing.
    """
    _refuse(used, used.keys() - AdaptationSettings.__dataclass_fields__.keys(), "is not for a plan", "leave it out")
    if "task" not in used:
        raise BadInput("a plan needs the texts that the model is adapted for", where="--task", mend="give their file")
    from wordworth.cli.study_output import say_verdict
    from wordworth.reports.adaptation import pass_sentence
    from wordworth.studies.adaptation import plan_adaptation

    record = plan_adaptation(model, corpora, out=out, progress=progress(), **used)
    sentences = [finding.text for finding in record.findings if finding.name.startswith("verdict.")]
    say_verdict(record, out, "\n".join([record.verdict, *sentences, pass_sentence(record)]))


def _refuse(used: dict[str, Any], names: set[str], why: str, mend: str) -> None:
    for name in sorted(names & used.keys()):
        raise BadInput(f"this {why}", where=flag_of(name), mend=mend)
