"""The key of what computes changes with our own lines and with what we stand on, and with nothing else."""

import pytest

from wordworth import package_versions


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two rooms in our place."""
    for room in ("models", "pages"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "code.py").write_text("x = 1\n")
    monkeypatch.setattr(package_versions, "__file__", str(tmp_path / "package_versions.py"))
    return tmp_path


def key(*rooms):
    return package_versions.code_key.__wrapped__(*rooms)


def test_a_changed_line_changes_the_key_of_its_room_alone(package):
    before = key(), key("models"), key("pages")
    (package / "models" / "code.py").write_text("x = 2\n")
    after = key(), key("models"), key("pages")
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, False, True]


@pytest.mark.usefixtures("package")
def test_another_torch_changes_every_key(monkeypatch):
    before = key("models")
    monkeypatch.setattr(package_versions.metadata, "version", lambda name: "99" if name == "torch" else "1")
    assert key("models") != before


def test_what_is_no_code_does_not_count(package):
    before = key()
    (package / "models" / "notes.txt").write_text("new")
    assert key() == before
