"""Language models behind one small protocol: local files, OpenAI-compatible servers, scripts, replays."""
