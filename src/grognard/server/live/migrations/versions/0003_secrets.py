"""A table for the secrets of removed battles, so that their logs can still be verified."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "secrets",
        sa.Column("battle", sa.String(40), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("battle", name=op.f("pk_secrets")),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("secrets")
