#pragma once
// Ranks that are threads of one process, each with a back end of its own.
#include <jute/base/export.hpp>
#include <jute/launch/communicator.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace JUTE_API jute {

struct InProcessOptions {
  std::chrono::milliseconds deadline{30000};  ///< of each wait for another rank
};

/// An end for each back end, by ranks; bytes go by the host's memory. The back ends must outlive
/// them.
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> in_process_communicators(
    std::span<Backend* const> backends, const InProcessOptions& options = {});

/// The same without bytes: what transports between GPUs of one process are made with.
[[nodiscard]] std::vector<std::unique_ptr<Rendezvous>> in_process_rendezvous(
    Index ranks, const InProcessOptions& options = {});

/// Calls `work` once a rank, each in a thread of its own, and waits for all. A rank that throws
/// lets the others fail where they wait for it.
///   throws  what the first rank that failed has thrown
void run_ranks(std::span<const std::unique_ptr<Communicator>> communicators,
               const std::function<void(Communicator&)>& work);

}  // namespace jute
