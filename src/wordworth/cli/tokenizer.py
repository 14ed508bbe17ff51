"""`wordworth tokenizer`: train a WordPiece tokenizer on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.text.corpus.documents import CorpusSettings
from wordworth.text.wordpiece_settings import WordPieceSettings


@click.command("tokenizer")
@click.argument("corpus", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the tokenizer.")
@settings_options(WordPieceSettings, CorpusSettings)
def command(corpus: tuple[Path, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train a WordPiece tokenizer on a corpus. The same corpus gives the same tokenizer, to the byte.

    CORPUS is a folder or files: .txt, .jsonl or .parquet, also compressed (.gz, .xz, .zst, .bz2).

    \b
    Examples:
      wordworth tokenizer corpus/ --size 16000 --out tok/
      wordworth tokenizer notes.jsonl --text note --cased --size 8000 --out tok/
    """
    from wordworth.text.new_tokenizer import tokenizer

    trained = tokenizer(corpus, out=out, progress=Bars(), **chosen(choices))
    rate, unknown = trained.pieces / trained.words, 100 * trained.unknown / trained.words
    size = trained.tokenizer.vocab_size
    say(f"{out}: {size:,} pieces, {rate:.3f} per word over {trained.words:,} words, {unknown:.3f} % of them unknown")
