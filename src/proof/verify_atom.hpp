#pragma once
// One proof among others that run beside it.
#include <jute/proof/probe.hpp>
#include <jute/proof/verify.hpp>

#include <mutex>
#include <string>
#include <utility>
#include <variant>

namespace jute::proof {

/// The back end as proofs share it: held while it works, and told whose turn it is.
struct SharedDevice {
  std::mutex mutex;
  std::function<void(const std::string& name)> executing;
  bool has_faulted = false;  ///< nothing that it says from then on counts
};

/// A proof with nothing in it but what the atom is.
template <class Atom>
[[nodiscard]] AtomProof described(const Atom& atom) {
  AtomProof proof;
  proof.name = atom.name;
  proof.form = name(atom.form);
  proof.arch = atom.arch;
  return proof;
}

[[nodiscard]] inline AtomProof with(AtomProof proof, AtomResult result, std::string reason) {
  proof.result = result;
  proof.reason = std::move(reason);
  return proof;
}

/// The atom's probe for the device at hand, or `proof` with the reason why there is none.
template <class Atom>
[[nodiscard]] std::variant<Probe, AtomProof> probe_of(Context& context, const Atom& atom,
                                                      AtomProof proof) {
  try {
    return make_probe(atom, context.backend().device_info().arch, context.templates());
  } catch (const Exception& refusal) {
    const bool no_probe = refusal.error().code == ErrorCode::unsupported;
    return with(std::move(proof), no_probe ? AtomResult::not_executable : AtomResult::refuted,
                refusal.what());
  }
}

[[nodiscard]] AtomProof verify(Context& context, const MmaAtom& atom, SharedDevice& device);
[[nodiscard]] AtomProof verify(Context& context, const CopyAtom& atom, SharedDevice& device);

}  // namespace jute::proof
