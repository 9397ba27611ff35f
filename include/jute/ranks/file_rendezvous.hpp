#pragma once
// Ranks that are processes of one host, or share a file system: they meet in a folder.
#include <jute/base/export.hpp>
#include <jute/base/rank_settings.hpp>
#include <jute/launch/communicator.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace JUTE_API jute {

struct FileRendezvousOptions {
  Index rank = 0, size = 1;
  std::chrono::milliseconds deadline{30000};  ///< of each wait for another rank
};

/// Each text of a rank is a file that the others wait for. The folder is made where there is none;
/// files of an earlier run in it are not believed, as all of this one carry a word that rank 0 has
/// drawn. All ranks meet first. A rank whose end goes away without `abort` is missed at the
/// deadline.
///   example  nccl_communicator(file_rendezvous("/tmp/run7", {.rank = rank, .size = 2}))
///   throws   out_of_range: no such rank; unwritable; bad_file: others than its owner and group may
///            write to the folder; CommunicationFailed: a rank does not come
[[nodiscard]] std::unique_ptr<Rendezvous> file_rendezvous(const std::string& folder,
                                                          const FileRendezvousOptions& options);

/// Where the environment says that ranks meet: RANK of WORLD_SIZE at JUTE_RENDEZVOUS, which may
/// leave the host to MASTER_ADDR: tcp://:PORT. torchrun's MASTER_PORT is its own store's.
/// JUTE_RENDEZVOUS_SECRET names the file with the secret of a port.
///   throws  illegal_config: one of them is not set, or the place is neither file:FOLDER nor
///           tcp://HOST:PORT; what file_rendezvous, tcp_rendezvous and read_secret throw
[[nodiscard]] std::unique_ptr<Rendezvous> rendezvous_of(
    const RankSettings& settings, std::chrono::milliseconds deadline = std::chrono::seconds(30));

}  // namespace jute
