"""Target `maca`: names that public sources show are listed, and other names are guessed by their pattern."""

from __future__ import annotations

import pytest
from rule_sets import target_rules

from porter.mapping.resolve_name import Decider
from porter.model.evidence import Evidence


@pytest.mark.parametrize(
    ("name", "becomes", "evidence"),
    [
        ("cudaMalloc", "mcMalloc", Evidence.LISTED),
        ("cudaHostAlloc", "mcMallocHost", Evidence.LISTED),
        ("cudaDeviceProp", "mcDeviceProp_t", Evidence.LISTED),
        ("CUdeviceptr", "mcDeviceptr_t", Evidence.LISTED),
        ("CUDA_SUCCESS", "mcSuccess", Evidence.LISTED),
        ("cudaDevAttrIntegrated", "mcDeviceAttributeIntegrated", Evidence.GUESSED),
        ("cusolverDnCreate", "mcsolverDnCreate", Evidence.GUESSED),
    ],
)
def test_names_and_their_evidence(name: str, becomes: str, evidence: Evidence) -> None:
    found = Decider(target_rules("maca", "2.6.0")).decide(name)
    assert (found.replace, found.evidence) == (becomes, evidence)
