"""The migrations of the database: each step is a file in `versions/`."""

from importlib.resources import files

from alembic.config import Config
from sqlalchemy import Connection


def config_for(connection: Connection) -> Config:
    """The configuration with which Alembic runs these migrations over a connection."""
    config = Config()
    config.set_main_option("script_location", str(files(__name__)).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
