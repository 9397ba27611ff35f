#pragma once
// A chip by the name of its preset, or by a file that says what is known of one.
#include <jute/launch/device_info.hpp>

#include <string>

namespace jute::command {

/// `l4`; or a path with a slash in it or a name that ends in .txt: a file as `jute tune --chip`
/// keeps it.
///   throws  unknown_name: no such preset; file_not_found, file_unreadable, bad_file
[[nodiscard]] DeviceInfo named_chip(const std::string& name);

}  // namespace jute::command
