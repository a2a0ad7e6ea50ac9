"""Speed, size and accuracy beside named rivals: `make bench`, or `python -m tests.bench --help`.

Files in reading order: `corpora` (on what), `synthetic` (a corpus of any size), `contender` and `contenders/` (who),
`clock` (how one run is measured), `rounds` (how runs are interleaved), `scenarios` with `scenario` (tasks and what they
may take), `statistics`, `records` (what is kept of a run, in `runs/`), `splits` (mail sorted on several splits),
`targets` (how well mail must be sorted), `accuracy` (all on the same documents), `tables` and `growth` (what is printed
and drawn), `__main__` (the command). `arrivals` and `choices` are commands of their own.
"""
