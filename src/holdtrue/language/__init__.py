"""The words that pass between holdtrue and a model: frames of prompts, and the reading of messages and replies."""
