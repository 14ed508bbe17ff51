"""`wordworth phrases`: find the phrases of a corpus by statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.sentence_formatting import count_of
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.training.objectives.masking.phrase_settings import PhraseSettings

_EXAMPLES = 5


@click.command("phrases")
@click.argument("corpus", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="File for the phrases.")
@settings_options(PhraseSettings, CorpusSettings)
def command(corpus: tuple[Path, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find the phrases of a corpus by statistics, for `pretrain --lexicon` and `adapt --lexicon` to mask them whole.

    CORPUS is a folder or files of text, or a token store. Neighbouring words that occur together far more often than by
    chance are a phrase; each line of OUT has a phrase, its score and its number of occurrences.

    \b
    Examples:
      wordworth phrases corpus/ --tokenizer tok/ --out phrases.txt
      wordworth phrases corpus/ --tokenizer tok/ --scoring word2phrase --threshold 50 --out phrases.txt
    """
    from wordworth.training.objectives.masking.find_phrases import phrases

    result = phrases(corpus, out=out, progress=Bars(), **chosen(choices))
    examples = ", ".join(each.text for each in result[:_EXAMPLES])
    say(f"{out}: {count_of(len(result), 'phrase')}, such as {examples}")
