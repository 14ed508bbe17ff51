"""Published figures on word senses, from other models, and for tagged words on other test texts."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """A figure as printed; `same_test` says whether our figures are on the same test items."""

    data: str
    system: str
    score: float
    source: str
    same_test: bool


_COENEN = "Coenen et al. 2019: all of SemCor teaches, tested on the five Senseval and SemEval sets"
_WIC = "benchmark listing of WiC (Pilehvar and Camacho-Collados 2019): the same test pairs"
FIGURES = (
    Published("semcor", "most frequent sense", 0.648, _COENEN, same_test=False),
    Published("semcor", "ELMo, nearest centroid", 0.701, _COENEN, same_test=False),
    Published("semcor", "BERT-base, nearest centroid", 0.711, _COENEN, same_test=False),
    Published("semcor", "BERT-base, learned map, nearest centroid", 0.715, _COENEN, same_test=False),
    Published("wic", "BERT-large", 0.655, _WIC, same_test=True),
    Published("wic", "context2vec", 0.593, _WIC, same_test=True),
    Published("wic", "DeConf", 0.587, _WIC, same_test=True),
    Published("wic", "SW2V", 0.581, _WIC, same_test=True),
    Published("wic", "ELMo", 0.577, _WIC, same_test=True),
    Published("wic", "sentence LSTM", 0.531, _WIC, same_test=True),
)
DESCRIBE = {
    "data": "set",
    "system": "system as published",
    "score": "F1 on tagged words, accuracy on pairs; between 0 and 1",
    "source": "publication, training and test data",
    "same_test": "whether our figures are on the same test items",
}
