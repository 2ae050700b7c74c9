"""What the API answers. The workers write these responses; the models document them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from grognard.core.systems import Json
from grognard.server.requests import Battle, Options
from grognard.solver.assumptions import Policy

RoleName = Literal["attacker", "defender"]
Face = int | str
Number = Annotated[float | str, Field(description='A number; with fractions a text such as "7/36".')]
State = Annotated[
    Json,
    Field(description="The shape of a result plus all marks; whatever belongs to somebody has its `side` and `role`."),
]
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


class Summary(BaseModel):
    """A measure: how likely each of its values is."""

    name: Annotated[str, Field(description="For programs, such as `rifles loses`.")]
    label: Annotated[str, Field(description="For people.")]
    side: Annotated[str | None, Field(description="The side whose loss it is.")]
    role: Role
    values: Annotated[list[tuple[int | bool | str, Number]], Field(description="Each value with its chance.")]
    mean: Number | None
    sd: float | None


class Outcome(BaseModel):
    """A result, and how likely it is."""

    p: Number
    result: Json
    error: Annotated[float | None, Field(description="Of a sampled chance: its standard error.")] = None


class Policies(BaseModel):
    """How each side was assumed to decide."""

    attacker: Policy
    defender: Policy


Measures = Annotated[
    dict[str, list[tuple[int | bool | str, Number]]] | None,
    Field(description="Of a turn: the distribution of every measure."),
]


class Odds(BaseModel):
    """The odds of every result, likeliest first."""

    system: str
    exact: Annotated[bool, Field(description="Not sampled.")]
    objective: str
    value: Number
    policies: Policies
    outcomes: Annotated[list[Outcome] | None, Field(description="null: a turn with too many results to list.")]
    results: Annotated[int | None, Field(description="Of a turn: how many different results there are.")] = None
    measures: Measures = None
    summaries: list[Summary] | None = None


class Sample(Odds):
    """Sampled odds, with how far off they may be."""

    n: int
    seed: int
    value_error: float


class OptionAdvice(BaseModel):
    """One option, and the odds once it is chosen."""

    id: str
    label: str
    value: Number
    best: Annotated[bool, Field(description="Strictly better than all others.")]
    regret: Annotated[Number, Field(description="What choosing it costs, compared with the best option.")]
    outcomes: list[Outcome] | None
    results: int | None = None
    measures: Measures = None
    summaries: list[Summary] | None = None


class OptionAhead(BaseModel):
    """An option wherever it is offered."""

    label: str
    best: Annotated[Number, Field(description="How often no other option is better.")]
    regret: Annotated[Number, Field(description="What choosing it costs on average.")]
    offered: Annotated[Number, Field(description="How often it is offered, of the times that the question is asked.")]


class DecisionAhead(BaseModel):
    """A question that may come, in all positions in which it is asked in the same words."""

    side: str
    role: RoleName
    prompt: str
    rule: str
    times: Annotated[Number, Field(description="How often it is asked in a battle, on average.")]
    options: list[OptionAhead]


class Advice(BaseModel):
    """The open decision, best option first; if dice are to be rolled, or the battle is over, there are no options."""

    by: Annotated[RoleName | None, Field(description="The role of the side that decides.")]
    side: Annotated[str | None, Field(description="The side that decides.")]
    prompt: str
    rule: str | None
    objective: str
    value: Number
    options: list[OptionAdvice]
    ahead: Annotated[list[DecisionAhead], Field(description="Decisions that may come after a roll.")]


class Percentile(BaseModel):
    """Where a measure of a result lies in the odds at the start: how likely less, the same and more of it were."""

    name: str
    label: str
    value: int
    less: Number
    same: Number
    more: Number
    percentile: Number
    loser: Annotated[RoleName | None, Field(description="Whose loss it is; null: the attacker wants much of it.")]


class DieLuck(BaseModel):
    """One die, and how much better it rolled for the attacker than if it alone were rolled again."""

    by: str
    side: str | None
    die: str
    face: Face
    gain: Number


class RollLuck(BaseModel):
    """A roll: the value before and after it, and its dice."""

    kind: Literal["roll"]
    rule: str
    purpose: str
    before: Number
    after: Number
    gain: Number
    dice: list[DieLuck]


class DecisionLuck(BaseModel):
    """A decision: the value before and after it, the option taken and the best one."""

    kind: Literal["choice"]
    rule: str
    side: str
    role: RoleName
    prompt: str
    choose: str
    best: str
    before: Number
    after: Number
    gain: Number
    regret: Number


class RoleLuck(BaseModel):
    """How lucky one side was, and what its decisions cost it."""

    luck: Number
    regret: Number
    percentiles: dict[str, Number]


class RolesLuck(BaseModel):
    """Both sides, by their roles."""

    attacker: RoleLuck
    defender: RoleLuck


class Luck(BaseModel):
    """How lucky each side was. What was expected, and what dice and decisions made of it, is left out of a sample."""

    system: str
    exact: Annotated[bool, Field(description="Not sampled.")]
    objective: str
    policies: Policies
    result: Json
    probability: Number
    rank: Annotated[int, Field(description="Of the result by likelihood, from 1; 0: it cannot come about so.")]
    results: Annotated[int, Field(description="How many can.")]
    percentiles: list[Percentile]
    start: Annotated[Number | None, Field(description="What the attacking side could expect.")] = None
    luck: Annotated[Number | None, Field(description="What the dice added to it.")] = None
    decisions: Annotated[Number | None, Field(description="What the decisions added to it.")] = None
    value: Annotated[Number | None, Field(description="The value of the result.")] = None
    left_best_line: Annotated[bool | None, Field(description="Whether a side chose otherwise than assumed.")] = None
    roles: RolesLuck | None = None
    steps: list[Annotated[RollLuck | DecisionLuck, Field(discriminator="kind")]] | None = None


class AttackValue(BaseModel):
    """An attack that is possible now, by itself."""

    id: Annotated[str, Field(description="The id of the option in a turn.")]
    by: str
    on: str
    swing: Annotated[Number, Field(description="Expected net losses.")]
    kill: Annotated[Number, Field(description="The chance that the target is destroyed.")]
    own_losses: Annotated[Number, Field(description="Expected losses of the attacking side.")]


class Attacks(BaseModel):
    """Every attack that is possible now, in option order."""

    attacks: list[AttackValue]


class PlanBranch(BaseModel):
    """What to do after a class of results of an attack."""

    conditions: Annotated[list[str], Field(description="Which results, in words.")]
    probability: Annotated[Number, Field(description="Given that the attack is made.")]
    next: Annotated["PlanStep | None", Field(description="The next attack; null: end the turn.")]
    is_cut: Annotated[bool, Field(description="Whether the plan goes on, but is not written out further.")]


class PlanStep(BaseModel):
    """An attack, and what follows its results, the likeliest first."""

    attack: Annotated[str, Field(description="The id of the option in a turn.")]
    by: str
    on: str
    branches: list[PlanBranch]


class FixedOrder(BaseModel):
    """The best list of attacks that is made before the first die."""

    attacks: list[str]
    value: Number
    exhaustive: Annotated[bool, Field(description="Whether all orders were tried; else it is the best one found.")]


class PlanWords(BaseModel):
    """A plan as people read it."""

    values: Annotated[list[list[str]], Field(description="Ways to play the turn: name, value and note of each.")]
    lines: Annotated[list[tuple[int, str]], Field(description="The plan, each line with its depth.")]


class TurnPlan(BaseModel):
    """The best way to play a turn, and the values of stopping, of the best fixed order, and of greedy play."""

    system: str
    objective: str
    value: Number
    stop: Number
    greedy: Number
    order: FixedOrder
    plan: Annotated[PlanStep | None, Field(description="null: end the turn.")]
    words: PlanWords


class NextTurn(BaseModel):
    """What follows a turn that is over."""

    battle: Annotated[Json | None, Field(description="The battle of the next side's turn.")]
    over: Annotated[str | None, Field(description="Why no turn follows: a side has nothing left that can attack.")]
    swing: Annotated[int, Field(description="The net losses of the turn that is over, for the side whose it was.")]


class Checked(BaseModel):
    """A legal battle, and its house rules."""

    legal: Literal[True]
    system: str
    rules: Annotated[Json, Field(description="The switches that are not at their default, as the file has them.")]


class OpenPool(BaseModel):
    """Dice of one kind that are to be rolled."""

    by: str
    side: Side
    role: Role
    count: int
    die: str
    faces: Annotated[list[Face], Field(description="The faces of each die.")]


class RollQuestion(BaseModel):
    """Dice are to be rolled."""

    kind: Literal["roll"]
    rule: str
    text: Annotated[str, Field(description="The question in a line.")]
    purpose: Annotated[str, Field(description='What the roll is for: "Spotting roll".')]
    success: Annotated[str, Field(description='What counts: "4 or more spots the target".')]
    dice: list[OpenPool]


class Option(BaseModel):
    """One answer to a choice."""

    id: str
    label: str


class ChoiceQuestion(BaseModel):
    """A decision is to be made."""

    kind: Literal["choice"]
    rule: str
    text: Annotated[str, Field(description="The question in a line.")]
    by: str
    side: Annotated[str, Field(description="The side that decides.")]
    role: RoleName
    prompt: str
    optional: Annotated[bool, Field(description="A question of yes or no.")]
    options: list[Option]


Question = Annotated[RollQuestion | ChoiceQuestion, Field(discriminator="kind")]


class RolledPool(BaseModel):
    """Dice of one kind as they were rolled, and what became of each."""

    by: str
    side: Side
    role: Role
    die: str
    faces: list[Face]
    fates: list[Literal["wins", "loses", "ties", "unused"]]


class RollEvent(BaseModel):
    """Dice were rolled."""

    kind: Literal["roll"]
    rule: str
    what: str
    side: Side
    role: Role
    purpose: str
    success: str
    dice: list[RolledPool]
    state: State


class ChoiceEvent(BaseModel):
    """A decision was made."""

    kind: Literal["choice"]
    rule: str
    what: str
    side: Side
    role: Role
    by: str
    prompt: str
    choose: Annotated[str, Field(description="The id of the option chosen.")]
    label: Annotated[str, Field(description="Its label.")]
    state: State


class ChangeEvent(BaseModel):
    """A rule changed something."""

    kind: Literal["change"]
    rule: str
    what: str
    side: Side
    role: Role
    state: State


Event = Annotated[RollEvent | ChoiceEvent | ChangeEvent, Field(discriminator="kind")]


class Move(BaseModel):
    """A question that was answered, as logs have it."""

    rule: str
    question: str
    roll: list[Face] | None = None
    choose: str | None = None
    machine: bool | None = None


class Play(BaseModel):
    """A battle as far as it has been played: the open question, or the result."""

    system: str
    sides: Annotated[dict[str, RoleName], Field(description="Every side with its role, in the file's order.")]
    question: Question | None
    events: list[Event]
    state: State
    result: Json | None
    after: Annotated[Json | None, Field(description="The battle file after the attack, once the battle is over.")]
    moves: list[Move]
    seed: str | None


class FileText(BaseModel):
    """A file as text."""

    text: str


SeatName = Annotated[str, Field(description="A side of the battle, or `spectator`.")]
Keys = dict[SeatName, str]


class OpenedBattle(BaseModel):
    """A battle that was opened. The keys are told this once."""

    id: str
    links: Annotated[Keys, Field(description="One for each seat: whoever has it, has the seat.")]
    keys: Annotated[Keys, Field(description="One for each side in the file's order, and one for spectators.")]
    commitment: Annotated[str | None, Field(description="SHA-256 of the fair dice's secret; null: the players roll.")]


class NextBattle(BaseModel):
    """The battle that follows. The keys are those of the battle before."""

    id: str
    links: Annotated[Keys, Field(description="For sides that had no seat in the battle before.")]
    keys: Annotated[Keys, Field(description="For sides that had no seat in the battle before.")]
    commitment: str | None


class ClaimedSeat(BaseModel):
    """A seat with a new key; the former one is void, in all battles at this table."""

    side: str
    key: str
    link: str


class FairState(BaseModel):
    """The fair dice, as far as they are public."""

    commitment: str
    numbers: Annotated[dict[str, bool], Field(description="Whether each side has added its number.")]
    secret: Annotated[str | None, Field(description="Published once the battle is over.")]


class Ended(BaseModel):
    """How a battle ended before its rules did."""

    how: Literal["conceded", "time", "abandoned"]
    side: Annotated[str | None, Field(description="Whose side conceded, or ran out of time.")]


class ClockState(BaseModel):
    """How long the sides may think."""

    proposed: Annotated[dict[str, int | None], Field(description="The seconds that each side has proposed.")]
    seconds: Annotated[int | None, Field(description="What the sides have agreed on; null: nothing.")]
    left: Annotated[dict[str, float] | None, Field(description="The seconds that each side has left.")]


class Kept(BaseModel):
    """How much still holds of what is known: so many of the first events and moves. Those sent come after them."""

    events: int
    moves: int


class PublishedSecret(BaseModel):
    """The secret of the fair dice of a battle that was removed."""

    commitment: str
    secret: str


class LiveState(Play):
    """A live battle as one of its seats sees it."""

    id: str
    side: SeatName
    role: Annotated[RoleName | None, Field(description="The role of the seat's side in this attack.")]
    entries: Annotated[int, Field(description="How many things were done so far: the id of a live event.")]
    battle: Annotated[Battle | SkipJsonSchema[None], Field(description="Left out if it is known.")] = None
    options: Options
    number: Annotated[int, Field(description="The number of the open question.")]
    can_answer: Annotated[bool, Field(description="Whether the question is yours to answer.")]
    can_undo: Annotated[bool, Field(description="Whether the last answer is yours to take back.")]
    fair: Annotated[FairState | None, Field(description="null: the players roll.")]
    next: Annotated[str | None, Field(description="The id of the battle that follows at this table.")]
    ended: Annotated[Ended | None, Field(description="null: by its rules, or not at all.")]
    clock: ClockState
    keep: Annotated[
        Kept | SkipJsonSchema[None],
        Field(description="Only if just what has changed was asked for: then `battle` is left out."),
    ] = None


class Conflict(Faults):
    """Why something cannot be done now, and where the battle stands."""

    state: LiveState


Choice = str | int | bool


class RuleInfo(BaseModel):
    """A rule in our own words."""

    paragraph: str
    rule: str
    says: str


class SwitchInfo(BaseModel):
    """A choice between interpretations of an ambiguous rule, which a battle file may make."""

    name: str
    default: Choice
    alternatives: list[Choice]
    says: str
    paragraph: str


class SourceInfo(BaseModel):
    """A figure of the game, and where it is known from."""

    what: str
    figure: str
    mark: str


class ValueForm(BaseModel):
    """What a value may be. `of` holds the kinds inside it: of the entries, the parts, or the alternatives."""

    kind: Literal["number", "text", "flag", "one of", "table", "list", "fixed", "named", "either"]
    nullable: Annotated[bool, Field(description="Whether it may be left empty.")] = False
    is_whole: Annotated[bool, Field(description="Of a number: whether it has no fraction.")] = True
    at_least: Annotated[int | None, Field(description="The least number, length of text, or number of entries.")] = None
    at_most: int | None = None
    choices: list[Choice] | None = None
    fields: "list[FieldForm] | None" = None
    of: "list[ValueForm] | None" = None


class FieldForm(BaseModel):
    """One key of a table in a battle file."""

    name: str
    says: str
    paragraph: str
    expects: str
    required: bool
    default: Any
    kind: ValueForm


class ExampleBattle(BaseModel):
    """An example battle."""

    name: str
    story: str
    battle: Json


class SystemInfo(BaseModel):
    """A system: its rules, switches, objectives, forms, ready-made units and examples."""

    name: str
    title: str
    summary: str
    rules: list[RuleInfo]
    paragraphs: Annotated[dict[str, str], Field(description="Paragraphs that are no rule, and how they are covered.")]
    switches: list[SwitchInfo]
    objectives: Annotated[dict[str, str], Field(description="What the attacking side may want much of.")]
    sources: list[SourceInfo]
    fields: Annotated[list[FieldForm], Field(description="What a battle file may say.")]
    roster: Annotated[dict[str, Json], Field(description="Ready-made units, as a battle file would write them.")]
    figures: Annotated[
        dict[str, Json],
        Field(description="Figures of the game, by the key under which a battle file would write its own."),
    ]
    example: Annotated[Json, Field(description="A small battle to start from.")]
    examples: list[ExampleBattle]
