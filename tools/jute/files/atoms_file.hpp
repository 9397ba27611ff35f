#pragma once
// Atoms that a user adds: rows in a JSON file.
#include <jute/atom/catalogue.hpp>

#include <string>

namespace jute::command {

/// The catalogue and the rows of a file: one object, an array of objects, or one object a line,
/// with the keys that `jute atom show --json` prints.
///   throws  file_not_found, file_unreadable; bad_file: no such JSON; illegal_atom
[[nodiscard]] Catalogue with_atoms_of_file(Catalogue catalogue, const std::string& path);

}  // namespace jute::command
