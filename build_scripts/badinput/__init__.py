"""Invalid inputs for every command, with the expected answers; `build_scripts/bad_inputs` runs them."""
