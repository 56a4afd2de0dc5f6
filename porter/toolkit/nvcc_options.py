"""Options of nvcc that the driver reads, as a table (CUDA Compiler Driver NVCC 12.4, "Command Option Description")."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Use(StrEnum):
    """Use of an option by the driver."""

    HOST = "host"
    """The option and its value are passed to the target's compiler unchanged."""
    COMPILER = "compiler"
    """The value is a list of options of the host's compiler, separated by commas (`-Xcompiler`)."""
    LINKER = "linker"
    """The value is a list of options of the linker, separated by commas (`-Xlinker`)."""
    IGNORED = "ignored"
    """The option has no effect on the target; a note says so if `--verbose` is given."""
    REFUSED = "refused"
    """The option asks for a file that the target lacks, for example OptiX IR."""
    OWN = "own"
    """The driver implements the option (`porter.toolkit.command_line`)."""


class Option(NamedTuple):
    """One option: its short name, its use, and the form of its value."""

    name: str
    """First spelling of the option. For HOST, g++ understands this spelling."""
    use: Use
    value: bool = False
    """True if a value follows, after `=`, as the next argument or, for a name of one letter, directly."""


def _options(use: Use, names: str, *, value: bool) -> dict[str, Option]:
    """Entries for options that are separated by blanks; the first spelling in `a|b` is the name."""
    return {
        spelling: Option(group.split("|")[0], use, value)
        for group in names.split()
        for spelling in group.split("|")
    }


OPTIONS: dict[str, Option] = {
    **_options(
        Use.HOST,
        "-I|--include-path -isystem|--system-include -include|--pre-include -D|--define-macro "
        "-U|--undefine-macro -L|--library-path -l|--library -MF|--dependency-output -MT|--dependency-target-name "
        "-MQ -iquote -idirafter -imacros -O|--optimize -std|--std",
        value=True,
    ),
    **_options(
        Use.HOST,
        "-w|--disable-warnings -shared|--shared -MP|--generate-dependency-targets -pg|--profile -pthread",
        value=False,
    ),
    **_options(Use.COMPILER, "-Xcompiler|--compiler-options", value=True),
    **_options(Use.LINKER, "-Xlinker|--linker-options", value=True),
    **_options(
        Use.IGNORED,
        "-arch|--gpu-architecture|-gpu-architecture -code|--gpu-code -gencode|--generate-code "
        "-Xptxas|--ptxas-options -Xnvlink|--nvlink-options -Xfatbin|--fatbin-options -Xcudafe|--cudafe-options "
        "-Xarchive|--archive-options -maxrregcount|--maxrregcount -ftz|--ftz -prec-div|--prec-div "
        "-prec-sqrt|--prec-sqrt -fmad|--fmad -cudart|--cudart -cudadevrt|--cudadevrt "
        "-default-stream|--default-stream -t|--threads -diag-suppress|--diag-suppress -diag-warn|--diag-warn "
        "-diag-error|--diag-error -keep-dir|--keep-dir -split-compile|--split-compile "
        "-Werror|--Werror -Ofast-compile|--Ofast-compile -ldir|--libdevice-directory -tempdir|--temp-dir "
        "-ccbin|--compiler-bindir -minimal|--minimal -target-dir|--target-directory",
        value=True,
    ),
    **_options(
        Use.IGNORED,
        "-use_fast_math|--use_fast_math -expt-relaxed-constexpr|--expt-relaxed-constexpr "
        "-expt-extended-lambda|--expt-extended-lambda|-extended-lambda|--extended-lambda "
        "-lineinfo|--generate-line-info -keep|--keep -res-usage|--resource-usage "
        "-extra-device-vectorization|--extra-device-vectorization -restrict|--restrict "
        "-src-in-ptx|--source-in-ptx -noprof|--noprof -objtemp|--objdir-as-tempdir "
        "-Wno-deprecated-gpu-targets|--Wno-deprecated-gpu-targets -Wreorder|--Wreorder "
        "-Wdefault-stream-launch|--Wdefault-stream-launch -Wext-lambda-captures-this|--Wext-lambda-captures-this "
        "-Wmissing-launch-bounds|--Wmissing-launch-bounds -err-no|--display-error-number|--err-no "
        "-no-err-no|--no-display-error-number -clean|--clean-targets -noeh|--no-exceptions "
        "-nohdinitlist|--no-host-device-initializer-list -nohdmoveforward|--no-host-device-move-forward "
        "-allow-unsupported-compiler|--allow-unsupported-compiler -forward-unknown-to-host-linker|"
        "--forward-unknown-to-host-linker -time|--time -G0 -dlto|--dlink-time-opt -no-align-double|--no-align-double "
        "-lto|--lto -qpp-config|--qpp-config",
        value=False,
    ),
    **_options(
        Use.REFUSED,
        "-optix-ir|--optix-ir -ltoir|--ltoir",
        value=False,
    ),
    **_options(
        Use.OWN,
        "-o|--output-file -x|--x -rdc|--relocatable-device-code -optf|--options-file",
        value=True,
    ),
    **_options(
        Use.OWN,
        "-c|--compile -dc|--device-c -dw|--device-w -dlink|--device-link -link|--link -lib|--lib -E|--preprocess "
        "-cuda|--cuda -ptx|--ptx -cubin|--cubin -fatbin|--fatbin "
        "-M|--generate-dependencies -MM|--generate-nonsystem-dependencies "
        "-MD|--generate-dependencies-with-compile -MMD|--generate-nonsystem-dependencies-with-compile "
        "-g|--debug -G|--device-debug -v|--verbose -dryrun|--dryrun -V|--version -h|--help "
        "-forward-unknown-to-host-compiler|--forward-unknown-to-host-compiler -run|--run "
        "--list-gpu-arch|-arch-ls --list-gpu-code|-code-ls",
        value=False,
    ),
}
"""Maps every spelling of an option to its entry."""

JOINED = ("-I", "-D", "-U", "-L", "-l", "-O", "-x")
"""Options whose value may follow without a blank: `-Iinclude`."""
HOST_PREFIXES = (
    "-f",
    "-m",
    "-W",
    "-pipe",
    "-pedantic",
    "-static",
    "-rdynamic",
    "-g",
    "-s",
    "-P",
    "-n",
    "-z",
)
"""Beginnings of options of g++ that nvcc does not know; the driver passes these options on."""
