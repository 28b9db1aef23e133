"""The OpenAPI document of the API, made from its operations and the classes of their bodies and answers."""

from __future__ import annotations

from typing import Any

import msgspec

from mizerka_solver.support.version import version
from mizerka_solver.web import told
from mizerka_solver.web.api import OPERATIONS, Operation

PATH = "/api/openapi.json"
REFERENCE = "#/components/schemas/{name}"
REFUSALS = {
    400: "Not understood, or against the rules of the game: the library's one line.",
    403: "Asked by a page of another origin.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "The server does not answer to this name.",
    429: "Too many requests of this visitor at once.",
    503: "The server is busy, or the time for one answer is over.",
}


def document() -> dict[str, Any]:
    """Return the document as a JSON object."""
    types: set[type[msgspec.Struct]] = {operation.gives for operation in OPERATIONS}
    types |= {operation.takes for operation in OPERATIONS if operation.takes} | {told.Error}
    ordered = sorted(types, key=lambda kind: kind.__name__)
    schemas, components = msgspec.json.schema_components(ordered, ref_template=REFERENCE)
    by_type = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, by_type)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mizerka-solver",
            "version": version(),
            "description": "Mizerka with open cards, reviews, games. Fields are those of the command's --json.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": components},
    }


def _described(operation: Operation, schemas: dict[Any, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {
            "200": {"description": "The answer.", "content": _json(schemas[operation.gives])},
            **{str(status): _refusal(why, schemas) for status, why in REFUSALS.items()},
        },
    }
    if operation.takes:
        described["requestBody"] = {"required": True, "content": _json(schemas[operation.takes])}
    if operation.name == "deal":
        schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999}
        described["parameters"] = [{"name": "seed", "in": "query", "required": False, "schema": schema}]
    return described


def _refusal(why: str, schemas: dict[Any, Any]) -> dict[str, Any]:
    return {"description": why, "content": _json(schemas[told.Error])}


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
