"""How the parser of English that comes with Wordworth is made: biaffine, on the lower layers of `mini`.

    WORDWORTH_DATA=data python recipes/wordworth_parser.py --treebank en_ewt --out parser/

`worth` measures with it how long the dependency arcs of a text are. It is trained as that of `study syntax` on the
train part of the treebank and scored on its dev part.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.load import EncoderSpec
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax import parser as parsing
from wordworth.studies.syntax.sampled_trees import read_sample
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.syntax.treebank_word_vectors import WordVectors, read_vectors
from wordworth.training.probes.saved_parser import SavedParser


def main() -> None:
    """Train, score and write the parser."""
    options_parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options_parser.add_argument("--treebank", default="en_ewt")
    options_parser.add_argument("--sentences", type=int, default=5_000)
    options_parser.add_argument("--passes", type=int, default=15)
    options_parser.add_argument(
        "--layers", type=int, default=3, help="lowest layers that are read, the input layer among them"
    )
    options_parser.add_argument("--out", type=writable_path, required=True)
    options = options_parser.parse_args()
    encoder, bars = EncoderSpec(name="mini").open(), Bars()
    sample = read_sample(encoder, SyntaxSettings(model="mini", treebank=options.treebank, limit=options.sentences))
    words = [sentence.words for sentence in sample.sentences]
    with bars.step("reading vectors", len(words)) as step:
        whole = read_vectors(encoder, words, step)
    vectors = WordVectors(whole.flat[: options.layers], whole.ends)
    parsing.TRAINING = replace(parsing.TRAINING, passes=options.passes)
    with bars.step("training the parser", options.passes * len(sample.split.train)) as step:
        finished = FinishedParts.of("syntax", bars, vectors_key(encoder), vars(options))
        trainer = parsing.ParserTrainer(sample, 0, step, finished)
        parser, run = trainer.train(vectors)
    SavedParser.of(parser, sample.relation_names, encoder).write(options.out)
    measured = trainer.measured(parser, vectors)
    print({name: round(float(right.mean()), 4) for name, right in measured.measures.items()}, run)


if __name__ == "__main__":
    run_script(main)
