"""The fixtures `provider` and `asking`: each test runs against both providers' protocols."""

from tests.support.asking import asking, provider  # noqa: F401
