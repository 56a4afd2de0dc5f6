// Types for nodes of any type, conditional nodes, and objects that graphs own. Names and values are
// those of CUDA 12.4 (driver_types.h); simtGraphCondTypeSwitch is of CUDA 12.8.
#pragma once

#include <simtrt/api/arrays.h>
#include <simtrt/api/graph_types.h>

/// Variable that kernels set (simtGraphSetConditional) and conditional nodes read.
typedef unsigned long long simtGraphConditionalHandle;

/// Bits for simtGraphConditionalHandleCreate.
enum simtGraphConditionalHandleFlags {
  simtGraphCondAssignDefault = 1,  ///< each launch of the graph begins with the default value
};

enum simtGraphConditionalNodeType {
  simtGraphCondTypeIf = 0,      ///< graph 0 if the value is not 0; otherwise graph 1, if there is one
  simtGraphCondTypeWhile = 1,   ///< graph 0 as long as the value is not 0
  simtGraphCondTypeSwitch = 2,  ///< the graph whose number is the value, if there is one
};

/// Parameters of a conditional node. simtGraphAddNode makes `size` empty graphs and writes the
/// address of an array of them, which belongs to the node, to `phGraph_out`.
struct simtConditionalNodeParams {
  simtGraphConditionalHandle handle;
  simtGraphConditionalNodeType type;
  unsigned size;
  simtGraph_t* phGraph_out;
};

typedef enum simtGraphDependencyType_enum {
  simtGraphDependencyTypeDefault = 0,
  simtGraphDependencyTypeProgrammatic = 1,
} simtGraphDependencyType;

/// Annotation of an edge. The runtime accepts edges without annotations only: all members are 0.
typedef struct simtGraphEdgeData_st {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
} simtGraphEdgeData;

typedef simtKernelNodeParams simtKernelNodeParamsV2;
typedef simtMemsetParams simtMemsetParamsV2;
typedef simtHostNodeParams simtHostNodeParamsV2;
typedef simtMemAllocNodeParams simtMemAllocNodeParamsV2;

struct simtMemcpyNodeParams {
  int flags;
  int reserved[3];
  simtMemcpy3DParms copyParams;
};

struct simtChildGraphNodeParams {
  simtGraph_t graph;
};

struct simtEventRecordNodeParams {
  struct SIMTevent_st* event;
};

struct simtEventWaitNodeParams {
  struct SIMTevent_st* event;
};

struct simtMemFreeNodeParams {
  void* dptr;
};

/// Parameters of a node of any type: `type` selects the member.
struct simtGraphNodeParams {
  simtGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    simtKernelNodeParamsV2 kernel;
    simtMemcpyNodeParams memcpy;
    simtMemsetParamsV2 memset;
    simtHostNodeParamsV2 host;
    simtChildGraphNodeParams graph;
    simtEventWaitNodeParams eventWait;
    simtEventRecordNodeParams eventRecord;
    simtMemAllocNodeParamsV2 alloc;
    simtMemFreeNodeParams free;
    simtConditionalNodeParams conditional;
  };
  long long reserved2;
};

/// Bits for simtStreamUpdateCaptureDependencies.
enum simtStreamUpdateCaptureDependenciesFlags {
  simtStreamAddCaptureDependencies = 0,
  simtStreamSetCaptureDependencies = 1,
};

/// Values of type unsigned long long, in bytes.
enum simtGraphMemAttributeType {
  simtGraphMemAttrUsedMemCurrent = 0,
  simtGraphMemAttrUsedMemHigh = 1,
  simtGraphMemAttrReservedMemCurrent = 2,
  simtGraphMemAttrReservedMemHigh = 3,
};

/// Object of the program that lives as long as graphs refer to it.
typedef struct SIMTuserObject_st* simtUserObject_t;

enum simtUserObjectFlags {
  simtUserObjectNoDestructorSync = 1,
};

enum simtUserObjectRetainFlags {
  simtGraphUserObjectMove = 1,  ///< the graph receives the caller's references
};
