"""Programs that build and serve the site: what `make` calls."""
