"""Multiple choice: SWAG, HellaSwag, CODAH and DREAM from their own files."""

from tests.tasks.datasets.data_folder import DATA, needs

from wordworth.tasks.datasets import named_task


def test_the_real_sets_have_their_published_sizes() -> None:
    needs("codah")
    codah, dream = named_task("codah", folder=DATA), named_task("dream", folder=DATA)
    assert (len(codah.train), len(codah.test)) == (2220, 556)  # 2,776 in all
    assert (len(dream.train), len(dream.test)) == (6116, 2040)
    assert {len(options) for options in dream.examples.options or ()} == {3}
