"""What responses of every kind are made of."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

RoleName = Literal["attacker", "defender"]
Face = int | str
Number = Annotated[float | str, Field(description='A number; with fractions a text such as "7/36".')]
Side = Annotated[str | None, Field(description="The side that it concerns; null: none.")]
Role = Annotated[RoleName | None, Field(description="The role of that side in this attack.")]


class Fault(BaseModel):
    """One problem in a request."""

    place: Annotated[str, Field(description="Where in the request, such as `units[0].die`; empty for all of it.")]
    message: Annotated[str, Field(description="What is there, and what was expected.")]
    code: Annotated[str, Field(description="What sort of problem it is, for programs: `missing`, `too_large`, …")]
    line: Annotated[int | None, Field(description="The line, where a text was sent.")] = None


class Faults(BaseModel):
    """All problems of a request."""

    faults: list[Fault]
    size: Annotated[int | None, Field(description="Of a battle too large: its size; null: beyond counting.")] = None
    bound: Annotated[int | None, Field(description="Of a battle too large: how large it may be.")] = None
