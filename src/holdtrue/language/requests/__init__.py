"""Read what a message does to the requests of a user, and what an assistant claims to have done."""
