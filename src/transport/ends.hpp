#pragma once
// The ends of both transports over tables of functions, which tests give.
#include <jute/transport/transport.hpp>

#include "transport/gpu.hpp"
#include "transport/nccl_api.hpp"

namespace jute::transport {

[[nodiscard]] std::unique_ptr<Communicator> nccl_end(std::unique_ptr<Rendezvous> rendezvous,
                                                     std::shared_ptr<const Gpu> gpu,
                                                     std::shared_ptr<const NcclLibrary> library,
                                                     const NcclOptions& options);
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> copy_ends(
    std::vector<std::shared_ptr<const Gpu>> gpus,
    std::vector<std::unique_ptr<Rendezvous>> rendezvous, const CopyOptions& options);

/// measured_links by a table of functions.
[[nodiscard]] std::vector<PeerLink> links_between(const std::shared_ptr<const Driver>& calls);

}  // namespace jute::transport
