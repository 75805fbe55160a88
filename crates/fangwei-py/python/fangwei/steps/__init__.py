"""The steps of an evaluation, one module each, under the names that the command line has."""
