#pragma once
// NCCL as a table of functions, without its header. Source: nccl.h of 2.18 to 2.29.
#include <jute/base/types.hpp>

#include <climits>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/library_loader.hpp"
#include "driver/driver.hpp"

namespace jute::transport {

using namespace driver;

using NcclResult = int;
inline constexpr NcclResult kNcclSuccess = 0, kNcclInProgress = 7;
inline constexpr int kNcclBytes = 1;  // ncclUint8
inline constexpr int kNcclSum = 0;
inline constexpr int kOldestNccl = 21800;  // 2.18.0
using NcclComm = struct NcclCommState*;
using NcclWindowHandle = struct NcclWindowState*;

struct NcclId {
  char bytes[128] = {};
};

/// ncclConfig_t of 2.18: later versions read as many bytes as it says to have.
struct NcclConfig {
  std::size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = kOldestNccl;
  int blocking = INT_MIN;
  int cga_cluster_size = INT_MIN;
  int min_ctas = INT_MIN;
  int max_ctas = INT_MIN;
  const char* net_name = nullptr;
  int split_share = INT_MIN;
};

struct NcclApi : base::Functions {
  explicit NcclApi(base::Functions functions) : base::Functions(std::move(functions)) {}

  NcclResult (*version)(int* version) = get("ncclGetVersion");
  const char* (*error_text)(NcclResult result) = get("ncclGetErrorString");
  const char* (*last_error)(NcclComm comm) = get("ncclGetLastError");
  NcclResult (*unique_id)(NcclId* id) = get("ncclGetUniqueId");
  NcclResult (*init_rank)(NcclComm* comm, int ranks, NcclId id, int rank,
                          NcclConfig* config) = get("ncclCommInitRankConfig");
  NcclResult (*async_error)(NcclComm comm, NcclResult* result) = get("ncclCommGetAsyncError");
  NcclResult (*comm_count)(NcclComm comm, int* count) = get("ncclCommCount");
  NcclResult (*comm_rank)(NcclComm comm, int* rank) = get("ncclCommUserRank");
  NcclResult (*finalize)(NcclComm comm) = get("ncclCommFinalize");
  NcclResult (*destroy)(NcclComm comm) = get("ncclCommDestroy");
  NcclResult (*abort)(NcclComm comm) = get("ncclCommAbort");
  NcclResult (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                           NcclComm comm, StreamHandle stream) = get("ncclAllReduce");
  NcclResult (*reduce_scatter)(const void* from, void* to, std::size_t count, int type,
                               int operation, NcclComm comm,
                               StreamHandle stream) = get("ncclReduceScatter");
  NcclResult (*group_start)() = get("ncclGroupStart");
  NcclResult (*group_end)() = get("ncclGroupEnd");
  NcclResult (*send)(const void* from, std::size_t count, int type, int peer, NcclComm comm,
                     StreamHandle stream) = get("ncclSend");
  NcclResult (*receive)(void* to, std::size_t count, int type, int peer, NcclComm comm,
                        StreamHandle stream) = get("ncclRecv");
  // Functions that older versions lack: windows (2.27), and other ranks' addresses (2.29).
  NcclResult (*memory_alloc)(void** memory, std::size_t bytes) = if_there("ncclMemAlloc");
  NcclResult (*memory_free)(void* memory) = if_there("ncclMemFree");
  NcclResult (*window_register)(NcclComm comm, void* memory, std::size_t bytes,
                                NcclWindowHandle* window,
                                int flags) = if_there("ncclCommWindowRegister");
  NcclResult (*window_deregister)(NcclComm comm,
                                  NcclWindowHandle window) = if_there("ncclCommWindowDeregister");
  NcclResult (*peer_pointer)(NcclWindowHandle window, std::size_t offset, int peer,
                             void** pointer) = if_there("ncclGetPeerDevicePointer");
};

struct NcclLibrary {
  NcclApi api;
  std::string path, version;  ///< "2.28.9"
};

/// An id as hexadecimal digits, and back.
[[nodiscard]] std::string text_of(const NcclId& id);
[[nodiscard]] NcclId nccl_id_of(const std::string& text);
/// ncclDataType_t.   throws  unsupported: NCCL adds none of that type
[[nodiscard]] int nccl_type(DType type);

/// Where NCCL is looked for, in order; each a file.
struct NcclPlaces {
  std::string library;               ///< JUTE_NCCL; where it is set, no other file counts
  std::vector<std::string> folders;  ///< of wheels
  void* (*loaded)() = nullptr;       ///< finds a copy that the process has, which is ahead of all
};
/// By JUTE_NCCL, VIRTUAL_ENV and the Python on PATH.
[[nodiscard]] NcclPlaces nccl_places();

/// A copy that the process has already, then JUTE_NCCL, wheels, the loader's path. From then on
/// NCCL makes no use of NVLink multicast.
///   throws  unsupported: none opens, is too old, or lacks functions; says where it looked
[[nodiscard]] std::shared_ptr<const NcclLibrary> load_nccl(const NcclPlaces& places,
                                                           const base::LibraryLoader& loader);

}  // namespace jute::transport
