"""Traces of other tools, and training steps of models, as GOAL (docs/goal.md)."""
