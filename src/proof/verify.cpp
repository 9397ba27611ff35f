// Proving many atoms: threads prepare and judge, one at a time executes.
#include "proof/verify_atom.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <thread>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::array<std::string_view, 4> kResults = {"proved", "refuted", "not executable",
                                                      "faulted"};

}  // namespace

std::string_view name(AtomResult result) { return kResults[static_cast<size_t>(result)]; }

std::string to_string(const AtomDifference& difference) {
  return base::format("{} thread {} value {}: expected {}, got {}", difference.operand,
                      difference.thread, difference.value, difference.expected, difference.got);
}

AtomProof verify(Context& context, const MmaAtom& atom) {
  proof::SharedDevice device;
  return proof::verify(context, atom, device);
}
AtomProof verify(Context& context, const CopyAtom& atom) {
  proof::SharedDevice device;
  return proof::verify(context, atom, device);
}

namespace {

using Atom = std::variant<MmaAtom, CopyAtom>;

/// Proofs that several threads take in turn.
class Proofs {
 public:
  Proofs(Context& context, std::span<const std::string> names, const VerifyOptions& options)
      : context_(context), options_(options) {
    for (const std::string& name : names) {
      atoms_.push_back(context.catalogue().find(name));
      results_.push_back({.name = name, .reason = "not reached"});
    }
    device_.executing = options.executing;
  }

  void run() {
    const auto most = static_cast<size_t>(options_.workers > 0
                                              ? static_cast<unsigned>(options_.workers)
                                              : std::max(1U, std::thread::hardware_concurrency()));
    {
      std::vector<std::jthread> threads;
      for (size_t i = 1; i < std::min(most, atoms_.size()); ++i)
        threads.emplace_back([this] { work(); });
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
  }
  [[nodiscard]] std::vector<AtomProof> results() && { return std::move(results_); }

 private:
  void work() {
    for (size_t i = next_++; i < atoms_.size(); i = next_++) {
      try {
        keep(i, std::visit([&](const auto& atom) { return proof::verify(context_, atom, device_); },
                           atoms_[i]));
      } catch (...) {
        const std::lock_guard lock(device_.mutex);
        if (!failure_) failure_ = std::current_exception();
        next_ = atoms_.size();
      }
    }
  }

  /// After a fault only that one is told; the others, without a reason, were not executed.
  void keep(size_t index, AtomProof proof) {
    const std::lock_guard lock(device_.mutex);
    if (device_.has_faulted) next_ = atoms_.size();
    if (proof.result == AtomResult::faulted && proof.reason.empty()) return;
    if (options_.done) options_.done(proof);
    results_[index] = std::move(proof);
  }

  Context& context_;
  const VerifyOptions& options_;
  std::vector<Atom> atoms_;
  std::vector<AtomProof> results_;
  proof::SharedDevice device_;
  std::atomic<size_t> next_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<AtomProof> verify(Context& context, std::span<const std::string> names,
                              const VerifyOptions& options) {
  Proofs proofs(context, names, options);
  proofs.run();
  return std::move(proofs).results();
}

}  // namespace jute
