// Answers of nvcc about the type of a lambda. The host's compiler has one kind of lambda, which is
// neither of nvcc's extended ones, and so all answers are no. Source: CUDA C++ Programming Guide
// 12.4, "Extended Lambda Type Traits".
#pragma once

#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false
