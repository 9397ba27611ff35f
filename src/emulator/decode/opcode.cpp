// An opcode in parts.
#include "emulator/decode/decode.hpp"

#include <algorithm>

namespace jute::emulator {

Opcode::Opcode(std::string_view text) : text_(text) {
  std::string_view view = text_;
  const size_t dot = view.find('.');
  head_ = view.substr(0, dot);
  while (!view.empty() && dot != std::string_view::npos) {
    const size_t begin = view.find('.');
    if (begin == std::string_view::npos) break;
    view = view.substr(begin);
    const size_t end = view.find('.', 1);
    suffixes_.push_back(view.substr(0, end));
    if (end == std::string_view::npos) break;
    view = view.substr(end);
  }
}
bool Opcode::take(std::string_view suffix) {
  for (size_t i = 0; i < suffixes_.size(); ++i) {
    if (suffixes_[i] != suffix) continue;
    suffixes_.erase(suffixes_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}
std::string_view Opcode::take_one_of(std::initializer_list<std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes)
    if (take(suffix)) return suffix;
  return {};
}
bool Opcode::take_prefixed(std::string_view prefix) {
  const size_t before = suffixes_.size();
  std::erase_if(suffixes_, [&](std::string_view suffix) { return suffix.starts_with(prefix); });
  return suffixes_.size() != before;
}
std::optional<ElementType> Opcode::take_type() {
  ElementType type;
  if (suffixes_.empty() || !find_element_type(suffixes_.front(), type)) return std::nullopt;
  suffixes_.erase(suffixes_.begin());
  return type;
}
std::string_view Opcode::take_second_last() {
  if (suffixes_.size() < 2) return {};
  const std::string_view result = suffixes_[suffixes_.size() - 2];
  suffixes_.erase(suffixes_.end() - 2);
  return result;
}
bool Opcode::has_prefix(std::string_view prefix) const {
  for (const std::string_view each : suffixes_)
    if (each.starts_with(prefix)) return true;
  return false;
}
bool Opcode::has(std::string_view suffix) const {
  for (const std::string_view each : suffixes_)
    if (each == suffix) return true;
  return false;
}

std::optional<Scope> take_scope(Opcode& opcode) {
  const std::string_view scope = opcode.take_one_of({".cta", ".cluster", ".gpu", ".sys"});
  if (scope.empty()) return std::nullopt;
  return scope == ".cta" ? Scope::cta : scope == ".cluster" ? Scope::cluster : Scope::gpu;
}

}  // namespace jute::emulator
