#pragma once
// NCCL as a table of functions, without its header. Source: nccl.h of 2.18 to 2.29.
#include <jute/base/types.hpp>

#include <climits>
#include <cstddef>
#include <memory>
#include <string>
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

struct NcclApi {
  NcclResult (*version)(int* version) = nullptr;
  const char* (*error_text)(NcclResult result) = nullptr;
  const char* (*last_error)(NcclComm comm) = nullptr;
  NcclResult (*unique_id)(NcclId* id) = nullptr;
  NcclResult (*init_rank)(NcclComm* comm, int ranks, NcclId id, int rank,
                          NcclConfig* config) = nullptr;
  NcclResult (*async_error)(NcclComm comm, NcclResult* result) = nullptr;
  NcclResult (*comm_count)(NcclComm comm, int* count) = nullptr;
  NcclResult (*comm_rank)(NcclComm comm, int* rank) = nullptr;
  NcclResult (*finalize)(NcclComm comm) = nullptr;
  NcclResult (*destroy)(NcclComm comm) = nullptr;
  NcclResult (*abort)(NcclComm comm) = nullptr;
  NcclResult (*all_reduce)(const void* from, void* to, std::size_t count, int type, int operation,
                           NcclComm comm, StreamHandle stream) = nullptr;
  NcclResult (*reduce_scatter)(const void* from, void* to, std::size_t count, int type,
                               int operation, NcclComm comm, StreamHandle stream) = nullptr;
  NcclResult (*group_start)() = nullptr;
  NcclResult (*group_end)() = nullptr;
  NcclResult (*send)(const void* from, std::size_t count, int type, int peer, NcclComm comm,
                     StreamHandle stream) = nullptr;
  NcclResult (*receive)(void* to, std::size_t count, int type, int peer, NcclComm comm,
                        StreamHandle stream) = nullptr;
  // Functions that older versions lack: windows (2.27), and other ranks' addresses (2.29).
  NcclResult (*memory_alloc)(void** memory, std::size_t bytes) = nullptr;
  NcclResult (*memory_free)(void* memory) = nullptr;
  NcclResult (*window_register)(NcclComm comm, void* memory, std::size_t bytes,
                                NcclWindowHandle* window, int flags) = nullptr;
  NcclResult (*window_deregister)(NcclComm comm, NcclWindowHandle window) = nullptr;
  NcclResult (*peer_pointer)(NcclWindowHandle window, std::size_t offset, int peer,
                             void** pointer) = nullptr;
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
