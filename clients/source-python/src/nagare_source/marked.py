"""The items that an edit of many is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import INVALID_PARAMS, SourceError


@dataclass(frozen=True)
class Marked:
    """Some items, or all that are looked for but for some."""

    ids: list[Any]
    """Those that are marked; those that aren't, if all others are."""
    all: bool = False
    """Whether all that are looked for are marked, but for `ids`."""
    query: str | None = None
    """What is looked for, None for everything, if all are marked."""
    filters: Mapping[str, Any] | None = None
    """What it is filtered by, None for nothing, if all are marked."""

    @staticmethod
    def of(params: dict[str, Any]) -> Marked:
        """Those that a request names."""
        if "all" not in params:
            return Marked(_ids(params, "ids"))
        if params["all"] is not True or "ids" in params:
            raise SourceError(INVALID_PARAMS, 'it is either "ids" or "all": true')
        query, filters = params.get("query"), params.get("filters")
        if not isinstance(query, (str, type(None))) or not isinstance(filters, (dict, type(None))):
            raise SourceError(INVALID_PARAMS, "query is to be a string or null, and filters an object or null")
        return Marked(_ids(params, "except"), True, query, filters)


def _ids(params: dict[str, Any], name: str) -> list[Any]:
    ids = params.get(name, [])
    if not isinstance(ids, list):
        raise SourceError(INVALID_PARAMS, f"{name} is to be an array of ids")
    return ids
