"""Settings of an index: texts are embedded as `embed` embeds them."""

import pytest

from wordworth.errors import BadInput
from wordworth.retrieval.settings import IndexSettings, SearchSettings


def test_texts_are_embedded_by_the_settings_of_the_index():
    embedding = IndexSettings(model="glove", text="body", id="sku", dtype="int8", long_texts="cut").embedding
    assert (embedding.model, embedding.text, embedding.id) == ("glove", "body", "sku")
    assert (embedding.dtype, embedding.long_texts) == ("int8", "cut")


@pytest.mark.parametrize("make", [lambda: IndexSettings(precision="int4"), lambda: SearchSettings(k=-1)])
def test_values_that_are_none_are_refused(make):
    with pytest.raises(BadInput):
        make()
