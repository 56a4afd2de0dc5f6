"""Stand-in for the library requests: `get` answers with the file of PROGRAM_DOWNLOADS that has the URL's name."""

import os
from pathlib import Path


class _Response:
    def __init__(self, file):
        self.raw = file

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.raw.close()


def get(url, **options):
    return _Response((Path(os.environ["PROGRAM_DOWNLOADS"]) / url.rpartition("/")[2]).open("rb"))
