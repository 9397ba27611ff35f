#pragma once
// Follows a race of candidates and keeps each winner as soon as it is known.
#include <jute/jit/tuned_file.hpp>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "command/progress.hpp"
#include "files/json_writer.hpp"
#include "race/worker.hpp"
#include "tune/winner.hpp"

namespace jute::tuning {

/// The file on disk is whole after every case: it stays when the rest is interrupted.
class Tuning {
 public:
  /// Both must outlive it.
  ///   throws  unwritable: nothing can be kept, or the sweep's file not be written
  Tuning(const std::vector<bench::Case>& cases, const command::Session& session,
         const std::string& sweep_path);

  /// The answers to a supervisor, which may not outlive this.
  [[nodiscard]] bench::Audience audience();
  /// All cases are done: results for programs are written.
  void finish();

 private:
  void meet(const bench::Machine& machine);
  void take(const bench::CaseReport& report);
  void keep(const bench::Case& each, const Winner& winner);

  const std::vector<bench::Case>& cases_;
  const command::Session& session_;
  command::ProgressLine progress_;
  std::ofstream sweep_;
  std::optional<TunedFile> file_;
  bench::Machine machine_;
  DeviceInfo device_;
  Json results_ = Json::array();
  Index done_ = 0;
};

}  // namespace jute::tuning
