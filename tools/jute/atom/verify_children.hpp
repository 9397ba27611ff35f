#pragma once
// Proofs in processes of their own: one that hangs or breaks the device costs no other.
#include <jute/proof/verify.hpp>

#include <functional>
#include <string>
#include <vector>

#include "files/json_writer.hpp"

namespace jute::command {

/// The tools of a child. `open` is called in the child; the parent never touches a device.
struct VerifyPlan {
  std::function<Context()> open;
  std::vector<std::string> names;
  int children = 1;
  int workers = 1;                                        ///< threads of each
  int seconds = 60;                                       ///< that one execution may take
  std::function<void(Index done, Index all)> progress{};  ///< called in the parent
};

/// The findings of all children.
struct VerifyOutcome {
  std::string where;              ///< "cuda" or "emulator"
  std::string device_name;        ///< "NVIDIA H200"
  std::vector<AtomProof> proofs;  ///< in the order of the names
  int status = 0;                 ///< of a child that could not even begin; it has told why
  bool is_interrupted = false;    ///< by SIGINT: proofs lack those that were not done
};
[[nodiscard]] VerifyOutcome verify_in_children(const VerifyPlan& plan);

/// {"operand", "thread", "value", "expected", "got"}
[[nodiscard]] Json to_json(const AtomDifference& difference);

}  // namespace jute::command
