// Namespace of thrust. A program may wrap this namespace in its own by THRUST_WRAPPED_NAMESPACE or
// THRUST_CUB_WRAPPED_NAMESPACE. Meaning of the macros: CUDA 12.4, thrust/detail/config/namespace.h.
#pragma once

#include <simt_runtime_api.h>
#include <simtrt/kernel/qualifiers.h>
#include <thrust/version.h>

#if defined(THRUST_CUB_WRAPPED_NAMESPACE) && !defined(THRUST_WRAPPED_NAMESPACE)
#define THRUST_WRAPPED_NAMESPACE THRUST_CUB_WRAPPED_NAMESPACE
#endif

#ifdef THRUST_WRAPPED_NAMESPACE
#define THRUST_NS_PREFIX namespace THRUST_WRAPPED_NAMESPACE {
#define THRUST_NS_POSTFIX }
#define THRUST_NS_QUALIFIER ::THRUST_WRAPPED_NAMESPACE::thrust
#endif

#ifndef THRUST_NS_PREFIX
#define THRUST_NS_PREFIX
#endif
#ifndef THRUST_NS_POSTFIX
#define THRUST_NS_POSTFIX
#endif
#ifndef THRUST_NS_QUALIFIER
#define THRUST_NS_QUALIFIER ::thrust
#endif

#define THRUST_NAMESPACE_BEGIN THRUST_NS_PREFIX namespace thrust {
#define THRUST_NAMESPACE_END \
  }                          \
  THRUST_NS_POSTFIX

// Back ends of thrust: this runtime is the device's. Values: CUDA 12.4, thrust/detail/config/device_system.h and host_system.h.
#define THRUST_DEVICE_SYSTEM_SIMT 1
#define THRUST_DEVICE_SYSTEM_OMP 2
#define THRUST_DEVICE_SYSTEM_TBB 3
#define THRUST_DEVICE_SYSTEM_CPP 4
#define THRUST_HOST_SYSTEM_CPP 1
#define THRUST_HOST_SYSTEM_OMP 2
#define THRUST_HOST_SYSTEM_TBB 3
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_SIMT
#endif
#ifndef THRUST_HOST_SYSTEM
#define THRUST_HOST_SYSTEM THRUST_HOST_SYSTEM_CPP
#endif
