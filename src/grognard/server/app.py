"""The web application."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from grognard import __version__
from grognard.server import pages, routes
from grognard.server.docs_page import STYLE, docs_page
from grognard.server.engine import Engine
from grognard.server.errors import handle_errors
from grognard.server.guard import Guard
from grognard.server.live import routes as live_routes
from grognard.server.live.service import LiveService
from grognard.server.monitor import CONTENT_TYPE, Monitor, open_log
from grognard.server.responses.systems import SystemInfo
from grognard.server.settings import Settings
from grognard.words.catalogue import catalogue

DESCRIPTION = """Combat in tabletop wargames: play it, and know the exact odds, with both sides' decisions in them.

A battle is JSON with the structure of a battle file. It is the body itself, with options in the query, or is in an
envelope `{"battle": …}` with options beside it, which override those in the query. If a request has faults, the
response lists all of them: `{"faults": [{"place", "message", "code"}]}`."""


def create_app(settings: Settings) -> FastAPI:
    """A web application with these settings."""
    app = FastAPI(
        title="grognard",
        version=__version__,
        description=DESCRIPTION,
        openapi_url=None,
        lifespan=_lifespan,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.settings = settings
    app.state.monitor = monitor = Monitor(open_log(settings.log) if settings.log else None)
    app.add_middleware(Guard, settings=settings, monitor=monitor)
    handle_errors(app)
    app.include_router(_about())
    app.include_router(routes.router)
    app.include_router(live_routes.router)
    app.include_router(_documentation(app))
    app.include_router(pages.router(pages.load_files()))
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the workers and the live battles, and close them at the end."""
    settings: Settings = app.state.settings
    app.state.live, app.state.engine = LiveService(), Engine(settings, app.state.monitor)
    await app.state.live.open(settings, app.state.engine)
    app.state.engine.open()
    try:
        yield
    finally:
        await app.state.engine.close()
        await app.state.live.close()


def _about() -> APIRouter:
    """The routes about the server itself."""
    router = APIRouter(tags=["about"])
    systems_file = pages.file(json.dumps(catalogue(), separators=(",", ":")).encode(), "systems.json")

    @router.get("/api/systems", response_model=list[SystemInfo], responses=routes.GUARD_RESPONSES)
    async def systems(request: Request) -> Response:
        """Every system: its rules, switches, objectives, the structure of its files, ready-made units and examples."""
        return systems_file.response(request)

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics(request: Request) -> Response:
        """Figures for operators, in the text format of Prometheus."""
        monitor: Monitor = request.app.state.monitor
        return PlainTextResponse(monitor.metrics(), media_type=CONTENT_TYPE)

    @router.get("/healthz", response_model=dict[str, str], responses={503: {"model": dict[str, str]}})
    async def healthz(request: Request) -> Response:
        """Whether the server runs; the status is 503 once the database has turned out to be damaged."""
        if request.app.state.monitor.database_damage is not None:
            return JSONResponse({"status": "the database is damaged"}, 503)
        return JSONResponse({"status": "ok"})

    return router


def _documentation(app: FastAPI) -> APIRouter:
    """The routes of the API's documentation."""
    router = APIRouter(include_in_schema=False)
    style = pages.file(STYLE.read_bytes(), STYLE.name)

    @cache
    def page() -> pages.File:
        return pages.file(docs_page(app.openapi()).encode(), "docs.html")

    @cache
    def schema() -> pages.File:
        return pages.file(json.dumps(app.openapi(), separators=(",", ":")).encode(), "openapi.json")

    @router.get("/docs")
    async def docs(request: Request) -> Response:
        return page().response(request)

    @router.get("/openapi.json")
    async def openapi(request: Request) -> Response:
        return schema().response(request)

    @router.get("/docs.css")
    async def docs_style(request: Request) -> Response:
        return style.response(request)

    return router
