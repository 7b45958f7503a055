"""Values of the crawl are frozen and slotted; what grows during a run is named here."""

import dataclasses
import importlib
import pkgutil
from typing import Any

import threadmill.crawl

MUTABLE = {
    "ChoiceFilter",
    "CompactionReport",
    "CorrectionTest",
    "FleetProgress",
    "ForgetReport",
    "ForumKnowledge",
    "ForumProgress",
    "LayoutKnowledge",
    "LinkPool",
    "ReadingCounts",
    "RequestWithRetries",
    "RebuildProgress",
    "RowKnowledge",
    "SiteProgress",
    "SiteSignals",
    "UnreadTexts",
    "Votes",
    "WatchState",
    "_AnswersSeen",
    "BoardHolding",
    "_FirstAnswer",
    "_HostState",
    "_Plan",
    "_Visit",
}


def test_every_dataclass_is_slotted_and_frozen_unless_it_grows() -> None:
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(threadmill.crawl.__path__, "threadmill.crawl.")
    ]
    found: dict[str, Any] = {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
    }
    assert {name for name, value in found.items() if "__slots__" not in vars(value)} == set()
    assert {name for name, value in found.items() if not value.__dataclass_params__.frozen} == MUTABLE
