"""A seat for every side, shared by all battles at a table. Existing tables keep the seats of attacker and defender."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ROLE_SEATS = ("attacker", "defender", "spectator")


def upgrade() -> None:
    """Put battles with the same keys at one table, and move the keys to its seats."""
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_seats")),
    )
    op.add_column("battles", sa.Column("table_id", sa.String(40), nullable=False, server_default=""))
    op.execute(
        "UPDATE battles SET table_id = (SELECT min(first.id) FROM battles AS first "
        "WHERE first.spectator_key = battles.spectator_key)"
    )
    for number, seat in enumerate(ROLE_SEATS):
        op.execute(
            "INSERT INTO seats (table_id, number, side, key) "  # noqa: S608  made of constants
            f"SELECT id, {number}, '{seat}', {seat}_key FROM battles WHERE id = table_id"
        )
    for seat in ROLE_SEATS:
        op.drop_column("battles", f"{seat}_key")
    op.create_index(op.f("ix_battles_table_id"), "battles", ["table_id"])
    with op.batch_alter_table("entries") as entries:
        entries.alter_column("who", existing_type=sa.String(10), type_=sa.Text, existing_nullable=False)


def downgrade() -> None:
    """Move the keys of attacker, defender and spectators back to columns, and drop those of other sides."""
    with op.batch_alter_table("entries") as entries:
        entries.alter_column("who", existing_type=sa.Text, type_=sa.String(10), existing_nullable=False)
    op.drop_index(op.f("ix_battles_table_id"), "battles")
    for seat in ROLE_SEATS:
        op.add_column("battles", sa.Column(f"{seat}_key", sa.String(64), nullable=False, server_default=""))
        op.execute(
            f"UPDATE battles SET {seat}_key = coalesce((SELECT key FROM seats "  # noqa: S608  made of constants
            f"WHERE seats.table_id = battles.table_id AND side = '{seat}'), '')"
        )
    op.drop_column("battles", "table_id")
    op.drop_table("seats")
