"""Where the source tree of a PyTorch release comes from, and how it is brought here once and whole.

What `build_scripts/fetch_release` is made of. It needs nothing but Python's own library, because it
runs before anything is installed.

    command_line   what is asked for, and the answer
    source         what a source is; asking one after the other for a release
    cache          trees that were fetched: stamps, locks, what killed runs left

The sources:

    checkout       a tree or checkout that is here already
    git            tags of a repository
    debian         Debian's source package, its tarball checked against the signed description
    apt_sources    the mirrors from which this machine gets Debian
    private_apt    an apt that needs no root

Under them:

    archive        unpacking what comes from elsewhere
    commands       running git and apt
    terminal       what is said on stderr
    errors         why a release cannot be had
"""
