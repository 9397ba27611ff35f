// Proving many atoms: threads prepare and judge, one at a time executes.
#include "gemm/verify_atom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <thread>

namespace jute {
namespace {

constexpr std::array<std::string_view, 3> kResults = {"proved", "refuted", "not executable"};

}  // namespace

std::string_view name(AtomResult result) { return kResults[static_cast<size_t>(result)]; }

std::string to_string(const AtomDifference& difference) {
  return fmt::format("{} thread {} value {}: expected {}, got {}", difference.operand,
                     difference.thread, difference.value, difference.expected, difference.got);
}

AtomProof verify(Context& context, const MmaAtom& atom) {
  std::mutex device;
  return gemm::verify(context, atom, device);
}
AtomProof verify(Context& context, const CopyAtom& atom) {
  std::mutex device;
  return gemm::verify(context, atom, device);
}

std::vector<AtomProof> verify(Context& context, std::span<const std::string> names, int workers) {
  std::vector<std::variant<MmaAtom, CopyAtom>> atoms;
  for (const std::string& name : names) atoms.push_back(context.catalogue().find(name));
  std::vector<AtomProof> proofs(atoms.size());
  std::mutex device, failing;
  std::exception_ptr failure;
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < atoms.size(); i = next++) {
      try {
        proofs[i] = std::visit(
            [&](const auto& atom) { return gemm::verify(context, atom, device); }, atoms[i]);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
        next = atoms.size();
      }
    }
  };
  const auto most = static_cast<size_t>(
      workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < std::min(most, atoms.size()); ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return proofs;
}

}  // namespace jute
