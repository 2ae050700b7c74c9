"""The parts of responses of every kind."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

RoleName = Literal["attacker", "defender"]
Face = int | str
Number = Annotated[float | str, Field(description='A number; with fractions a text such as "7/36".')]
Side = Annotated[str | None, Field(description="Whose it is; null: nobody's.")]
Role = Annotated[RoleName | None, Field(description="The role of that side in this attack.")]


class Fault(BaseModel):
    """One problem in a request."""

    place: Annotated[str, Field(description="Where in the request, such as `units[0].die`; empty for all of it.")]
    message: Annotated[str, Field(description="What is wrong, and what is expected.")]
    code: Annotated[str, Field(description="The kind of problem, for programs: `missing`, `too_large`, …")]
    line: Annotated[int | None, Field(description="The line, if a text was sent.")] = None


class Faults(BaseModel):
    """All problems of a request."""

    faults: list[Fault]
    size: Annotated[int | None, Field(description="If a battle is too large: its size; null: too large to count.")] = (
        None
    )
    bound: Annotated[int | None, Field(description="If a battle is too large: the largest size allowed.")] = None
