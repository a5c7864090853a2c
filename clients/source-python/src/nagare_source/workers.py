"""Threads for plain functions."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Workers:
    """A limited number of threads, started when they are needed.

    Unlike the threads of a `ThreadPoolExecutor`, they don't keep the process alive, because a query that hangs must not
    outlive the server.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._started = 0
        self._idle = threading.Semaphore(0)
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def submit(self, function: Callable[[], T]) -> Future[T]:
        """Queues a function for a thread. The future can be cancelled until the function starts."""
        future: Future[T] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = function()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._waiting.put(work)
        if not self._idle.acquire(blocking=False) and self._started < self._limit:
            self._started += 1
            threading.Thread(target=self._run, name=f"source {self._started}", daemon=True).start()
        return future

    def _run(self) -> None:
        while True:
            self._waiting.get()()
            self._idle.release()
