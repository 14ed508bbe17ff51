"""Are BERT, GPT and ELMo as contextual as was published, once they differ in nothing but what they are?

    python recipes/trio.py train STORE --held-out STORE --out runs/ --tokens 60000000 [--device cuda] [--only bert]
    wordworth study commonsense --model runs/bert-0 --data blimp --out runs/bert-0/blimp    # of each run, where wanted
    python recipes/trio.py study --out runs/ [--sentences sts] [--limit 5000]

Ethayarajh (2019) compared published models of unequal data, sizes and vocabularies. Here a BERT, a GPT-2 and ELMo's two
LSTMs of the same size (within 2 %) read the same sequences of the same tokens in the same order, for each of several
seeds. The BERT alone starts by looking at neighbours: drawn blindly it is still a bag of words after a few million
tokens, where the two that read in order are not. STORE is a folder that `wordworth pretrain` or `build_store` made.
Runs that are done are kept, and the same command started several times over shares them out: a model of LSTMs is bound
by its steps, so that several on one GPU take little more time than one.

`study` looks at all of them over the same sentences and writes one record, `runs/trio.json`: for each finding of the
paper yes, no or cannot tell, by the rules of `parts.context_claims`; each run's evaluations on held-out text;
and its grammar, where BLiMP was asked.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from parts.learned import learned
from parts.matched import Variant, arguments, done, train
from wordworth.cli.scripts import run_script

TRIO = (Variant("bert", "bert", ("init_neighbour_heads=yes",)), Variant("gpt", "gpt"), Variant("bilm", "bilm"))


def main() -> None:
    chosen = arguments(__doc__, TRIO)
    if chosen.stage == "train":
        train(chosen, TRIO)
    else:
        study(chosen)


def study(chosen: argparse.Namespace) -> None:
    """Run the study on all trained models over the same sentences, and write the record."""
    from parts.context_matched import matched
    from wordworth.cli.progress_bars import Bars
    from wordworth.studies.contextuality.settings import ContextSettings

    trained = done(chosen.out, TRIO)
    folders = {name: [folder for folder, _ in runs] for name, runs in trained.items()}
    training = [facts for runs in trained.values() for _, facts in runs]
    settings = ContextSettings(limit=chosen.limit, units=chosen.units, first=chosen.first)
    record = matched(folders, chosen.sentences, settings, training=training, progress=Bars())
    record = replace(record, tables={**record.tables, **learned(trained)})
    record.save(chosen.out / "trio.json")
    print(record.verdict)
    for row in record.tables["evidence"].rows():
        sure = "" if row["decides"] else "  (beside)"
        span = f"{row['value']:7.3f} ({row['low']:.3f} to {row['high']:.3f})"
        print(f"{row['finding']:14}{row['architecture']:6}{row['measure']:30}{span}  {row['answer']}{sure}")


if __name__ == "__main__":
    run_script(main)
