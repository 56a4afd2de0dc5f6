// Hyperbolic tangent of short floats by an approximate instruction (CUDA 12.8). Here, the exact functions compute it.
#pragma once

#include <simt_bf16.h>
#include <simt_fp16.h>

__device__ inline __half htanh_approx(const __half a) { return htanh(a); }
__device__ inline __half2 h2tanh_approx(const __half2 a) { return h2tanh(a); }
__device__ inline __nv_bfloat16 htanh_approx(const __nv_bfloat16 a) { return htanh(a); }
__device__ inline __nv_bfloat162 h2tanh_approx(const __nv_bfloat162 a) { return h2tanh(a); }
