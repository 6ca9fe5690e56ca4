"""All words that pass between holdtrue and a model: prompt frames, and reading what was said."""
