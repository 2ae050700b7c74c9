"""The web table: the API, the page, and live battles."""
