"""Whatever is sent to the API, as its OpenAPI says or not, the server never breaks and answers as documented."""

import copy
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from grognard import systems
from grognard.files.examples import examples
from tests.server.running import PATIENCE, Running
from tests.soak import FACTOR, count

EXAMPLES = 4 if FACTOR == 1 else 15 * FACTOR
"""Requests of each kind to each endpoint."""
pytestmark = pytest.mark.soak("requests of any kind to every address")
BOUNDED = settings(
    max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck), deadline=None
)
BATTLES = [example.source for name in systems.names() for example in examples(name)[:3]]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_breaks_the_server(server: Running, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/openapi.json")
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
            continue  # nothing in it can be wrong

        @BOUNDED
        @given(operation.as_strategy(generation_mode=mode))
        def send(case: schemathesis.Case[Any]) -> None:
            count(inputs=1)
            # a battle of the right shape need not be legal, and a text that is too long may make a request too large
            response = case.call(timeout=PATIENCE)
            too_large = [negative_data_rejection] if response.status_code == 413 else []
            case.validate_response(response, excluded_checks=[positive_data_acceptance, *too_large])

        send()


@st.composite
def spoilt_battles(draw: st.DrawFn) -> Any:
    """An example in which something was replaced, left out or added."""
    battle = copy.deepcopy(draw(st.sampled_from(BATTLES)))
    here: Any = battle
    while True:
        places = list(here) if isinstance(here, dict) else list(range(len(here)))
        place = draw(st.sampled_from(places)) if places else None
        if place is not None and isinstance(here[place], dict | list) and draw(st.booleans()):
            here = here[place]
            continue
        match draw(st.sampled_from(["replace", "leave out", "add"])):
            case "replace" if place is not None:
                here[place] = draw(ANYTHING)
            case "leave out" if place is not None:
                del here[place]
            case _ if isinstance(here, dict):
                here[draw(st.text())] = draw(ANYTHING)
            case _:
                here.append(draw(ANYTHING))
        return battle


@pytest.mark.parametrize("ask", ["check", "odds", "advise", "simulate", "play", "after", "end-turn", "toml", "battles"])
def test_no_spoilt_battle_breaks_the_server(server: Running, ask: str) -> None:
    @BOUNDED
    @given(spoilt_battles())
    def send(battle: Any) -> None:
        count(inputs=1)
        answer = server.client.post(f"/api/{ask}", json={"battle": battle})
        assert answer.status_code in (200, 201, 422), answer.text

    send()
