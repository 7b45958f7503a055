from __future__ import annotations

import inspect
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from threadmill.service.http import schemas

MODELS = [
    model
    for _, model in inspect.getmembers(schemas, inspect.isclass)
    if issubclass(model, BaseModel) and model.__module__ == schemas.__name__
]
SITE: dict[str, Any] = {"task_id": "264d54d7-be3c-4bed-bbee-e7eadf8d99c5", "root_url": "http://a.example/"}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_examples_of_the_documentation_are_valid(model: type[BaseModel]) -> None:
    extra = model.model_config.get("json_schema_extra", {})
    assert isinstance(extra, dict)
    for example in extra.get("examples", ()):  # type: ignore[union-attr]
        model.model_validate(example)


@pytest.mark.parametrize("path", ["/etc", "../up", "a/../../b", "a\0b", "\ud800"])
def test_a_files_path_outside_the_workspace_is_refused(path: str) -> None:
    with pytest.raises(ValidationError):
        schemas.SiteChange(**SITE, files_path=path)
    assert schemas.SiteChange(**SITE, files_path="sites/a/b").files_path == "sites/a/b"
    assert schemas.SiteChange(**SITE).files_path == ""


@pytest.mark.parametrize("similarity", [-0.1, 1.1, float("nan"), True, "0.5", None])
def test_a_similarity_is_a_number_from_0_to_1(similarity: Any) -> None:
    with pytest.raises(ValidationError):
        schemas.NewResult(task_id=SITE["task_id"], similarity=similarity)


@pytest.mark.parametrize("similarity", [0, 1, 0.5])
def test_both_ends_are_similarities(similarity: float) -> None:
    assert schemas.NewResult(task_id=SITE["task_id"], similarity=similarity).similarity == similarity
