"""The kinds of rules, a module each; `porter.rewrite` says in which order they look at a file."""
