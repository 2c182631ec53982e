"""Studies: the papers' figures and tables, run again and held against the papers. See scripts/studies/README.md."""
