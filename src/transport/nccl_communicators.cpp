// NCCL's ends as callers make them, and where NCCL is.
#include <exception>
#include <thread>

#include "transport/ends.hpp"

namespace jute {

std::unique_ptr<Communicator> nccl_communicator(std::unique_ptr<Rendezvous> rendezvous,
                                                const NcclOptions& options) {
  const base::LibraryLoader loader = base::system_loader();
  auto gpu = std::make_shared<const transport::Gpu>(
      driver::load_driver(loader, driver::DriverNeeds::several_gpus), options.ordinal);
  return transport::nccl_end(std::move(rendezvous), std::move(gpu),
                             transport::load_nccl(transport::nccl_places(), loader), options);
}

std::vector<std::unique_ptr<Communicator>> nccl_communicators(
    std::span<const int> ordinals, std::vector<std::unique_ptr<Rendezvous>> rendezvous,
    const NcclOptions& options) {
  std::vector<std::unique_ptr<Communicator>> ends(ordinals.size());
  std::vector<std::exception_ptr> faults(ends.size());
  std::vector<std::thread> threads;  // each waits for all
  for (std::size_t rank = 0; rank < ends.size(); ++rank)
    threads.emplace_back([&, rank] {
      try {
        NcclOptions own = options;
        own.ordinal = ordinals[rank];
        ends[rank] = nccl_communicator(std::move(rendezvous[rank]), own);
      } catch (...) {
        faults[rank] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& fault : faults)
    if (fault) std::rethrow_exception(fault);
  return ends;
}

NcclSearch find_nccl() {
  NcclSearch result;
  const transport::NcclPlaces places = transport::nccl_places();
  try {
    const auto library = transport::load_nccl(places, base::system_loader());
    result.found = NcclInfo{library->version, library->path};
  } catch (const Exception& exception) {
    result.fault = to_string(exception.error());
    result.looked = places.folders;
    if (!places.library.empty()) result.looked = {places.library};
  }
  return result;
}

}  // namespace jute
