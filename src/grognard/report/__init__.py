"""A battle on one page of HTML that loads nothing, to read, send, keep and print."""

from grognard.report.page import page

__all__ = ["page"]
