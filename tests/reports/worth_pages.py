"""Pages of made-up worth records, each drawn once."""

import functools

from example_record import Shape, example

from wordworth.reports import render

LONG = "a label that goes on and on " * 20
VARIANTS = {
    "two classes": Shape(),
    "150 classes": Shape(classes=150, metric="macro_f1"),
    "pairs": Shape(kind="pair", metric="f1:paraphrase"),
    "regression": Shape(kind="regression", metric="spearman"),
    "many labels": Shape(kind="multilabel", metric="micro_f1"),
    "tagging": Shape(kind="tags", metric="entity_f1"),
    "context is worth it": Shape(answer="contextual is worth it"),
    "cannot tell": Shape(answer="cannot tell yet"),
    "no contextual rung": Shape(contextual=False),
    "one size": Shape(sizes=(120,)),
    "two sizes": Shape(sizes=(120, 240)),
    "nothing fell out": Shape(fallen=False),
    "not timed": Shape(timed=False),
    "long names": Shape(label=LONG, title=LONG, text=LONG * 20),
}


@functools.cache
def drawn(name: str) -> str:
    return render(example(VARIANTS[name]))
