"""Chat models behind one protocol.

`open_model` opens a model by its name, and `register` adds a prefix of names. The backends are `OpenAIModel`,
`LocalModel`, `ScriptModel` and `ReplayModel`. `call` asks a model and records the cost. `LoggedModel` keeps every reply
in a `CallLog`, and pays for no request twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.models.cache import CallLog as CallLog
    from holdtrue.models.cache import LoggedModel as LoggedModel
    from holdtrue.models.chat import ChatModel as ChatModel
    from holdtrue.models.chat import Message as Message
    from holdtrue.models.chat import Reply as Reply
    from holdtrue.models.chat import Request as Request
    from holdtrue.models.chat import assistant as assistant
    from holdtrue.models.chat import call as call
    from holdtrue.models.chat import system as system
    from holdtrue.models.chat import user as user
    from holdtrue.models.local import LocalModel as LocalModel
    from holdtrue.models.model_registry import open_model as open_model
    from holdtrue.models.model_registry import register as register
    from holdtrue.models.openai_compatible import OpenAIModel as OpenAIModel
    from holdtrue.models.replay import ReplayModel as ReplayModel
    from holdtrue.models.replay import open_replay as open_replay
    from holdtrue.models.sampling import Sampling as Sampling
    from holdtrue.models.scripted import ScriptedReply as ScriptedReply
    from holdtrue.models.scripted import ScriptModel as ScriptModel
    from holdtrue.models.scripted import load_script as load_script
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".chat": "ChatModel Message Request Reply system user assistant call",
            ".sampling": "Sampling",
            ".model_registry": "open_model register",
            ".openai_compatible": "OpenAIModel",
            ".local": "LocalModel",
            ".scripted": "ScriptModel ScriptedReply load_script",
            ".replay": "ReplayModel open_replay",
            ".cache": "CallLog LoggedModel",
        },
    )
