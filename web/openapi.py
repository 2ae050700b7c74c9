"""Writes the shapes of the API's requests and responses, from which the types of the page are generated."""

import json
import sys
from pathlib import Path
from typing import Any

from grognard.server.app import create_app
from grognard.server.settings import Settings

BATTLE = {"type": "object", "properties": {"system": {"type": "string"}}, "required": ["system"]}
"""What the page needs to know of a battle file: the forms it draws come from `GET /api/systems`."""


def document() -> dict[str, Any]:
    """The schemas of the OpenAPI document, without the long one of battle files, and without the paths."""
    described = create_app(Settings()).openapi()
    schemas = described["components"]["schemas"] | {"Battle": {**BATTLE, "additionalProperties": True}}
    components = {"schemas": without_titles(schemas)}
    return {
        "openapi": described["openapi"],
        "info": {"title": "", "version": ""},
        "paths": {},
        "components": components,
    }


def without_titles(schema: Any) -> Any:
    """The same without the titles that only repeat the names of fields."""
    if isinstance(schema, list):
        return [without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without_titles(part) for key, part in schema.items() if key != "title" or not isinstance(part, str)}


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document()))
