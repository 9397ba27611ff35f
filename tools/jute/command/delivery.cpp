// Results to standard output or into files.
#include "command/delivery.hpp"

#include <ostream>

#include "command/details.hpp"

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
  tell_written(path_, session_);
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

}  // namespace jute::command
