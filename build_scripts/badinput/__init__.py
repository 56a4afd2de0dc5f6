"""Inputs that no command can work with, and what each command must answer; `build_scripts/bad_inputs` runs them."""
