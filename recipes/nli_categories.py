"""Rough categories of pairs of texts, by rules: where does context pay in natural language inference?

    python recipes/nli_categories.py pairs.csv --out categories.csv
    wordworth worth categories.csv --category category

GLUE's diagnostic set (Wang et al. 2019, arXiv 1804.07461) has categories of 1,104 pairs that experts chose by hand:
lexical semantics, predicate-argument structure, logic, knowledge. These here are heuristics for English, made of words
alone, which any file of pairs can have; they are not GLUE's categories, and a pair may be in one by mistake:

* `negation`: a word such as *not*, *nobody* or *without* in one of both texts;
* `quantifier`: a word such as *all*, *few* or *only*;
* `number`: a number in digits, or in words from *two* on;
* `name`: a word with a capital letter that begins no sentence;
* `high overlap`: at least three quarters of the words of the second text are in the first, as in the heuristic that
  HANS tests (McCoy et al. 2019, arXiv 1902.01007); `low overlap`: at most a quarter.

The file that is written has the rows and columns of the first and a column `category`, whose cells hold several
categories separated by semicolons, or none.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.text.file_formats.read import read_rows

COLUMN = "category"
HIGH, LOW = 0.75, 0.25
"""The least share of the second text's words in the first for a high overlap, and the greatest for a low one."""
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_NAME = re.compile(r"(?<=[\w,;)] )(?!I\b)[A-Z]\w*")
"""A capitalised word after a word or a comma: not the first of a text or a sentence."""


def words_of(text: str) -> list[str]:
    """Return the lower-case words of a text, without punctuation."""
    return [word.replace("’", "'") for word in _WORD.findall(text.lower())]


NEGATION = frozenset(words_of("no not never nobody nothing none neither nor nowhere without cannot"))
QUANTIFIERS = frozenset(
    words_of(
        "all every each everyone everybody everything some someone somebody any anyone many most much few several both "
        "half only least enough"
    )
)
NUMBERS = frozenset(
    words_of(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
    )
)


def categories_of(first: str, second: str) -> list[str]:
    """Return the categories of a pair, in the order of the module's docstring.

    Args:
        first: the first text, the premise.
        second: the second text, the hypothesis.
    """
    return list(_categories(first, second))


def _categories(first: str, second: str) -> Iterator[str]:
    premise, hypothesis = set(words_of(first)), words_of(second)
    either = premise.union(hypothesis)
    if either & NEGATION or any(word.endswith("n't") for word in either):
        yield "negation"
    if either & QUANTIFIERS:
        yield "quantifier"
    if either & NUMBERS or any(word[0].isdigit() for word in either):
        yield "number"
    if _NAME.search(first) or _NAME.search(second):
        yield "name"
    if hypothesis:
        overlap = sum(word in premise for word in hypothesis) / len(hypothesis)
        if overlap >= HIGH:
            yield "high overlap"
        if overlap <= LOW:
            yield "low overlap"


def main() -> None:
    options = arguments()
    table = read_rows(options.data)
    first, second = (table.column(name, "text") for name in (options.text, options.text_b))
    if COLUMN in table.columns:
        raise BadInput(f"there is a column {COLUMN!r} already", where=table.path, mend="rename it")
    categories = [categories_of(*pair) for pair in zip(first, second, strict=True)]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*table.columns, COLUMN])
    writer.writerows(zip(*table.columns.values(), map(";".join, categories), strict=True))
    write_text(options.out, file.getvalue())
    counts = Counter(each for of_pair in categories for each in of_pair)
    print(f"{options.out}: {len(table):,} pairs, {sum(not each for each in categories):,} without a category")
    for name, count in counts.most_common():
        print(f"{count:>7,}  {name}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="a CSV, TSV, JSON Lines or Parquet file of pairs of English texts")
    parser.add_argument("--text", default="text_a", help="column of the first texts [default: text_a]")
    parser.add_argument("--text-b", default="text_b", help="column of the second texts [default: text_b]")
    parser.add_argument(
        "--out", type=writable_path, required=True, help="the CSV file to write, with the column category"
    )
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
