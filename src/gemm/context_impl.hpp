#pragma once
// What a Context holds.
#include "base/fork_gate.hpp"
#include "gemm/kernel_store.hpp"
#include "gemm/served_problems.hpp"

#include <jute/gemm/context.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/jit/tuned_file.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace jute {
namespace gemm {

struct PreparedGemm;

/// The Gemms prepared before, by problem and configuration. Bounded: when it is full it forgets
/// everything, which costs the next calls a plan and a source but no compilation.
class PreparedGemms {
 public:
  [[nodiscard]] std::shared_ptr<const PreparedGemm> find(const Problem& problem,
                                                         const Config& config) const;
  void forget();
  void keep(const Problem& problem, const Config& config,
            std::shared_ptr<const PreparedGemm> prepared);

 private:
  struct Entry {
    Problem problem;
    Config config;
    std::shared_ptr<const PreparedGemm> prepared;
  };
  mutable base::ForkSafe<std::mutex> mutex_;
  size_t count_ = 0;
  std::unordered_map<std::string, std::vector<Entry>> entries_;
};

/// What races found for a device, unless JUTE_TUNED is off.
class TunedChoices {
 public:
  TunedChoices(const Settings& settings, const DeviceInfo& device);
  /// The choices for such a problem, where the caller makes these.
  [[nodiscard]] std::optional<Config> find(const Problem& problem, const Config& asked) const;
  /// Gives the path of the file that has it now.   throws  unwritable
  std::string keep(const Problem& problem, const Config& asked, const Config& best);
  [[nodiscard]] const std::string& fault() const { return table_.fault; }

 private:
  bool is_used_;
  TunedFile file_;
  mutable base::ForkSafe<std::mutex> mutex_;  // guards the choices
  TunedTable table_;
};

}  // namespace gemm

struct Context::Impl {
  Impl(std::shared_ptr<Backend> opened, const ContextOptions& options);

  std::shared_ptr<Backend> backend;
  KnownChip known;
  const DeviceInfo& device;  ///< with what is kept of it
  std::shared_ptr<const Catalogue> catalogue;
  TemplateSet templates;
  gemm::KernelStore kernels;
  gemm::PreparedGemms prepared;
  gemm::ServedProblems served;
  bool overlaps = true;  ///< JUTE_PDL
  gemm::TunedChoices tuned;
};

}  // namespace jute
