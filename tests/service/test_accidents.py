"""The whole service on real servers, while parts of it are killed: nothing is lost, nothing comes twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers import postgresql, rabbitmq
from tests.servers.accidents import Stricken
from tests.servers.companies import true_pairs


def test_every_task_ends_with_the_same_answer_whatever_is_killed(tmp_path: Path) -> None:
    for server, there in ((postgresql, postgresql.programs()), (rabbitmq, rabbitmq.server_program())):
        if there is None:
            pytest.skip(server.HOW_TO)
    # python -m bench.sites_service kills runs twenty; these five are one of each kind.
    report = Stricken(tmp_path, sites=8, seed=8).run(["collect", "read", "database", "broker", "serve"])
    assert len(report.kills) == 5
    assert report.expected
    assert all(answer == report.expected for answer in report.answers)
    assert all(outcomes == {"ok": 8} for outcomes in report.outcomes)
    assert true_pairs(8) == [(0, 1)]
    assert report.expected[0]["similarity"] > 0.9
