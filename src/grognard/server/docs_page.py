"""The API's documentation as one page, written out from its OpenAPI: no script, and nothing loaded from elsewhere."""

import json
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from grognard.core.systems import Json

STYLE = Path(__file__).with_name("docs.css")


def docs_page(api: Json) -> str:
    """The page."""
    info, shapes = api["info"], api["components"]["schemas"]
    operations = [
        (path, method, operation) for path, methods in api["paths"].items() for method, operation in methods.items()
    ]
    listed = "".join(f"<li>{_link(*operation)}</li>" for operation in operations)
    described = "".join(_operation(*operation) for operation in operations)
    defined = "".join(_shape(name, shape) for name, shape in shapes.items())
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(info['title'])}: the API</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs.css"></head><body><main>'
        f"<h1>{escape(info['title'])}: the API</h1>{_prose(info['description'])}"
        f'<p class="muted">Version {escape(info["version"])}. '
        'The same for programs: <a href="/openapi.json">openapi.json</a>. <a href="/">The page itself</a>.</p>'
        f'<nav aria-label="Endpoints"><ul>{listed}</ul></nav>'
        f"<h2>Endpoints</h2>{described}<h2>Models</h2>{defined}</main></body></html>"
    )


def _link(path: str, method: str, operation: Json) -> str:
    says = _code(operation.get("description", "").partition("\n")[0])
    return f'<a href="#{escape(operation["operationId"])}">{_name(path, method)}</a> <span class="muted">{says}</span>'


def _name(path: str, method: str) -> str:
    return f'<span class="method {method}">{method.upper()}</span> <code>{escape(path)}</code>'


def _operation(path: str, method: str, operation: Json) -> str:
    parts = [
        f'<article id="{escape(operation["operationId"])}"><h3>{_name(path, method)}</h3>',
        _prose(operation.get("description") or operation["summary"]),
    ]
    if operation.get("parameters"):
        parameters = operation["parameters"]
        rows = [(one["name"], _type(one["schema"]), one.get("description", "")) for one in parameters]
        parts.append(_table("Parameters", rows))
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        parts.append(f"<p>Body: {_type(content['schema'])}</p>")
        parts += [_example(path, *example) for example in list(content.get("examples", {}).items())[:1]]
    rows = [(status, _type(_answered(answer)), answer["description"]) for status, answer in _answers(operation)]
    parts.append(_table("Answers", rows))
    return "".join(parts) + "</article>"


def _answers(operation: Json) -> Iterable[tuple[str, Json]]:
    answers: Json = operation["responses"]
    return answers.items()


def _answered(answer: Json) -> Json:
    content: Json = answer.get("content", {})
    return next((kind["schema"] for kind in content.values() if "schema" in kind), {})


def _example(path: str, title: str, example: Json) -> str:
    body = escape(json.dumps(example["value"], indent=2, ensure_ascii=False))
    call = f"curl --json @battle.json http://127.0.0.1:8000{escape(path)}"
    return f"<details><summary>Example: {escape(title)}</summary><pre>{call}</pre><pre>{body}</pre></details>"


def _shape(name: str, shape: Json) -> str:
    tables = "".join(_table(one.get("title", ""), list(_rows(one))) for one in shape.get("oneOf", [shape]))
    return (
        f'<article id="{escape(name)}"><h3>{escape(name)}</h3>{_prose(shape.get("description", ""))}{tables}</article>'
    )


def _rows(shape: Json, above: str = "") -> Iterator[tuple[str, str, str]]:
    """A row for every key, with those of the tables inside it below it."""
    required = shape.get("required", ())
    for name, inner in shape.get("properties", {}).items():
        place = f"{above}{name}"
        kind = _type(inner) if name in required else f"{_type(inner)}, optional"
        yield place, kind, inner.get("description", "")
        for table, path in _tables(inner, place):
            yield from _rows(table, path)


def _tables(shape: Json, place: str) -> Iterator[tuple[Json, str]]:
    """The tables written out inside a value, each with where its keys are."""
    if "properties" in shape:
        yield shape, f"{place}."
    if isinstance(shape.get("items"), dict):
        yield from _tables(shape["items"], f"{place}[]")
    if isinstance(shape.get("additionalProperties"), dict):
        yield from _tables(shape["additionalProperties"], f"{place}.…")
    for one in shape.get("anyOf", ()):
        yield from _tables(one, place)


def _type(shape: Json) -> str:
    """What a value may be, in a few words."""
    if "$ref" in shape:
        name = escape(shape["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for several in ("oneOf", "anyOf"):
        if several in shape:
            return " or ".join(dict.fromkeys(_type(one) for one in shape[several]))
    if "enum" in shape or "const" in shape:
        return ", ".join(escape(json.dumps(value)) for value in shape.get("enum", [shape.get("const")]))
    if "prefixItems" in shape:
        return f"[{', '.join(_type(one) for one in shape['prefixItems'])}]"
    if isinstance(shape.get("items"), dict):
        return f"list of {_type(shape['items'])}"
    bounds = [f"{sign} {shape[key]}" for key, sign in (("minimum", "≥"), ("maximum", "≤")) if key in shape]
    return " ".join([escape(shape.get("type", "any")), *bounds])


def _table(caption: str, rows: list[tuple[str, str, str]]) -> str:
    """Rows of a name, what it may be (in HTML) and what it means."""
    if not rows:
        return ""
    body = "".join(
        f'<tr><th scope="row"><code>{escape(name)}</code></th><td>{kind}</td><td>{_code(says)}</td></tr>'
        for name, kind, says in rows
    )
    return f'<div class="scroll"><table><caption>{escape(caption)}</caption>{body}</table></div>'


def _prose(text: str) -> str:
    return "".join(f"<p>{_code(paragraph)}</p>" for paragraph in text.split("\n\n") if paragraph)


def _code(text: str) -> str:
    """The text, with what stands between backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
