"""Pydantic schemas of all requests and responses, with examples for the API documentation.

Only the HTTP routes use them. The rest of the service uses the dataclasses of the store.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictFloat, StrictInt, field_validator

from threadmill.service.http.target_urls import check_url
from threadmill.service.work.stage_files import is_inside
from threadmill.store.sites.tasks import TaskStatus

_ID = "264d54d7-be3c-4bed-bbee-e7eadf8d99c5"
_SITE = "0b9d1f1c-6f0e-4a57-9a07-4d1f5f1f3f7a"
_OTHER_SITE = "5c1b7f0e-2f4c-4b1e-8d0a-9e6b1f0c7d21"
_AT = "2026-11-16T02:00:00.795810Z"
_SITE_EXAMPLE: dict[str, Any] = {
    "id": _SITE,
    "task_id": _ID,
    "root_url": "https://logopak.de",
    "files_path": f"sites/{_ID}/{_SITE}",
    "downloaded_at": _AT,
    "preprocessed_at": None,
    "extracted_at": None,
    "vectorized_at": None,
}
SiteUrl = Annotated[str, Field(max_length=2000, examples=["https://logopak.de"]), AfterValidator(check_url)]


def _example(**value: Any) -> ConfigDict:
    """Settings of a model: an example for the documentation; unknown fields of a request are refused."""
    return ConfigDict(json_schema_extra={"examples": [value]}, extra="forbid")


class NewTask(BaseModel):
    """A list of sites to compare."""

    model_config = _example(sites=["https://logopak.com", "https://logopak.de"], use_archive_data=False)

    sites: list[SiteUrl] = Field(
        min_length=1,
        description="Home pages (http or https) or domains, at least two. Duplicates are removed.",
    )
    use_archive_data: bool = Field(
        False, description="Use pages from the archive instead of fetching them again, where there are some"
    )


class TaskCreated(BaseModel):
    """The id of a new task, needed to ask for its results."""

    model_config = _example(id=_ID)

    id: UUID = Field(description="Task ID")


class FoundPlace(BaseModel):
    """Where a piece of evidence stands on one of the two sites."""

    kind: str
    page: str = Field(description="URL of the page")
    written: str = Field(description="The fact as the page writes it")
    around: str = Field(description="The words around it")


class PairFound(BaseModel):
    """Two similar sites."""

    url1: str
    url2: str
    similarity: float = Field(description="Probability that both belong to one company, 0 to 1")
    words: float | None = Field(
        None, description="Cosine similarity of their words (only with evidence=true)"
    )
    why: str | None = Field(None, description="A sentence that names the evidence (only with evidence=true)")
    evidence: dict[str, float] | None = Field(
        None, description="Strength of each kind of evidence, 0 to 1 (only with evidence=true)"
    )
    found: list[FoundPlace] | None = Field(
        None, description="Pages and words of the evidence, first site first (only with evidence=true)"
    )


class TaskAnswer(BaseModel):
    """A task and, when it is done, the pairs found."""

    model_config = _example(
        task_id=_ID,
        created_at=_AT,
        status="done",
        done_at=_AT,
        results=[{"url1": "https://dawei.at/", "url2": "https://dawei.de/", "similarity": 0.99}],
    )

    task_id: UUID = Field(description="Task ID")
    created_at: datetime = Field(description="When the task was created")
    status: TaskStatus = Field(description="State of the task. Results are present only when it is `done`.")
    done_at: datetime | None = Field(description="When the task ended; null while it is in progress")
    detail: str | None = Field(None, description="Why the task failed")
    results: list[PairFound] | None = Field(
        None,
        description="Pairs with similarity ≥ similarity_border, best first; absent until the task is done",
    )


class TaskProgress(BaseModel):
    """The progress of a task: how many sites have passed each stage, and their outcomes."""

    model_config = _example(
        task_id=_ID,
        status="in_progress",
        sites=200,
        downloaded=150,
        preprocessed=120,
        extracted=120,
        vectorized=0,
        outcomes={"ok": 110, "dead": 8, "parked": 2},
    )

    task_id: UUID
    status: TaskStatus
    sites: int
    downloaded: int
    preprocessed: int
    extracted: int
    vectorized: int
    outcomes: dict[str, int]


class SiteOutcome(BaseModel):
    """The outcome of one site of a task."""

    url: str
    outcome: str = Field(
        description="ok, empty, parked, script-only, dead, forbidden or failed; an empty string: not read yet"
    )
    reason: str
    language: str
    pages: int
    name: str = Field("", description="What the site calls itself")


class SiteOutcomes(BaseModel):
    """The sites of a task with their outcomes."""

    model_config = _example(
        task_id=_ID,
        sites=[
            {
                "url": "https://dawei.at/",
                "outcome": "ok",
                "reason": "",
                "language": "de",
                "pages": 6,
                "name": "Dawei",
            }
        ],
    )

    task_id: UUID
    sites: list[SiteOutcome]


class SiteClusters(BaseModel):
    """The sites of each company. The main site of a company comes first."""

    model_config = _example(
        task_id=_ID, clusters=[["https://dawei.de/", "https://dawei.at/", "https://dawei.ch/"]]
    )

    task_id: UUID
    clusters: list[list[str]]


class SiteState(BaseModel):
    """The stored state of a site."""

    model_config = _example(**_SITE_EXAMPLE)

    id: UUID
    task_id: UUID
    root_url: str
    files_path: str
    downloaded_at: datetime | None
    preprocessed_at: datetime | None
    extracted_at: datetime | None
    vectorized_at: datetime | None


class SiteChange(BaseModel):
    """The new state of a site. PUT replaces everything: fields that are left out become empty."""

    model_config = _example(
        task_id=_ID, root_url="https://logopak.de", files_path=f"sites/{_ID}/{_SITE}", downloaded_at=_AT
    )

    task_id: UUID
    root_url: SiteUrl
    files_path: str = Field("", max_length=500, description="Folder of its files, relative to the workspace")
    downloaded_at: datetime | None = None
    preprocessed_at: datetime | None = None
    extracted_at: datetime | None = None
    vectorized_at: datetime | None = None

    @field_validator("files_path")
    @classmethod
    def _check_inside_workspace(cls, value: str) -> str:
        value.encode()  # raises ValueError for text that is not valid Unicode
        if value and not is_inside(value):
            raise ValueError("expected a relative path inside the workspace, without ..")
        return value


class TaskState(BaseModel):
    """A task with its sites."""

    model_config = _example(id=_ID, created_at=_AT, done_at=None, sites=[_SITE_EXAMPLE])

    id: UUID
    created_at: datetime
    done_at: datetime | None
    sites: list[SiteState]


class NewResult(BaseModel):
    """The similarity of two sites."""

    model_config = _example(task_id=_ID, similarity=0.87)

    task_id: UUID
    similarity: StrictFloat | StrictInt = Field(ge=0, le=1, allow_inf_nan=False)


class ResultState(BaseModel):
    """A stored result."""

    model_config = _example(task_id=_ID, site1_id=_SITE, site2_id=_OTHER_SITE, similarity=0.87)

    task_id: UUID
    site1_id: UUID
    site2_id: UUID
    similarity: float


class Health(BaseModel):
    """Whether the service works."""

    model_config = _example(status="ok", version="1.0", tasks_in_progress=2)

    status: str
    version: str
    tasks_in_progress: int


class ErrorDetail(BaseModel):
    """Why a call failed."""

    model_config = _example(detail="Task not found")

    detail: str


class InvalidValue(BaseModel):
    """What is wrong with one value of a request."""

    loc: list[str | int]
    msg: str
    type: str


class InvalidRequest(BaseModel):
    """What is wrong with a request, one entry per wrong value."""

    model_config = _example(
        detail=[{"loc": ["body", "sites", 3], "msg": "Value error, no URL: 'logopak'", "type": "value_error"}]
    )

    detail: list[InvalidValue]
