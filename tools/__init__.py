"""Programs that make what the package ships or documents: data files, models, the CLI reference."""
