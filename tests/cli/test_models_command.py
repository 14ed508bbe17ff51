"""`wordworth models`: the catalogue, readable in a narrow terminal and in a pipe."""

from tests.cli.terminal import wordworth

from wordworth.sources import catalogue


def test_every_name_of_the_catalogue_is_listed_with_its_hash():
    shown = wordworth("models")
    assert shown.code == 0
    for entry in catalogue():
        assert entry.name in shown.out
        assert entry.sha256 in shown.out
        assert entry.licence in shown.out
        assert entry.install in shown.out or entry.shipped
    assert "it comes with wordworth" in shown.out
