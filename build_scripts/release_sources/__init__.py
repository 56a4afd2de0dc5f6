"""Source trees and header trees of PyTorch releases: found, brought here once, and whole.

What `build_scripts/fetch_release` is made of. It needs nothing but Python's own library, because it
runs before anything is installed.

    command_line   what is asked for, and the answer
    source         what a source is; asking one after the other for a release
    cache          trees that were fetched: stamps, locks, what killed runs left

The sources:

    checkout       a tree or checkout that is here already
    git            tags of a repository
    debian         Debian's source package, its tarball checked against the signed description
    wheel          headers of a wheel, from the package index that pip is configured with
    apt_sources    the mirrors from which this machine gets Debian
    private_apt    an apt that needs no root
    pip_settings   the package indexes of this machine's pip
    package_index  the wheels that an index offers
    header_tree    the files of a wheel, laid out as a source tree

Under them:

    archive        unpacking what comes from elsewhere
    download       pages, files and parts of files, from the web
    remote_file    a file of the web, read block by block
    commands       running git and apt
    terminal       what is said on stderr
    errors         why a release cannot be had
"""
