"""`wordworth to-static`: distil a contextual encoder into a small static table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars


@click.command("to-static")
@click.argument("model")
@click.option("--corpus", type=click.Path(path_type=Path), multiple=True, help="File or folder of text. Repeatable.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of the table; or a .txt or .vec file of word2vec text.",
)
@click.option(
    "--method",
    metavar="[pc1|mean|pieces]",
    help="How the states of a word's occurrences become one vector. [default: pc1]",
)
@click.option(
    "--layer",
    type=int,
    help="Layer of the states: 0 is the input layer, -1 the last. [default: 1; for pieces the last]",
)
@click.option("--words", type=int, help="Vocabulary size: the most frequent words. [default: 20,000]")
@click.option("--least", type=int, help="Minimum count of a word. [default: 5]")
@click.option("--occurrences", type=int, help="Most occurrences of a word to read. [default: all]")
@click.option(
    "--width", type=int, help="Number of principal components to keep; 0 skips PCA. [default: 256, or all if fewer]"
)
@click.option("--remove-top", type=int, help="Number of common directions to remove. [default: 0]")
@click.option("--whiten", is_flag=True, default=None, help="Scale all components to the same variance.")
@click.option(
    "--sif", type=float, help="SIF smoothing, which weighs frequent words down; 0 disables it. [default: 0.001]"
)
@click.option(
    "--no-back-off",
    "back_off",
    flag_value=False,
    default=None,
    help="Do not spell unknown words in the encoder's pieces.",
)
@click.option("--text", default="text", show_default=True, help="Field of the texts in JSON Lines and Parquet files.")
@click.option(
    "--layout",
    type=click.Choice(["auto", "document", "lines", "sentences"]),
    default="auto",
    show_default=True,
    help="How a .txt file is split: one document, one document per line, one sentence per line.",
)
@click.option("--dtype", type=click.Choice(["float32", "bfloat16", "int8", "auto"]), default="float32")
def command(model: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Distil a contextual encoder into a static table, one vector per word, using your text.

    MODEL is an encoder: a name, a folder or a hub name. model2vec also loads the folder in --out; give it to `worth` as
    --vectors, and to `study words` as --model.

    \b
    Examples:
      wordworth to-static minilm --corpus texts/ --layer 1 --method pc1 --out static/
      wordworth to-static minilm --corpus notes.jsonl --method mean --remove-top 2 --out static/
      wordworth to-static minilm --method pieces --out static/
    """
    from wordworth.errors import BadInput
    from wordworth.files import require_distinct, require_writable
    from wordworth.models.static.distillation import require_no_other_model, to_static
    from wordworth.text.corpus.documents import CorpusSettings

    chosen = {name: value for name, value in choices.items() if value not in (None, ())}
    corpus = chosen.pop("corpus", ())
    settings = CorpusSettings(text=chosen.pop("text"), layout=chosen.pop("layout"))
    if not corpus and chosen.get("method") != "pieces":
        raise BadInput("no corpus was given", mend="name one with --corpus, or use --method pieces")
    require_distinct(out, model, *corpus)
    require_no_other_model(out)
    require_writable(out.parent if out.suffix in {".txt", ".vec"} else out)
    table = to_static(model, corpus, read_as=settings, progress=Bars(), **chosen)
    table.save(out)
    report = table.told
    read = f" from {report.occurrences:,} occurrences in {report.sentences:,} sentences" if report.words else ""
    say(f"{out}: {report.words:,} words{read}, {report.pieces:,} pieces, {table.vectors.shape[1]} wide")
    for warning in table.doubts:
        say(f"- {warning}")
