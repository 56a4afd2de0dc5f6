// simtccl: collectives between devices of the runtime `simt`, with NCCL's functions. The devices may
// belong to one process, to many processes, and to many machines.
//
// A communicator connects N ranks; each rank has one device. Operations are submitted to a stream and
// run in stream order on a thread of the communicator; operations of one communicator run in the order
// of the calls, on whatever streams they are. All ranks must call the same operations in the same
// order. Ranks of one machine exchange data through shared memory without a name (memfd), which the
// system frees with the last process that uses it; ranks of different machines use TCP. Results do not
// depend on the machines. SIMTCCL_SOCKET_IFNAME selects the network interface, with the syntax of
// NCCL_SOCKET_IFNAME. All machines have the same byte order.
//
// Failures: if a rank's process ends or aborts its communicator, or if ranks call different operations
// (kind, number of elements, type, reduction, root), the other ranks get an error from
// simtcclCommGetAsyncError, and simtcclGetLastError returns the reason. The failed operation stays
// unfinished, as in NCCL, until simtcclCommAbort; after SIMTCCL_FAILURE_SECONDS (30 by default) it ends,
// and the device gets the error simtErrorLaunchFailure. A rank that never calls leaves the others
// waiting, as in NCCL, until one of them aborts. A machine that acknowledges nothing for
// SIMTCCL_NET_SECONDS (20 by default) is an error. SIMTCCL_INIT_SECONDS (600 by default) limits the
// time in which all ranks must join.
//
// Order of a reduction: the elements are processed in loops of N blocks. Block c of a loop starts at
// rank c + 1 and visits the ranks in ring order, so that its result is
// ((x[c+1] + x[c+2]) + ...) + x[c], rounded to the type after each step. A block has
// SIMTCCL_BLOCK_BYTES bytes; in the last loop, the remaining elements are divided equally. A
// simtcclReduce to rank r visits r + 1 first and r last.
//
// Errors of functions: simtcclInvalidArgument for null pointers, invalid counts, types, reductions and
// ranks; simtcclInvalidUsage for a communicator that has failed or is not ready; simtcclSystemError and
// simtcclRemoteError as described above; simtcclUnhandledSimtError for an error of the runtime.
// Source of names, values and signatures: NCCL 2.21.5, nccl.h; of the semantics: NCCL's documentation.
#pragma once
#define SIMTCCL_H_

#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <limits.h>
#include <stddef.h>

#define SIMTCCL_MAJOR 2
#define SIMTCCL_MINOR 21
#define SIMTCCL_PATCH 5
#define SIMTCCL_SUFFIX ""
#define SIMTCCL_VERSION_CODE 22105
#define SIMTCCL_VERSION(X, Y, Z) \
  (((X) <= 2 && (Y) <= 8) ? (X)*1000 + (Y)*100 + (Z) : (X)*10000 + (Y)*100 + (Z))

/// Size of a block of a collective, in bytes.
#define SIMTCCL_BLOCK_BYTES 262144

/// Communicator of one rank.
typedef struct simtcclComm* simtcclComm_t;
#define SIMTCCL_COMM_NULL NULL

#define SIMTCCL_UNIQUE_ID_BYTES 128
/// Addresses at which the ranks of a new communicator meet, and a secret number. The process that made the id must live until
/// all ranks have joined.
typedef struct {
  char internal[SIMTCCL_UNIQUE_ID_BYTES];
} simtcclUniqueId;

typedef enum {
  simtcclSuccess = 0,
  simtcclUnhandledSimtError = 1,
  simtcclSystemError = 2,
  simtcclInternalError = 3,
  simtcclInvalidArgument = 4,
  simtcclInvalidUsage = 5,
  simtcclRemoteError = 6,
  simtcclInProgress = 7,
  simtcclNumResults = 8
} simtcclResult_t;

#define SIMTCCL_CONFIG_UNDEF_INT INT_MIN
#define SIMTCCL_CONFIG_UNDEF_PTR NULL
#define SIMTCCL_SPLIT_NOCOLOR -1

/// Options of a communicator. `blocking` 0 makes initialisation return at once;
/// simtcclCommGetAsyncError then returns simtcclInProgress until the communicator is ready. The other
/// options have no effect here.
typedef struct simtcclConfig_v21700 {
  size_t size;
  unsigned int magic;
  unsigned int version;
  int blocking;
  int cgaClusterSize;
  int minCTAs;
  int maxCTAs;
  const char* netName;
  int splitShare;
} simtcclConfig_t;

#define SIMTCCL_CONFIG_INITIALIZER                                              \
  {                                                                             \
    sizeof(simtcclConfig_t), 0xcafebeef, SIMTCCL_VERSION_CODE,                  \
        SIMTCCL_CONFIG_UNDEF_INT, SIMTCCL_CONFIG_UNDEF_INT,                     \
        SIMTCCL_CONFIG_UNDEF_INT, SIMTCCL_CONFIG_UNDEF_INT,                     \
        SIMTCCL_CONFIG_UNDEF_PTR, SIMTCCL_CONFIG_UNDEF_INT                      \
  }

typedef enum { simtcclNumOps_dummy = 5 } simtcclRedOp_dummy_t;
/// Reductions. simtcclAvg is the sum divided by the number of ranks: floating-point types multiply each
/// contribution by 1/N first, integers divide the sum and drop the fraction. Values from simtcclNumOps
/// on are the program's own reductions (simtcclRedOpCreatePreMulSum).
typedef enum {
  simtcclSum = 0,
  simtcclProd = 1,
  simtcclMax = 2,
  simtcclMin = 3,
  simtcclAvg = 4,
  simtcclNumOps = 5,
  simtcclMaxRedOp = 0x7fffffff
} simtcclRedOp_t;

typedef enum {
  simtcclInt8 = 0,
  simtcclChar = 0,
  simtcclUint8 = 1,
  simtcclInt32 = 2,
  simtcclInt = 2,
  simtcclUint32 = 3,
  simtcclInt64 = 4,
  simtcclUint64 = 5,
  simtcclFloat16 = 6,
  simtcclHalf = 6,
  simtcclFloat32 = 7,
  simtcclFloat = 7,
  simtcclFloat64 = 8,
  simtcclDouble = 8,
  simtcclBfloat16 = 9,
  simtcclNumTypes = 10
} simtcclDataType_t;

/// Place of the scalar of simtcclRedOpCreatePreMulSum: read in stream order, or during the call.
typedef enum {
  simtcclScalarDevice = 0,
  simtcclScalarHostImmediate = 1
} simtcclScalarResidence_t;

// Each function also exists with the prefix p, as in NCCL: a profiler may define the name without it.
#define SIMTCCL_FUNCTION(name, parameters)              \
  SIMTRT_EXPORT simtcclResult_t name parameters;        \
  SIMTRT_EXPORT simtcclResult_t p##name parameters;

extern "C" {

// ---- Versions and errors ------------------------------------------------------------------------

SIMTCCL_FUNCTION(simtcclGetVersion, (int* version))
/// Description of a result.
SIMTRT_EXPORT const char* simtcclGetErrorString(simtcclResult_t result);
SIMTRT_EXPORT const char* psimtcclGetErrorString(simtcclResult_t result);
/// Reason of the communicator's failure; without one, or if `comm` is null, of the process's last error.
/// The text is valid until the thread's next call of this function.
SIMTRT_EXPORT const char* simtcclGetLastError(simtcclComm_t comm);
SIMTRT_EXPORT const char* psimtcclGetLastError(simtcclComm_t comm);

// ---- Communicators ------------------------------------------------------------------------------

SIMTCCL_FUNCTION(simtcclGetUniqueId, (simtcclUniqueId* id))
/// Joins the communicator of `id` as rank `rank` of `nranks`, with the current device. Returns when all
/// ranks have joined; in a group, simtcclGroupEnd waits for them.
SIMTCCL_FUNCTION(simtcclCommInitRank,
                 (simtcclComm_t* comm, int nranks, simtcclUniqueId id, int rank))
SIMTCCL_FUNCTION(simtcclCommInitRankConfig, (simtcclComm_t* comm, int nranks, simtcclUniqueId id,
                                             int rank, simtcclConfig_t* config))
/// Makes a communicator for `count` devices of this process. `devices` may be null: 0 to count - 1.
SIMTCCL_FUNCTION(simtcclCommInitAll, (simtcclComm_t* comms, int count, const int* devices))
/// Makes a communicator of all ranks with the same `color`, in the order of `key`. All ranks of `comm`
/// must call this function. The result is null for SIMTCCL_SPLIT_NOCOLOR.
SIMTCCL_FUNCTION(simtcclCommSplit, (simtcclComm_t comm, int color, int key,
                                    simtcclComm_t* split, simtcclConfig_t* config))
/// Both functions wait for all submitted operations. After a failure, they return the failure, and the
/// communicator remains until simtcclCommAbort.
SIMTCCL_FUNCTION(simtcclCommFinalize, (simtcclComm_t comm))
SIMTCCL_FUNCTION(simtcclCommDestroy, (simtcclComm_t comm))
/// Ends all operations without a result, and destroys the communicator.
SIMTCCL_FUNCTION(simtcclCommAbort, (simtcclComm_t comm))
SIMTCCL_FUNCTION(simtcclCommGetAsyncError, (simtcclComm_t comm, simtcclResult_t* error))
SIMTCCL_FUNCTION(simtcclCommCount, (const simtcclComm_t comm, int* count))
SIMTCCL_FUNCTION(simtcclCommCuDevice, (const simtcclComm_t comm, int* device))
SIMTCCL_FUNCTION(simtcclCommUserRank, (const simtcclComm_t comm, int* rank))
/// Registration makes nothing faster on this runtime.
SIMTCCL_FUNCTION(simtcclCommRegister,
                 (const simtcclComm_t comm, void* buffer, size_t size, void** handle))
SIMTCCL_FUNCTION(simtcclCommDeregister, (const simtcclComm_t comm, void* handle))
SIMTCCL_FUNCTION(simtcclMemAlloc, (void** pointer, size_t size))
SIMTCCL_FUNCTION(simtcclMemFree, (void* pointer))

// ---- Reductions of the program ------------------------------------------------------------------

/// Sum in which each rank multiplies its contribution by its own scalar first.
SIMTCCL_FUNCTION(simtcclRedOpCreatePreMulSum,
                 (simtcclRedOp_t* op, void* scalar, simtcclDataType_t type,
                  simtcclScalarResidence_t residence, simtcclComm_t comm))
SIMTCCL_FUNCTION(simtcclRedOpDestroy, (simtcclRedOp_t op, simtcclComm_t comm))

// ---- Operations ---------------------------------------------------------------------------------

SIMTCCL_FUNCTION(simtcclReduce,
                 (const void* send, void* receive, size_t count, simtcclDataType_t type,
                  simtcclRedOp_t op, int root, simtcclComm_t comm, simtStream_t stream))
SIMTCCL_FUNCTION(simtcclBcast, (void* buffer, size_t count, simtcclDataType_t type, int root,
                                simtcclComm_t comm, simtStream_t stream))
SIMTCCL_FUNCTION(simtcclBroadcast,
                 (const void* send, void* receive, size_t count, simtcclDataType_t type, int root,
                  simtcclComm_t comm, simtStream_t stream))
SIMTCCL_FUNCTION(simtcclAllReduce,
                 (const void* send, void* receive, size_t count, simtcclDataType_t type,
                  simtcclRedOp_t op, simtcclComm_t comm, simtStream_t stream))
/// `receive_count` elements for each rank.
SIMTCCL_FUNCTION(simtcclReduceScatter,
                 (const void* send, void* receive, size_t receive_count, simtcclDataType_t type,
                  simtcclRedOp_t op, simtcclComm_t comm, simtStream_t stream))
/// `send_count` elements of each rank.
SIMTCCL_FUNCTION(simtcclAllGather,
                 (const void* send, void* receive, size_t send_count, simtcclDataType_t type,
                  simtcclComm_t comm, simtStream_t stream))
SIMTCCL_FUNCTION(simtcclSend, (const void* send, size_t count, simtcclDataType_t type, int peer,
                               simtcclComm_t comm, simtStream_t stream))
SIMTCCL_FUNCTION(simtcclRecv, (void* receive, size_t count, simtcclDataType_t type, int peer,
                               simtcclComm_t comm, simtStream_t stream))

/// Calls between GroupStart and GroupEnd are submitted together. Sends and receives of a group run at
/// the same time.
SIMTCCL_FUNCTION(simtcclGroupStart, (void))
SIMTCCL_FUNCTION(simtcclGroupEnd, (void))

}  // extern "C"
