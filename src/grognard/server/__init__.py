"""The web server: the API, the page, and live battles."""
