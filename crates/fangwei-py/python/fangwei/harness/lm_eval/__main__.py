"""Prints the folder of definitions, for the shell."""

from fangwei.harness.lm_eval import path

print(path())
