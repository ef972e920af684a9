"""A few calls at a time, results as they come."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_bounded(
    fn: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Iterator[Result]:
    """Yield `fn(item)` for every item in the order they finish, `workers` at a time.

    Items are taken only as a thread becomes free, so an iterable that ends early starts nothing
    more. When a call raises, nothing more is started, the results of calls still running are
    yielded, and then the first error is raised.
    """
    source = iter(items)
    error: BaseException | None = None
    with ThreadPoolExecutor(max_workers=workers) as pool:
        running: set[Future[Result]] = {pool.submit(fn, item) for item in islice(source, workers)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                failure = future.exception()
                if failure is None:
                    yield future.result()
                elif error is None:
                    error = failure
            if error is None:
                running |= {pool.submit(fn, item) for item in islice(source, len(done))}
    if error is not None:
        raise error
