#pragma once
// What the environment says about what ranks send by. src/base/settings.cpp is its only
// reader.
#include <jute/base/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Empty strings mean "not set".
struct RankSettings {
  std::string nccl = {};               ///< JUTE_NCCL: the file of libnccl
  std::string virtual_env = {};        ///< VIRTUAL_ENV
  std::vector<std::string> path = {};  ///< PATH, by folders
  bool operator==(const RankSettings&) const = default;
};

[[nodiscard]] RankSettings rank_settings_from_environment();

}  // namespace jute
