"""Warnings of many runs, each said once."""

from uplane.warned import gathered


def test_amounts_become_a_range_and_ues_a_list() -> None:
    told = [
        (f"a on ue-{ue}: limited by the queue of the link s1 ({drops} packets dropped)", run)
        for run, (ue, drops) in enumerate([(2, 30), (1, 4), (10, 30), (2, 100)])
    ]
    text = "a on ue-1, 2, 10: limited by the queue of the link s1 (4 to 100 packets dropped)"
    assert gathered(told) == {text: [0, 1, 2, 3]}


def test_a_crowd_is_cut_short() -> None:
    told = [(f"a on ue-{ue}: limited for 99 % of the time", "case") for ue in range(1, 8)]
    text = "a on ue-1, 2, 3 and 4 more: limited for 99 % of the time"
    assert gathered(told) == {text: ["case"]}


def test_other_numbers_tell_warnings_apart() -> None:
    one, other = (f"bearer b: its filter of precedence {n} has claimed no packet" for n in (1, 2))
    assert gathered([(one, "x"), (other, "x"), (one, "y")]) == {one: ["x", "y"], other: ["x"]}
