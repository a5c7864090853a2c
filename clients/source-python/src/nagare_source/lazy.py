"""asyncio, imported when it is first used: importing it takes most of the time that a short program needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["asyncio"]

if TYPE_CHECKING:
    import asyncio
else:

    class _Module:
        def __getattr__(self, name: str) -> Any:
            import asyncio

            return getattr(asyncio, name)

    asyncio = _Module()
