"""Threads that work through a list."""

import threading
from time import sleep

import pytest

from uplane import pool


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_every_task_is_done_once_at_any_number_of_threads(jobs: int) -> None:
    results = dict(pool.work(range(50), lambda task: task * task, jobs=jobs))
    assert results == {task: task * task for task in range(50)}


def test_no_tasks_need_no_thread() -> None:
    assert list(pool.work([], str)) == []


def test_two_threads_work_at_once() -> None:
    meeting = threading.Barrier(2, timeout=10)
    assert len(list(pool.work([1, 2], lambda _: meeting.wait(), jobs=2))) == 2


def test_error_reaches_the_caller_and_stops_new_tasks() -> None:
    begun: list[int] = []

    def do(task: int) -> None:
        begun.append(task)
        if task == 3:
            raise LookupError(task)

    with pytest.raises(LookupError, match="3"):
        list(pool.work(range(1000), do, jobs=1))
    assert begun == [0, 1, 2, 3]


def test_leaving_early_stops_the_giving_out_of_tasks() -> None:
    begun: list[int] = []

    def do(task: int) -> None:
        begun.append(task)
        sleep(0.01)

    for _ in pool.work(range(1000), do, jobs=2):
        break
    sleep(0.05)
    assert len(begun) < 10


def test_no_thread_is_no_way_to_work() -> None:
    with pytest.raises(ValueError, match="at least one"):
        list(pool.work([1], str, jobs=0))
