"""Problems and runs in forms that other programs read: data sets of Hugging Face, and logs of Inspect."""
