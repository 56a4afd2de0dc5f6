// nvcc's type traits of lambdas. The host's compiler has only one kind of lambda, which is neither
// of nvcc's extended kinds; therefore all results are false. Source: CUDA C++ Programming Guide
// 12.4, "Extended Lambda Type Traits".
#pragma once

#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false
