"""Cases about time: events on a timeline, and pure order."""
