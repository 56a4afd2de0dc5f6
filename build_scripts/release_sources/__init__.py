"""Source trees and header trees of PyTorch releases: search, download and cache.

`build_scripts/fetch_release` consists of these modules. They need only Python's standard library, because the script
runs before anything is installed.

    command_line   arguments and output
    source         interface of a source; search for a release in several sources
    cache          fetched trees: stamps, locks, removal of scratch folders

The sources:

    checkout       local tree or checkout
    git            tags of a repository
    debian         Debian's source package, with its tarball checked against the signed description
    wheel          headers of a wheel, from the package index of pip
    apt_sources    Debian mirrors of this machine
    private_apt    apt without root
    pip_settings   package indexes of this machine's pip
    package_index  wheels in an index
    header_tree    files of a wheel in the layout of a source tree

Used by the sources:

    archive        safe unpacking
    download       pages, files and parts of files over HTTP
    remote_file    seekable file over HTTP
    commands       runs git and apt
    terminal       output on stderr
    errors         errors with exit codes and advice
"""
