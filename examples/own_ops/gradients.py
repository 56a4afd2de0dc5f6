"""Backward passes, written in Python, of operators in ops.yaml."""

import torch


def add_custom(ctx, grad):
    return grad, grad


def keep_weights(ctx, inputs, output):
    _, weights, bias = inputs
    ctx.weights, ctx.biased = weights, bias is not None


def weighted_sum(ctx, grad):
    each = [torch.ops.example_ops.scale(grad, weight) for weight in ctx.weights]
    return each, None, grad if ctx.biased else None
