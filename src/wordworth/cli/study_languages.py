"""`wordworth study languages`: measure how well a model serves each language of your texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.languages.settings import NAMED_SETS, LanguagesSettings
from wordworth.text.read_compressed_file import check_file


@click.command("languages", cls=Command, several_values=True)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    required=True,
    help="Texts with their languages, and with labels, tags or translations; or a folder of tagged files, treebanks or "
    f"files of questions; or a published set by name: {', '.join(NAMED_SETS)}.",
)
@settings_options(LanguagesSettings)
@report_option
def command(data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Is my language served? Measure how well a model serves each language of your texts.

    The study measures pieces per word, unknown words, and accuracy with labels of the same and of another language. It
    also measures whether the vector nearest to a text's vector belongs to the text's translation, and whether the
    language can be predicted from each layer. Character n-grams and random weights are measured for comparison. Pairs
    of translations need no labels.

    The score is entity F1 for tagged sentences (a folder with en.conll, de.conll, …), and the attachment of words by a
    biaffine parser for treebanks (a folder with en.conllu, de.conllu, …). For the same questions in several languages
    (a folder with xquad.en.json, xquad.de.json, …, or the name xquad) the score is the F1 of answers.

    \b
    Examples:
      wordworth study languages --model minilm --data reviews.csv --out study/
      wordworth study languages --model xlm-r/ --data reviews.csv --language lang --source de --out study/
      wordworth study languages --model xlm-r/ --data sib200 --languages eng_Latn swh_Latn --out study/
      wordworth study languages --model xlm-r/ --data names/ --source en --out study/
      wordworth study languages --model xlm-r/ --data conll2002 --out study/
      wordworth study languages --model xlm-r/ --data treebanks/ --languages en_pud de_pud --out study/
      wordworth study languages --model xlm-r/ --data xquad --languages en de zh --out study/
      wordworth study languages --model xlm-r/ --data pairs.tsv --text source --translation english --out study/
    """
    if not data.is_dir() and (data.exists() or str(data) not in NAMED_SETS):
        check_file(data)
    from wordworth.studies.languages import languages

    say_verdict(languages(data, out=out, progress=Bars(), **chosen(choices)), out)
