"""Loopback servers, sample builders and finders that the tests share."""
