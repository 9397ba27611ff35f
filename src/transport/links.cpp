// How fast GPUs copy into each other's memory, timed by the host.
#include <algorithm>
#include <chrono>
#include <thread>

#include "transport/ends.hpp"

namespace jute::transport {
namespace {

using LinkClock = std::chrono::steady_clock;
constexpr Index kLinkBytes = Index{64} << 20;

class LinkProbe {
 public:
  LinkProbe(std::shared_ptr<const Gpu> from, std::shared_ptr<const Gpu> to)
      : from_(std::move(from)), to_(std::move(to)), source_(from_), target_(to_), stream_(from_) {}

  [[nodiscard]] PeerLink measured() {
    PeerLink link{from_->ordinal(), to_->ordinal(), false, 0, 0};
    try {
      from_->reach(*to_);
    } catch (const Exception& exception) {
      if (exception.error().code != ErrorCode::unsupported) throw;
      return link;
    }
    link.reaches = true;
    constexpr int kCopies = 8;
    constexpr double kBytesOfUs = 1e3;  // at a GB/s
    (void)time_us(kLinkBytes, 1);
    link.gb_s =
        static_cast<double>(kLinkBytes) * kCopies / (time_us(kLinkBytes, kCopies) * kBytesOfUs);
    link.call_us = time_us(sizeof(int), 1);
    for (int i = 0; i < kCopies; ++i)
      link.call_us = std::min(link.call_us, time_us(sizeof(int), 1));
    return link;
  }

 private:
  [[nodiscard]] double time_us(Index bytes, int copies) {
    const DevicePointer source = source_.of(kLinkBytes), target = target_.of(kLinkBytes);
    const auto start = LinkClock::now();
    {
      const OnGpu current(*from_);
      for (int i = 0; i < copies; ++i)
        from_->calls().require(
            "cuMemcpyDtoDAsync",
            from_->calls().copy(target, source, static_cast<std::size_t>(bytes), stream_.handle()));
    }
    const Mark end(from_, stream_.handle());
    while (!end.is_reached()) std::this_thread::yield();
    return std::chrono::duration<double, std::micro>(LinkClock::now() - start).count();
  }

  std::shared_ptr<const Gpu> from_, to_;
  Staging source_, target_;
  SideStream stream_;
};

}  // namespace

std::vector<PeerLink> links_between(const std::shared_ptr<const Driver>& calls) {
  calls->require("cuInit", calls->init(0));
  int count = 0;
  calls->require("cuDeviceGetCount", calls->device_count(&count));
  std::vector<std::shared_ptr<const Gpu>> gpus;
  for (int i = 0; count > 1 && i < count; ++i)
    gpus.push_back(std::make_shared<const Gpu>(calls, i));
  std::vector<PeerLink> links;
  for (const auto& from : gpus)
    for (const auto& to : gpus)
      if (from != to) links.push_back(LinkProbe(from, to).measured());
  return links;
}

}  // namespace jute::transport

namespace jute {

std::vector<PeerLink> measured_links() {
  std::shared_ptr<const driver::Driver> calls;
  try {
    calls = driver::load_driver(base::system_loader(), driver::DriverNeeds::several_gpus);
  } catch (const Exception&) {
    return {};
  }
  return transport::links_between(calls);
}

}  // namespace jute
