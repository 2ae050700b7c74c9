"""What changes in an attack: what stands on each unit's Tracking Card."""

from dataclasses import dataclass, replace

from grognard.systems.supply.setup import Setup, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A unit's strength and supplies, and whether it has fired and counterattacked this turn."""

    strength: int
    supply: int
    fired: bool = False
    countered: bool = False

    @classmethod
    def of(cls, unit: Unit) -> "Card":
        """The card of a unit before the attack."""
        return cls(strength=unit.strength, supply=unit.supply, fired=unit.fired, countered=unit.countered)


DESTROYED = Card(strength=0, supply=0)
"""A card that is discarded, with all that lay on it."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Every unit's card, in the file's order."""

    cards: tuple[Card, ...]

    def __getitem__(self, unit: int) -> Card:
        return self.cards[unit]

    def with_card(self, unit: int, card: Card) -> "Cards":
        """Another card for this unit."""
        return Cards((*self.cards[:unit], card, *self.cards[unit + 1 :]))

    def paying(self, setup: Setup, unit: int) -> "Cards":
        """The unit's Ammunition Cost is taken from its card."""
        card = self[unit]
        return self.with_card(unit, replace(card, supply=card.supply - setup.units[unit].ammo))

    def having_fired(self, unit: int) -> "Cards":
        """The unit has used its attack of this turn."""
        return self.with_card(unit, replace(self[unit], fired=True))

    def having_countered(self, unit: int) -> "Cards":
        """The unit has counterattacked this turn."""
        return self.with_card(unit, replace(self[unit], countered=True))

    def losing(self, setup: Setup, unit: int, losses: int, firing: int) -> "Cards":
        """The unit's strength is reduced. At zero it is destroyed, and its card discarded or, by a switch, captured."""
        card = self[unit]
        if losses < card.strength:
            return self.with_card(unit, replace(card, strength=card.strength - losses))
        cards = self.with_card(unit, DESTROYED)
        if setup.rules.destroyed_supplies == "discarded":
            return cards
        return cards.with_card(firing, replace(self[firing], supply=self[firing].supply + card.supply))
