"""The API's documentation: one page of HTML made from its OpenAPI schema, without scripts or external resources."""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path

from grognard.core.systems import Json

STYLE = Path(__file__).with_name("docs.css")


def docs_page(api: Json) -> str:
    """The documentation of an API, from its OpenAPI schema."""
    info, schemas = api["info"], api["components"]["schemas"]
    operations = [
        (path, method, operation) for path, methods in api["paths"].items() for method, operation in methods.items()
    ]
    links = "".join(f"<li>{_link(*operation)}</li>" for operation in operations)
    articles = "".join(_operation(*operation) for operation in operations)
    models = "".join(_model(name, schema) for name, schema in schemas.items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(info['title'])}: the API</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs.css"></head><body><main>'
        f"<h1>{escape(info['title'])}: the API</h1>{_prose(info['description'])}"
        f'<p class="muted">Version {escape(info["version"])}. '
        'The same for programs: <a href="/openapi.json">openapi.json</a>. <a href="/">The page itself</a>.</p>'
        f'<nav aria-label="Endpoints"><ul>{links}</ul></nav>'
        f"<h2>Endpoints</h2>{articles}<h2>Models</h2>{models}</main></body></html>"
    )


def _link(path: str, method: str, operation: Json) -> str:
    summary = _inline(operation.get("description", "").partition("\n")[0])
    return (
        f'<a href="#{escape(operation["operationId"])}">{_name(path, method)}</a> <span class="muted">{summary}</span>'
    )


def _name(path: str, method: str) -> str:
    return f'<span class="method {method}">{method.upper()}</span> <code>{escape(path)}</code>'


def _operation(path: str, method: str, operation: Json) -> str:
    parts = [
        f'<article id="{escape(operation["operationId"])}"><h3>{_name(path, method)}</h3>',
        _prose(operation.get("description") or operation["summary"]),
    ]
    if operation.get("parameters"):
        parameters = operation["parameters"]
        rows = [(entry["name"], _type(entry["schema"]), entry.get("description", "")) for entry in parameters]
        parts.append(_table("Parameters", rows))
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        parts.append(f"<p>Body: {_type(content['schema'])}</p>")
        parts += [_example(path, *example) for example in list(content.get("examples", {}).items())[:1]]
    responses: Json = operation["responses"]
    rows = [(status, _type(_body(response)), response["description"]) for status, response in responses.items()]
    parts.append(_table("Responses", rows))
    return "".join(parts) + "</article>"


def _body(response: Json) -> Json:
    """The schema of a response's body."""
    content: Json = response.get("content", {})
    return next((kind["schema"] for kind in content.values() if "schema" in kind), {})


def _example(path: str, title: str, example: Json) -> str:
    body = escape(json.dumps(example["value"], indent=2, ensure_ascii=False))
    call = f"curl --json @battle.json http://127.0.0.1:8000{escape(path)}"
    return f"<details><summary>Example: {escape(title)}</summary><pre>{call}</pre><pre>{body}</pre></details>"


def _model(name: str, schema: Json) -> str:
    tables = "".join(_table(part.get("title", ""), list(_rows(part))) for part in schema.get("oneOf", [schema]))
    return (
        f'<article id="{escape(name)}"><h3>{escape(name)}</h3>{_prose(schema.get("description", ""))}{tables}</article>'
    )


def _rows(schema: Json, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """A row for every key of an object, and below it those for the keys of the objects in its value."""
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        place = f"{prefix}{name}"
        kind = _type(inner) if name in required else f"{_type(inner)}, optional"
        yield place, kind, inner.get("description", "")
        for part, path in _objects(inner, place):
            yield from _rows(part, path)


def _objects(schema: Json, place: str) -> Iterator[tuple[Json, str]]:
    """The schemas of the objects in a value, each with the prefix of its keys."""
    if "properties" in schema:
        yield schema, f"{place}."
    if isinstance(schema.get("items"), dict):
        yield from _objects(schema["items"], f"{place}[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _objects(schema["additionalProperties"], f"{place}.…")
    for part in schema.get("anyOf", ()):
        yield from _objects(part, place)


def _type(schema: Json) -> str:
    """The type of a value in HTML, in a few words."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(_type(part) for part in schema[union]))
    if "enum" in schema or "const" in schema:
        return ", ".join(escape(json.dumps(value)) for value in schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return f"[{', '.join(_type(part) for part in schema['prefixItems'])}]"
    if isinstance(schema.get("items"), dict):
        return f"list of {_type(schema['items'])}"
    bounds = [f"{sign} {schema[key]}" for key, sign in (("minimum", "≥"), ("maximum", "≤")) if key in schema]
    return " ".join([escape(schema.get("type", "any")), *bounds])


def _table(caption: str, rows: list[tuple[str, str, str]]) -> str:
    """A table of rows, each of a name, a type in HTML and a description."""
    if not rows:
        return ""
    body = "".join(
        f'<tr><th scope="row"><code>{escape(name)}</code></th><td>{kind}</td><td>{_inline(description)}</td></tr>'
        for name, kind, description in rows
    )
    return f'<div class="scroll"><table><caption>{escape(caption)}</caption>{body}</table></div>'


def _prose(text: str) -> str:
    return "".join(f"<p>{_inline(paragraph)}</p>" for paragraph in text.split("\n\n") if paragraph)


def _inline(text: str) -> str:
    """Text in HTML, with the parts in backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
