"""`wordworth tokenizer`: train a WordPiece tokenizer on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.corpus_options import corpus_options, corpus_settings
from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars


@click.command("tokenizer")
@click.argument("corpus", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the tokenizer.")
@click.option(
    "--size",
    type=click.IntRange(min=6),
    default=16_000,
    show_default=True,
    help="Vocabulary size, special tokens included.",
)
@click.option("--cased", is_flag=True, help="Keep upper case and accents.")
@corpus_options
def command(corpus: tuple[Path, ...], out: Path, size: int, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train a WordPiece tokenizer on a corpus. The same corpus gives the same tokenizer, to the byte.

    CORPUS is a folder or files: .txt, .jsonl or .parquet, also compressed (.gz, .xz, .zst, .bz2).

    \b
    Examples:
      wordworth tokenizer corpus/ --size 16000 --out tok/
      wordworth tokenizer notes.jsonl --text note --cased --size 8000 --out tok/
    """
    from wordworth.text.train_wordpiece import WordPieceSettings, train_wordpiece

    settings = WordPieceSettings(size=size, lowercase=not choices["cased"], corpus=corpus_settings(choices))
    trained = train_wordpiece(corpus, out, settings, Bars())
    rate, unknown = trained.pieces / trained.words, 100 * trained.unknown / trained.words
    say(f"{out}: {size:,} pieces, {rate:.3f} per word over {trained.words:,} words, {unknown:.3f} % of them unknown")
