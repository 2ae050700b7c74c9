"""How the tables came to be what they are, one step a file under `versions/`."""

from importlib.resources import files

from alembic.config import Config
from sqlalchemy import Connection


def config_for(connection: Connection) -> Config:
    """What alembic needs to know to run these migrations over a connection."""
    config = Config()
    config.set_main_option("script_location", str(files(__name__)).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
