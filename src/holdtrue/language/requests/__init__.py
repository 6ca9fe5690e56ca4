"""Read the effects of a message on a user's requests, and the claims of an assistant about finished work."""
