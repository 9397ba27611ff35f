#pragma once
// A program started several times at once, each a rank; one that fails ends the others.
#include <string>
#include <vector>

namespace jute::command {

/// Starts `words` so often, with RANK, WORLD_SIZE, LOCAL_RANK and JUTE_RENDEZVOUS=file:FOLDER set,
/// of a folder that is removed after. Once one has ended with another status than 0 the others get
/// SIGTERM, and SIGKILL where they are there after `grace_s` seconds.
///   returns  0, or the status of the first that failed: 128 and its signal where one ended it
///   throws   file_not_found, bad_file: the program does not start; unwritable: no folder
[[nodiscard]] int status_of_ranks(const std::vector<std::string>& words, int ranks, double grace_s);

}  // namespace jute::command
