#pragma once
// A bundle that `jute export` has written, read again.
#include <jute/bundle/bundle.hpp>

#include <string>

namespace jute::command {

/// The bundle of the folder's manifest.json and the images that it names.
///   throws  file_not_found; bad_file: no manifest of a bundle, or one of another version, with the
///           place; what Count, parse_problem and parse_arch throw
[[nodiscard]] Bundle read_bundle(const std::string& folder);

}  // namespace jute::command
