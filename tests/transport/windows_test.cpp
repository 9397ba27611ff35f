// Windows of ranks whose GPUs reach each other: what lies there, whose turn follows whose, who has
// none.
#include "ranks/barrier.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "transport/stand_in_gpus.hpp"

namespace jute::test {

TEST_CASE("windows of copies are every GPU's memory, zeros, and end waiting where a rank fails",
          "[transport][windows]") {
  reset_stand_in(host_memory());
  {
    const auto ends = transport::copy_ends(stand_in_gpus(2), in_process_rendezvous(2), {});
    std::vector<std::shared_ptr<const Window>> windows(2);
    run_ranks(ends, [&](Communicator& end) {
      windows[static_cast<std::size_t>(end.rank())] = end.share(512);
    });
    REQUIRE(windows[0] != nullptr);
    CHECK(windows[0]->own() == windows[1]->peer(0));
    CHECK(windows[1]->own() == windows[0]->peer(1));
    CHECK(windows[0]->limit_ns() == 30000000000ULL);
    std::vector<std::byte> bytes(512, std::byte{1});
    stand_in().memory->read(0, bytes, windows[0]->peer(1));
    CHECK(bytes == std::vector<std::byte>(512, std::byte{0}));
    const auto word = [&](std::size_t rank) {
      return reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(windows[rank]->fault()));
    };
    CHECK(*word(0) == 0);
    // As a kernel says it that has waited for rank 1.
    *word(0) = 2;
    const Error error = refusal_of([&] { ends[0]->finish({}); });
    CHECK(error.code == ErrorCode::communication_failed);
    CHECK(error.value.find("for rank 1") != std::string::npos);
    CHECK(*word(1) != 0);
    CHECK(refusal_of([&] { ends[1]->poll(); }).code == ErrorCode::communication_failed);
  }
  CHECK(stand_in().live_allocs == 0);
}

TEST_CASE("turns in a window follow each other from stream to stream, also once one has ended",
          "[transport][windows]") {
  reset_stand_in(host_memory());
  {
    const auto gpus = stand_in_gpus(2);
    const auto ends = transport::copy_ends(gpus, in_process_rendezvous(2), {});
    const auto waits = [](Communicator& end) {
      const std::lock_guard lock(stand_in().mutex);
      return stand_in().counts[{"cuStreamWaitEvent", static_cast<int>(end.rank())}];
    };
    run_ranks(ends, [&](Communicator& end) {
      std::uint32_t turn = 0;
      for (const Index bytes : {256, 256, 4096}) {
        const transport::SideStream stream(gpus[static_cast<std::size_t>(end.rank())]);
        const Stream on{
            static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(stream.handle()))};
        const int before = waits(end);
        for (int run = 0; run < 2; ++run) {
          const auto half = ranks::open_half(end, bytes, on);
          if (!half) throw std::runtime_error("no window");
          // A window that is larger begins anew.
          turn = bytes > 256 && run == 0 ? 1 : turn + 1;
          if (half->turn != turn) throw std::runtime_error("not the next turn");
          ranks::close_half(end, on);
        }
        // Once, for the stream before; a stream is in order by itself.
        if (waits(end) - before != (turn == 2 && bytes == 256 ? 0 : 1))
          throw std::runtime_error("another number of waits: " +
                                   std::to_string(waits(end) - before));
      }
    });
  }
  CHECK(stand_in().live_events == 0);
  CHECK(stand_in().live_streams == 0);
}

TEST_CASE("ranks that share other bytes, or a GPU, have no window", "[transport][windows]") {
  reset_stand_in(host_memory());
  const auto ends = transport::copy_ends(stand_in_gpus(2), in_process_rendezvous(2), {});
  const auto errors =
      errors_of(ends, [&](Communicator& end) { (void)end.share(256 * (1 + end.rank())); });
  REQUIRE(errors[0].has_value());
  CHECK(errors[0]->code == ErrorCode::communication_failed);
  const auto gpus = stand_in_gpus(1);
  const auto both = transport::copy_ends({gpus[0], gpus[0]}, in_process_rendezvous(2), {});
  run_ranks(both, [&](Communicator& end) { CHECK(end.share(256) == nullptr); });
}

}  // namespace jute::test
