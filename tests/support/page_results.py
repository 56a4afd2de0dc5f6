"""Made-up results of `porter verify` for tests of pages."""

from __future__ import annotations

from pathlib import Path

from porter.mapping.expected_failures import ExpectedFailures, Explained, explain
from porter.model.verify import CHECKS, Case, CheckResult, Setting, VerificationResult

DTYPES = (
    *(
        "float32",
        "float64",
        "float16",
        "bfloat16",
        "complex64",
        "complex128",
        "int64",
        "int32",
        "int16",
    ),
    *("int8", "uint8", "bool", "complex32"),
)
SETTING = Setting("torch_toy", "2.6.0+cu124", "b" * 64, "s" * 64, 4)
KNOWN = ExpectedFailures(
    ("op_1*",), ("*",), CHECKS, "tolerance", "the <b>sum</b> differs", "toy/verify.yaml:3"
)


def results(operators: int, note: str = "differs by 1e-3") -> tuple[VerificationResult, Explained]:
    """Results of operators `op_0`, `op_1` ... with all dtypes and checks; some results are not `pass`."""
    made = {}
    for number in range(operators):
        for dtype in DTYPES:
            for check in CHECKS:
                status = "pass"
                if number % 10 == 1 and dtype == "float16":
                    status = "fail"
                elif number % 25 == 2 and check == "out":
                    status = "fallback"
                elif dtype == "bool" and check == "backward":
                    status = "skipped"
                elif (number, dtype, check) == (7, "int8", "empty"):
                    status = "crash"
                case = Case(f"op_{number}", dtype, check)
                text = {"pass": "", "fallback": "aten::eig"}.get(status, note)
                made[case] = CheckResult(case, status, text, 0.01)
    done = VerificationResult(SETTING, made, len(made), Path("verify"))
    return done, explain(made.values(), (KNOWN,))
