// The stand-ins' state, how they are loaded, and ends over them.
#include "transport/stand_in_gpus.hpp"

#include <exception>
#include <string_view>
#include <utility>

#include "transport/stand_in_parts.hpp"

namespace jute::test {
namespace {

using namespace jute::transport;

std::unique_ptr<StandIn>& state() {
  static auto it = std::make_unique<StandIn>();
  return it;
}

void never_called() { std::terminate(); }

}  // namespace

StandIn& stand_in() { return *state(); }
void change(int StandIn::*count, int by) {
  const std::lock_guard lock(stand_in().mutex);
  stand_in().*count += by;
}

void reset_stand_in(std::unique_ptr<StandInMemory> memory) {
  state() = std::make_unique<StandIn>();
  state()->memory = std::move(memory);
}

base::LibraryLoader stand_in_loader() {
  base::LibraryLoader loader;
  loader.open = [](const std::string& path) -> void* {
    const bool is_ours = path == "libcuda.so.1" || path.find("libnccl") != std::string::npos;
    return is_ours ? &stand_in() : nullptr;
  };
  loader.symbol = [](void*, const char* name) -> void* {
    if (stand_in().missing.contains(name)) return nullptr;
    for (const Symbols* symbols :
         {&driver_symbols(), &nccl_symbols(), &nccl_sum_symbols(), &nccl_window_symbols()})
      if (const auto found = symbols->find(name); found != symbols->end()) return found->second;
    // What the table has for others than transports.
    return std::string_view(name).starts_with("cu") ? as_symbol(never_called) : nullptr;
  };
  loader.error = [] { return std::string("no such file"); };
  loader.path_of = [](void*) { return std::string("/stand-in/libnccl.so.2"); };
  return loader;
}

std::shared_ptr<const driver::Driver> stand_in_driver() {
  return driver::load_driver(stand_in_loader(), driver::DriverNeeds::several_gpus);
}

std::vector<std::shared_ptr<const Gpu>> stand_in_gpus(Index count) {
  const auto calls = stand_in_driver();
  std::vector<std::shared_ptr<const Gpu>> gpus;
  for (Index i = 0; i < count; ++i)
    gpus.push_back(std::make_shared<const Gpu>(calls, static_cast<int>(i)));
  return gpus;
}

std::vector<std::unique_ptr<Communicator>> stand_in_nccl_ends(
    std::vector<std::unique_ptr<Rendezvous>> rendezvous, std::chrono::milliseconds deadline,
    int most_sms) {
  const auto gpus = stand_in_gpus(static_cast<Index>(rendezvous.size()));
  const auto library = load_nccl({.library = "libnccl.so.2", .folders = {}}, stand_in_loader());
  std::vector<std::unique_ptr<Communicator>> ends(rendezvous.size());
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ends.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        ends[i] = nccl_end(std::move(rendezvous[i]), gpus[i], library,
                           {.deadline = deadline, .most_sms = most_sms});
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
  return ends;
}

}  // namespace jute::test
