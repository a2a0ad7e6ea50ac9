"""nbtext verify: what it prints and its status, in process."""

from .common import records


def test_verify_says_what_a_sound_model_has(trained):
    assert trained("verify") == ("model.nbtext: sound, 2 classes, 4 documents, 19 tokens\n", "", 0)


def test_verify_and_import_say_it_as_json_too(trained, run, tmp_path):
    (verified,) = records(run("verify", "--json"))
    assert (verified["model"], verified["documents"], verified["tokens"]) == ("model.nbtext", 4, 19)
    (tmp_path / "text").write_text(run("export").out)
    (imported,) = records(run("import", "text", "-m", "copy", "--json"))
    assert imported == {**verified, "model": "copy", "replaced": False}


def test_verify_finds_a_flipped_byte(trained, tmp_path):
    content = (tmp_path / "model.nbtext").read_bytes()
    (tmp_path / "model.nbtext").write_bytes(content.replace(b"minutes", b"minuten", 1))
    damaged = trained("verify")
    assert (damaged.out, damaged.status, damaged.err.count("\n")) == ("", 3, 1)
    assert damaged.err.startswith("nbtext: model.nbtext: the model is damaged (")
