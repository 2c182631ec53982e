"""Studies: the papers' experiments, repeated and compared. See scripts/studies/README.md."""
