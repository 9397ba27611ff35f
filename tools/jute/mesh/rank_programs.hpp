#pragma once
// A program started several times at once, each a rank; one that fails ends the
// others.
#include <optional>
#include <string>
#include <vector>

namespace jute::command {

/// How a run ended: which rank failed first, with which status, 128 and its signal where one ended
/// it. A signal that this process got has no rank.
struct RanksEnd {
  int status = 0;
  std::optional<int> rank = {};
};

/// Starts `words` so often, with RANK, WORLD_SIZE, LOCAL_RANK, JUTE_RENDEZVOUS=file:FOLDER and
/// JUTE_RENDEZVOUS_SECRET set, of a folder that is removed after. Each is a process group of its
/// own. Once one has ended with another status than 0 all groups get SIGTERM, and SIGKILL where
/// anything of them is there after `grace_s` seconds; SIGTERM, SIGINT and SIGHUP that this process
/// gets go to all groups likewise. Should it be killed, so are they.
///   throws   file_not_found, bad_file: the program does not start; unwritable: no folder
[[nodiscard]] RanksEnd run_rank_programs(const std::vector<std::string>& words, int ranks,
                                         double grace_s);

}  // namespace jute::command
