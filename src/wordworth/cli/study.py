"""`wordworth study`: the group of the commands that study a model; each is imported when it is run.

A study of Wordworth has a module with its command, `study_NAME.py`. For a study of another package the command is made
from the study's settings.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.command import Command
from wordworth.cli.lazy_group import LazyGroup
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.settings_validation import flag_of
from wordworth.studies import STUDIES

if TYPE_CHECKING:
    from wordworth.studies.study import Study

OURS = {
    "context": "Measure how contextual a model's vectors are, layer by layer.",
    "words": "Score static tables on word benchmarks.",
    "senses": "Classify word senses by the nearest centroid; look at words one by one.",
    "similarity": "Split the cosine of two texts by pairs of their words: which words make them similar.",
    "attention": "Show what each attention head looks at in a text.",
    "neighbours": "Find the contexts of a corpus that are nearest to a word in its sentence.",
    "relations": "Find the attention heads that point from words to their syntactic heads.",
    "syntax": "Measure how much of a sentence's tree is in a model's vectors and attention.",
    "patterns": "Measure what each attention head of a transformer attends to.",
    "heads": "Find out which attention heads a fine-tuned model needs.",
    "finetuning": "Find out what fine-tuning changed in a model.",
    "commonsense": "Ask a model what pronouns stand for, how texts end and which of two sentences is grammatical.",
    "codes": "Predict codes at patients' visits, with an ontology and without.",
    "crossmodal": "Train a model on words and codes of video or sound, and test how well one predicts the other.",
    "entities": "Measure what the vectors of linked entities add to a model on your labelled texts.",
    "shrink": "Measure everything that makes a model smaller, on your own labels.",
    "layers": "Find the layers of an encoder that hold a label, and the one to take for it.",
    "languages": "Measure how well a model serves each language of your texts.",
    "sentences": "Score sentence vectors on pairs of texts: do their cosines say how alike the texts are?",
}


def studies() -> dict[str, str]:
    """Return name of a study -> its line of help: Wordworth's studies first, then the studies of other packages."""
    return OURS | {name: STUDIES.get(name).help for name in STUDIES.names() if name not in OURS}


class StudyGroup(LazyGroup):
    """The group of commands `wordworth study`, one command for each study."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the click command of a study; for a study of another package it is made from the study's settings.

        The result is None if no study is called `cmd_name`.

        Args:
            ctx: the click context of the group.
            cmd_name: name of the study.
        """
        if cmd_name in OURS or cmd_name not in STUDIES.names():
            return super().get_command(ctx, cmd_name)
        return command_of(STUDIES.get(cmd_name))


@click.group("study", cls=StudyGroup, offered=studies, modules="wordworth.cli.study_", called=("study", "Studies"))
def command() -> None:
    """Study what a model's vectors are like.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study words --models static/ glove --sets all
      wordworth study senses --model minilm
      wordworth study similarity "The film was great." "A wonderful movie."
      wordworth study attention "The cat sat because it was tired."
      wordworth study neighbours "He sat by the [bank] of the river." texts.csv
      wordworth study relations --treebank en_ewt-ud-dev.conllu
      wordworth study syntax --treebank en_ewt-ud-dev.conllu
      wordworth study patterns texts.csv
      wordworth study heads run/ --data dev.csv --out heads/
      wordworth study shrink run/ --data dev.csv --out shrink/
      wordworth study finetuning run/
      wordworth study commonsense --model mini --data wsc273 blimp
      wordworth study codes visits.csv --target-ontology atc.csv
      wordworth study crossmodal features.npy captions.csv
      wordworth study layers --tasks pos dep rel
      wordworth study languages --model minilm --data reviews.csv
      wordworth study sentences --model sbert/ --data pairs.csv
    """


def command_of(study: Study) -> click.Command:
    """Return a command for a study of another package, with an option for each input and each setting."""

    def run(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
        record = study(out=out, progress=Bars(), **chosen(choices))
        say_verdict(record, out)

    inputs = [click.option(flag_of(name), name, required=True, help=text) for name, text in study.inputs.items()]
    for option in (report_option, settings_options(study.settings), *reversed(inputs)):
        run = option(run)
    return click.command(study.kind, cls=Command, help=study.help, several_values=True)(run)
