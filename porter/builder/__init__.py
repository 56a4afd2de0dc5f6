"""The build stage: a port's objects, its libraries, and the check of what they need and show."""
