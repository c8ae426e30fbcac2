"""What a business may look like, and what it answers."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.business import Interval, Rules, Service, Staff
from tests.core.world import CUT, RETIRED, calendar, person, rules

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Interval(opens=-1, closes=60),
        lambda: Interval(opens=1440, closes=1500),
        lambda: Interval(opens=60, closes=60),
        lambda: Interval(opens=60, closes=60 + 1441),
        lambda: Service(id=1, name="x", minutes=0),
        lambda: Service(id=1, name="x", minutes=10, buffer=-1),
        lambda: Staff(id=1, name="x", services=frozenset(), week=((),) * 6),
        lambda: rules(notice=-1),
        lambda: rules(horizon=0),
        lambda: rules(grid=0),
    ],
)
def test_nonsense_is_refused_where_it_is_made(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"^(an?|the) "):
        make()


def test_the_longest_interval_is_a_whole_day() -> None:
    assert Interval(opens=0, closes=1440).closes == 1440
    assert Interval(opens=1439, closes=1439 + 1440).opens == 1439


def test_only_active_services_and_active_staff_are_found_in_the_business_order() -> None:
    business = calendar(NOON, person(9), person(2), person(4, active=False), person(5, services=(2,))).business
    assert business.service(CUT.id) is CUT
    assert business.service(RETIRED.id) is None
    assert business.service(99) is None
    assert [someone.id for someone in business.staff_for(1)] == [9, 2]


def test_the_deadline_for_changes_is_none_by_default_and_exact_when_set() -> None:
    start = NOON + timedelta(hours=2)
    assert not rules().past_deadline(start, start)
    assert not rules(deadline=120).past_deadline(start, NOON)
    assert rules(deadline=120).past_deadline(start, NOON + timedelta(microseconds=1))


def test_the_rules_defaults_are_the_products() -> None:
    plain = Rules(notice=timedelta(0), horizon=timedelta(days=1), grid=timedelta(minutes=30))
    assert (plain.max_active, plain.change_deadline, plain.remind_confirmed) == (None, None, True)
