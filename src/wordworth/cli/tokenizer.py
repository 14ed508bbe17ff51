"""`wordworth tokenizer`: train a tokenizer on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.subwords.settings import TokenizerSettings

if TYPE_CHECKING:
    from wordworth.text.subwords.train import CorpusCounts, TrainedTokenizer


@click.command("tokenizer")
@click.argument("corpus", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder for the tokenizer.")
@settings_options(TokenizerSettings, CorpusSettings)
def command(corpus: tuple[Path, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train a tokenizer on a corpus: WordPiece, byte-level or unigram. The same corpus gives the same bytes.

    CORPUS is a folder or files: .txt, .jsonl or .parquet, also compressed (.gz, .xz, .zst, .bz2). Several corpora, such
    as one per language, are weighted by --sampling.

    \b
    Examples:
      wordworth tokenizer corpus/ --size 16000 --out tok/
      wordworth tokenizer de/ fr/ sw/ --sampling 0.7 --cased --size 30000 --out tok/
      wordworth tokenizer corpus/ --algorithm byte-level --size 16000 --out tok/
      wordworth tokenizer notes.jsonl --text note --cased --size 8000 --out tok/
    """
    from wordworth.text.train_tokenizer import tokenizer

    trained = tokenizer(corpus, out=out, progress=Bars(), **chosen(choices))
    say(f"{out}: {trained.tokenizer.vocab_size:,} pieces, {_read(trained)}")
    for each in trained.corpora:
        say(f"  {each.name}: {_read(each)}")


def _read(counts: TrainedTokenizer | CorpusCounts) -> str:
    rate, unknown = counts.pieces / counts.words, 100 * counts.unknown / counts.words
    return f"{rate:.3f} per word over {counts.words:,} words, {unknown:.3f} % of them unknown"
