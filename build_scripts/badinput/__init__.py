"""Invalid inputs for every command, with the permitted exit codes. `build_scripts/bad_inputs` runs these cases."""
