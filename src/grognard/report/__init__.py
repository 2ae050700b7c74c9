"""A battle on one page of HTML that loads nothing: to be read, sent, kept and printed."""

from grognard.report.page import page

__all__ = ["page"]
