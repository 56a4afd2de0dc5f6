"""Operators of the core set, by their names in PyTorch's operator database (torch.testing)."""

from __future__ import annotations

from porter.model.verify import CheckUnit
from porter.verify.operators import PROGRAM, listed
from porter.verify.worker_process import BackendLocation, SuiteProcess, begin

ELEMENTWISE = (
    "abs acos acosh add addcdiv addcmul angle asin asinh atan atan2 atanh bitwise_and bitwise_not bitwise_or "
    "bitwise_xor bitwise_left_shift bitwise_right_shift ceil clamp clamp_max clamp_min complex conj_physical "
    "copysign cos cosh deg2rad digamma div eq erf erfc erfinv exp exp2 expm1 fill float_power floor floor_divide "
    "fmax fmin fmod frac ge gt heaviside hypot i0 isclose isfinite isinf isnan ldexp le lerp lgamma log log10 log1p "
    "log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit lt masked_fill maximum minimum "
    "mul nan_to_num ne neg polar pow rad2deg reciprocal remainder round rsqrt rsub sgn sigmoid sign signbit sin "
    "sinc sinh sqrt square sub tan tanh true_divide trunc where xlogy zero_ zeros_like ones_like full_like"
)
ACTIVATIONS = (
    "nn.functional.celu nn.functional.dropout nn.functional.elu nn.functional.gelu nn.functional.glu "
    "nn.functional.hardshrink nn.functional.hardsigmoid nn.functional.hardswish nn.functional.hardtanh "
    "nn.functional.leaky_relu nn.functional.logsigmoid nn.functional.mish nn.functional.prelu nn.functional.relu "
    "nn.functional.relu6 nn.functional.selu nn.functional.silu nn.functional.softplus nn.functional.softshrink "
    "nn.functional.softsign nn.functional.tanhshrink nn.functional.threshold"
)
REDUCTIONS = (
    "all amax amin aminmax any argmax argmin count_nonzero cummax cummin cumprod cumsum logcumsumexp logsumexp "
    "max mean median min mode nanmean nansum norm prod std std_mean sum var var_mean"
)
SHAPES = (
    "as_strided broadcast_to cat chunk clone contiguous diag diag_embed diagonal expand flatten flip "
    "index_add index_copy index_fill index_put index_select gather masked_scatter masked_select narrow nonzero "
    "nn.functional.pad permute repeat repeat_interleave reshape roll rot90 scatter scatter_add scatter_reduce "
    "select slice sort split squeeze stack t take take_along_dim tile topk transpose tril triu unbind unfold "
    "unsqueeze view searchsorted bucketize unique arange linspace eye meshgrid"
)
LAYERS = (
    "addbmm addmm addmv addr baddbmm bmm dot matmul mm mv outer einsum cdist "
    "nn.functional.adaptive_avg_pool2d nn.functional.adaptive_max_pool2d nn.functional.avg_pool2d "
    "nn.functional.max_pool2d nn.functional.batch_norm nn.functional.group_norm nn.functional.instance_norm "
    "nn.functional.layer_norm nn.functional.rms_norm nn.functional.conv1d nn.functional.conv2d "
    "nn.functional.conv3d nn.functional.conv_transpose1d nn.functional.conv_transpose2d "
    "nn.functional.conv_transpose3d nn.functional.embedding nn.functional.embedding_bag nn.functional.linear "
    "nn.functional.bilinear nn.functional.interpolate nn.functional.scaled_dot_product_attention "
    "nn.functional.unfold nn.functional.normalize nn.functional.cosine_similarity "
    "softmax log_softmax nn.functional.softmin"
)
LOSSES = (
    "nn.functional.binary_cross_entropy nn.functional.binary_cross_entropy_with_logits "
    "nn.functional.cosine_embedding_loss nn.functional.cross_entropy nn.functional.gaussian_nll_loss "
    "nn.functional.hinge_embedding_loss nn.functional.huber_loss nn.functional.kl_div nn.functional.l1_loss "
    "nn.functional.margin_ranking_loss nn.functional.mse_loss nn.functional.nll_loss "
    "nn.functional.poisson_nll_loss nn.functional.smooth_l1_loss nn.functional.soft_margin_loss "
    "nn.functional.triplet_margin_loss"
)
FOREACH = (
    ("_foreach_add", 2, ()),
    ("_foreach_add", 1, (0.5,)),
    ("_foreach_sub", 2, ()),
    ("_foreach_mul", 2, ()),
    ("_foreach_mul", 1, (3,)),
    ("_foreach_div", 2, ()),
    ("_foreach_maximum", 2, ()),
    ("_foreach_pow", 1, (2,)),
    ("_foreach_lerp", 2, (0.25,)),
    ("_foreach_addcmul", 3, (0.5,)),
    ("_foreach_addcdiv", 3, (0.5,)),
    ("_foreach_sqrt", 1, ()),
    ("_foreach_neg", 1, ()),
    ("_foreach_abs", 1, ()),
    ("_foreach_exp", 1, ()),
    ("_foreach_reciprocal", 1, ()),
    ("_foreach_norm", 1, ()),
)
"""Operator on lists of tensors -> number of lists, and other arguments."""

DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "bool", "complex64")
"""Dtypes in which the core set is checked, if CUDA supports them."""
NAMES = frozenset(" ".join((ELEMENTWISE, ACTIVATIONS, REDUCTIONS, SHAPES, LAYERS, LOSSES)).split())


def is_core(op: str) -> bool:
    """Test whether an operator, or the operator of which it is a variant, is in the core set."""
    return op in NAMES or op.rpartition(".")[0] in NAMES


def units(where: BackendLocation) -> list[CheckUnit]:
    """All cases of the operator database, for the installed backend."""
    process = SuiteProcess(where, PROGRAM, "--list")
    begin(process, where)
    return listed(process, where)
