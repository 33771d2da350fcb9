"""Scenarios drawn from the JSON Schema, and what holds for every one of them.

`schema` walks the schema, `quantities` draws values, `naming` gives names, `scenarios` draws and
mends whole scenarios, `invariants` checks a run, `trial` tries one drawing, `reduction` makes a
failing scenario small, `search` tries many in processes. `python -m drawing` (with `tests` on the
path) searches further than the test does.
"""
