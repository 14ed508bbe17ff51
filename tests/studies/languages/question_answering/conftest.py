import pytest
from tests.studies.languages.question_answering.question_files import write_folder

from wordworth.studies.languages.question_answering.questions_by_language import asked_languages
from wordworth.studies.languages.settings import LanguagesSettings


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("asked") / "films")


@pytest.fixture(scope="package")
def data(folder):
    return asked_languages(folder, LanguagesSettings(draws=100))
