"""A client library for Nagare, the server that holds an app's view models.

It opens views, sends the user's actions and receives the values to show.
"""

from .any_view import AnyView
from .app import App
from .changes import Change, Changes, Step, changed, inserted, removed
from .codes import ErrorCode
from .connect import connect, spawn
from .errors import (
    InternalError,
    InvalidParams,
    InvalidRequest,
    LimitPassed,
    MethodNotFound,
    NagareError,
    NoSuchScreen,
    NoSuchView,
    ParseError,
    ProtocolError,
    RequestCancelled,
    ResponseError,
    ServerDied,
    SessionClosed,
    TooManyEvents,
    ViewClosed,
    ViewExists,
)
from .inputs import Input, input
from .items import Items
from .output import Output
from .page import Page
from .screen import Screen
from .source_functions import Marked, Progress
from .sources import Source
from .tasks import CANCELLED, Task
from .types import Failure, LoadState, Outcome, PagerPage, TaskKind
from .view import View
from .views import ChoiceView, FeedView, ListView, PagerView, SearchView
from .window import Window

__all__ = [
    "CANCELLED",
    "AnyView",
    "App",
    "Change",
    "Changes",
    "ChoiceView",
    "ErrorCode",
    "Failure",
    "FeedView",
    "Input",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "Items",
    "LimitPassed",
    "ListView",
    "LoadState",
    "Marked",
    "MethodNotFound",
    "NagareError",
    "NoSuchScreen",
    "NoSuchView",
    "Outcome",
    "Output",
    "Page",
    "PagerPage",
    "PagerView",
    "ParseError",
    "Progress",
    "ProtocolError",
    "RequestCancelled",
    "ResponseError",
    "Screen",
    "SearchView",
    "ServerDied",
    "SessionClosed",
    "Source",
    "Step",
    "Task",
    "TaskKind",
    "TooManyEvents",
    "View",
    "ViewClosed",
    "ViewExists",
    "Window",
    "changed",
    "connect",
    "input",
    "inserted",
    "removed",
    "spawn",
]
