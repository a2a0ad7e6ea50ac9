"""nbtext export and import: what it prints and its status, in process."""


def test_export_and_import_give_the_same_model(trained):
    text = trained("export").out
    assert trained("import", "-m", "copy.nbtext", stdin=text).out.endswith("model: copy.nbtext\n")
    assert trained("export", "-m", "copy.nbtext").out == text


def test_import_names_the_line_that_is_wrong(trained):
    refused = trained("import", "-m", "copy.nbtext", stdin="{}\n")
    assert (refused.out, refused.status) == ("", 3)
    assert refused.err.startswith("nbtext: line 1: ")
