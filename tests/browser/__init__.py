"""The page in Debian's Chromium, on a server as people start it, beside the command."""
