// Tells a preset's name from a file's.
#include "options/named_chip.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include "files/files.hpp"

namespace jute::command {

DeviceInfo named_chip(const std::string& name) {
  const bool is_file = name.find('/') != std::string::npos || name.ends_with(".txt");
  return is_file ? device_of_chip_text(read_text(name)) : device_preset(name);
}

}  // namespace jute::command
