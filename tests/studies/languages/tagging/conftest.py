import pytest
from tests.studies.languages.tagging.tagged_files import write_folder

from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.tagging.tagged_sentences_by_language import tables_in, tagged_languages


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("tagged") / "names")


@pytest.fixture(scope="package")
def data(folder):
    return tagged_languages(tables_in([folder]), LanguagesSettings(draws=100))
