"""The script that Alembic executes to run the migrations."""

from alembic import context

from grognard.server.live.store import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
