// 8-bit formats e4m3 and e5m2, single and packed in pairs and fours: CUDA 12.4's cuda_fp8.h. Source
// of the formats: P. Micikevicius et al., "FP8 Formats for Deep Learning", 2022.
#pragma once
#define SIMT_FP8_H  // Programs test this macro to learn whether the header was included.

#include <simt_bf16.h>
#include <simt_fp16.h>
#include <simt_vector_types.h>
#include <simtrt/short_float/fp8_convert.h>
#include <simtrt/short_float/fp8.h>
