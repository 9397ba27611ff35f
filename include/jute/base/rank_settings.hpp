#pragma once
// What the environment says about what ranks send by. src/base/settings.cpp is its only
// reader.
#include <jute/base/export.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Empty strings mean "not set".
struct RankSettings {
  std::string nccl = {};               ///< JUTE_NCCL: the file of libnccl
  std::string virtual_env = {};        ///< VIRTUAL_ENV
  std::vector<std::string> path = {};  ///< PATH, by folders
  /// RANK, WORLD_SIZE and LOCAL_RANK, as torchrun sets them; else Open MPI's, else MPICH's, else
  /// Slurm's.
  std::optional<int> rank = {}, world_size = {}, local_rank = {};
  std::string rendezvous =
      {};                   ///< JUTE_RENDEZVOUS: where ranks meet, file:FOLDER or tcp://HOST:PORT
  std::string secret = {};  ///< JUTE_RENDEZVOUS_SECRET: the file whose bytes let a process join
  std::string host = {};    ///< MASTER_ADDR, as torchrun sets it: of tcp://:PORT
  bool operator==(const RankSettings&) const = default;
};

/// throws  illegal_config: a rank is no number
[[nodiscard]] RankSettings rank_settings_from_environment();

}  // namespace jute
