// Results to standard output or into a file.
#include "delivery.hpp"

#include <ostream>

namespace jute::command {

Delivery::Delivery(const std::string& path, const Session& session) : out_(session.out) {
  if (!path.empty()) file_.emplace(path);
}

void Delivery::deliver(std::string_view text) {
  if (!file_) {
    out_ << text;
    return;
  }
  file_->write(text);
  file_->commit();
}

}  // namespace jute::command
