"""Each folder of this package measures one kind of answer."""
