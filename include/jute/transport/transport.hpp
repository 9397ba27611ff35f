#pragma once
// What moves bytes between GPUs: NCCL, or the copy engines of GPUs of one process.
#include <jute/base/export.hpp>
#include <jute/launch/communicator.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

struct NcclOptions {
  int ordinal = 0;                            ///< the rank's device, in its primary context
  std::chrono::milliseconds deadline{30000};  ///< of each wait for another rank
  /// An ncclComm_t of the caller's to use, never destroyed here; 0: one of our own, non-blocking.
  std::uint64_t adopt_comm = 0;
  /// An ncclUniqueId of the caller's, 128 bytes; empty: rank 0 makes one.
  std::vector<std::byte> unique_id = {};
  /// Multiprocessors that its kernels take at most, as DistributedProblem::transport_sms says; 0:
  /// as many as NCCL likes. An adopted communicator keeps its own.
  int most_sms = 0;
};

/// Bytes go by NCCL; texts and failures by the rendezvous. NCCL is loaded at run time, and makes no
/// use of NVLink multicast. All ranks call it together.
///   throws  no_gpu; unsupported: no NCCL of 2.18 or newer, or an adopted communicator of another
///           rank; CommunicationFailed
[[nodiscard]] std::unique_ptr<Communicator> nccl_communicator(
    std::unique_ptr<Rendezvous> rendezvous, const NcclOptions& options = {});

/// An end for each device, by ranks, all in this process; `options` are of each but for the
/// ordinal.
///   throws  as nccl_communicator
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> nccl_communicators(
    std::span<const int> ordinals, std::vector<std::unique_ptr<Rendezvous>> rendezvous,
    const NcclOptions& options = {});

/// Version and path of the NCCL that would be used.
struct NcclInfo {
  std::string version, path;
};
/// Nothing: there is none, or it is too old; `looked` says where.
struct NcclSearch {
  std::optional<NcclInfo> found = {};
  std::string fault = {};
  std::vector<std::string> looked = {};
};
[[nodiscard]] NcclSearch find_nccl();

/// A GPU's way to another one's memory, as it is now.
struct PeerLink {
  int from = 0, to = 0;  ///< ordinals
  bool reaches = false;  ///< false: no copies go directly, and no kernels reach there
  double gb_s = 0;       ///< 1e9 bytes a second of copies of 64 MiB, one pair at a time
  double call_us = 0;    ///< of a copy of 4 bytes, from its call until the host sees its end
};
/// The links of all pairs; empty: there are not two GPUs, or no driver.
///   throws  driver_failed, out_of_memory
[[nodiscard]] std::vector<PeerLink> measured_links();

/// Who raises flags behind what is copied.
enum class FlagsBy : std::uint8_t {
  copies,  ///< the copy engine, which copies a word
  words,   ///< the stream, which writes one where the driver does (cuStreamWriteValue32)
};

struct CopyOptions {
  std::chrono::milliseconds deadline{30000};  ///< of each wait for another rank
  FlagsBy flags = FlagsBy::words;
};

/// An end for each device, by ranks, all in this process: senders write into receivers' memory with
/// copy engines, which takes none of a GPU's multiprocessors. No kernel ever waits for a rank.
///   throws  no_gpu; unsupported: two GPUs that cannot reach each other's memory
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> copy_communicators(
    std::span<const int> ordinals, std::vector<std::unique_ptr<Rendezvous>> rendezvous,
    const CopyOptions& options = {});

}  // namespace jute
