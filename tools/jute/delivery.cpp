// Results to standard output or into files.
#include "delivery.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <ostream>

namespace jute::command {

Delivery::Delivery(const std::string& path, const Session& session)
    : session_(session), path_(path) {
  if (!path.empty() && path != "-") file_.emplace(path);
}

void Delivery::deliver(std::string_view text) {
  if (!file_) {
    session_.out << text;
    return;
  }
  file_->write(text);
  file_->commit();
}

void Delivery::deliver_steps(const std::vector<std::string>& texts) {
  if (!file_ || texts.size() == 1) {
    std::string all;
    for (const std::string& text : texts) all += text;
    deliver(all);
    return;
  }
  std::vector<OutputFile> files;
  std::string names;
  for (size_t step = 0; step < texts.size(); ++step) {
    const std::string path = step_path(path_, step);
    files.emplace_back(path).write(texts[step]);
    names += (step == 0 ? "" : ", ") + path;
  }
  for (OutputFile& file : files) file.commit();
  session_.note("jute: a kernel a file: " + names);
}

void check_suffix(const std::string& path, const std::vector<std::string>& known,
                  const std::string& option) {
  const auto ends = [&](const std::string& suffix) { return path.ends_with(suffix); };
  if (path.empty() || path == "-" || std::ranges::any_of(known, ends)) return;
  const size_t dot = path.find_last_of("./");
  const bool has_suffix = dot != std::string::npos && path[dot] == '.';
  const std::string stem = has_suffix ? path.substr(0, dot) : path;
  const std::string suffix = has_suffix ? path.substr(dot) : std::string();
  std::string kinds;
  for (const std::string& kind : known)
    kinds += (kinds.empty() ? "" : &kind == &known.back() ? " or " : ", ") + kind;
  throw Exception({.code = ErrorCode::wrong_type,
                   .operand = option,
                   .value = path,
                   .violated_rules = {"it must end with " + kinds},
                   .nearest_legal = stem + nearest_name(suffix, known).value_or(known.front())});
}

OutputFile matrix_file(const std::string& path) {
  OutputFile file(path);
  if (!file.is_in_place()) check_suffix(path, {".npy"});
  return file;
}

}  // namespace jute::command
