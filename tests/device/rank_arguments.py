"""Number and device of the rank that a program of these tests runs, from its command line: PROGRAM RANK RANKS ..."""

from __future__ import annotations

import sys

import torch

RANK, RANKS = int(sys.argv[1]), int(sys.argv[2])
DEVICE = torch.device("simt", RANK)
