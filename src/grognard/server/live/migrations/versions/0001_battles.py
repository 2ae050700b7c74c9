"""Battles, and what was done in each."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "battles",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=True),
        sa.Column("attacker_key", sa.String(64), nullable=False),
        sa.Column("defender_key", sa.String(64), nullable=False),
        sa.Column("spectator_key", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battles")),
    )
    op.create_index(op.f("ix_battles_opened"), "battles", ["opened"])
    op.create_table(
        "entries",
        sa.Column("battle", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("done", sa.BigInteger, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["battle"], ["battles.id"], name=op.f("fk_entries_battle"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle", "number", name=op.f("pk_entries")),
    )


def downgrade() -> None:
    """Drop both tables."""
    op.drop_table("entries")
    op.drop_table("battles")
