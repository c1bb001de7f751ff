"""Running Programs: Executor, Plans by feeds and fetches, Scopes, several places."""
