// Which result goes into which file.
#include "product/result_files.hpp"

#include <jute/epilogue/types.hpp>

#include <algorithm>

#include "product/result_arrays.hpp"

namespace jute::command {
namespace {

/// D, and what else the epilogue writes.
std::vector<std::string> result_names(const Problem& problem) {
  std::vector<std::string> names = output_names(problem);
  if (std::ranges::find(names, "d") == names.end()) names.emplace_back("d");
  return names;
}

}  // namespace

ResultFiles::ResultFiles(const std::vector<std::string>& words, std::vector<PlannedFile> others) {
  for (const std::string& word : words) {
    const NamedWord named =
        word.find('=') == std::string::npos ? NamedWord{"d", word} : named_word("--output", word);
    files_.push_back({named.name, matrix_file(named.word)});
    others.push_back({is_d(named.name) ? "-o" : "-o " + named.name, named.word});
  }
  require_distinct(others);
}

void ResultFiles::require_of(const Problem& problem, const Session& session) const {
  const std::vector<std::string> names = result_names(problem);
  for (const ResultFile& file : files_) (void)place_of("--output", names, file.output);
  if (files_.empty()) return;
  for (const std::string& name : names)
    if (!is_d(name) && std::ranges::find(files_, name, &ResultFile::output) == files_.end())
      session.note("jute: " + name + " is written nowhere: -o " + name + "=" + name +
                   ".npy takes it");
}

std::string ResultFiles::write(const GemmData& data, const NpyArray& d,
                               const std::vector<std::vector<std::byte>>& outputs) {
  std::string paths;
  for (auto& [output, file] : files_) {
    const std::size_t place = place_of("--output", result_names(data.problem), output);
    write_npy(file, is_d(output)
                        ? d
                        : array_of_output(data.problem, place, outputs.at(place), data.batched));
    file.commit();
    paths += (paths.empty() ? "" : ", ") + file.path();
  }
  return paths;
}

}  // namespace jute::command
