"""Milliseconds to mask a step of 32,768 tokens, by what is masked together, beside transformers' collator.

python benchmarks/masking.py --rounds 20
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
import transformers
from transformers import DataCollatorForLanguageModeling

import measure
from wordworth.cli.scripts import run_script
from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.text.corpus.token_store import Vocabulary
from wordworth.text.word_starts import WordStarts
from wordworth.training.objectives.masking.mask_sampling import MaskingUnit
from wordworth.training.objectives.masking.masking_units import SingleTokens, Spans, WholeWords
from wordworth.training.objectives.masking.phrases import Phrases
from wordworth.training.objectives.mlm import MaskedLanguageModel

PIECES, SEQUENCES, LENGTH = 16_000, 256, 128
SPECIAL = {"pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4}
PHRASES = 20_000


def main() -> None:
    """Time every masking rule and the collator by turns on the same random ids."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    options = measure.arguments(__doc__, rounds=20)
    torch.set_num_threads(options.threads)
    rng = np.random.default_rng(0)
    rows = rng.integers(5, PIECES, (SEQUENCES, LENGTH))
    rows[:, 0], rows[:, LENGTH // 2], rows[:, -1] = SPECIAL["cls"], SPECIAL["sep"], SPECIAL["sep"]
    word_starts = WordStarts.of_continuations(np.arange(PIECES) > PIECES * 0.8)
    vocabulary = Vocabulary(PIECES, SPECIAL, word_starts, np.arange(PIECES) < len(SPECIAL), "")
    starts = np.arange(0, rows.size + 1, LENGTH, dtype=np.int32)
    instances = Instances(rows.ravel(), np.zeros(rows.size, np.int64), starts, np.full(SEQUENCES, -1))
    phrases = frozenset(tuple(rng.integers(5, PIECES, rng.integers(2, 6)).tolist()) for _ in range(PHRASES))
    rules: dict[str, MaskingUnit] = {
        "token": SingleTokens(),
        "word": WholeWords(),
        "span": Spans(),
        "lexicon": Phrases(phrases),
    }
    objectives = {name: MaskedLanguageModel(vocabulary=vocabulary, masking_unit=rule) for name, rule in rules.items()}
    works: dict[str, Callable[[], object]] = {
        n: partial(each.prepare, instances, rng) for n, each in objectives.items()
    }
    works["transformers collator"] = collator(rows)
    seconds = measure.in_turns(works, options.rounds)
    milliseconds = {name: measure.Spread.of([1000 * each for each in times]) for name, times in seconds.items()}
    faster = measure.ratios(seconds, "transformers collator")
    measure.report(
        {"tokens": rows.size, "milliseconds": milliseconds, "times as fast as the collator": faster}, options.out
    )


def collator(rows: np.ndarray) -> Callable[[], object]:
    """Return a call of transformers' collator on the same ids, as a tensor."""
    library = transformers.BertTokenizer(
        vocab={f"piece{number}": number for number in range(PIECES)}
        | {f"[{name.upper()}]": index for name, index in SPECIAL.items()}
    )
    made = DataCollatorForLanguageModeling(library, mlm_probability=0.15)
    ids = torch.from_numpy(rows)
    marks = (ids < len(SPECIAL)).long()
    return lambda: made.torch_mask_tokens(ids.clone(), special_tokens_mask=marks)


if __name__ == "__main__":
    run_script(main)
