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

TEST_CASE("copies raise a flag behind each region that asks for one", "[transport][windows]") {
  constexpr Index kRows = 3, kRowBytes = 64;
  const auto exchange_on = [&](const std::vector<std::unique_ptr<Communicator>>& ends) {
    std::vector<std::vector<std::byte>> came(2);
    run_ranks(ends, [&](Communicator& end) {
      const auto window = end.share(1024);
      const Index other = 1 - end.rank();
      const int gpu = static_cast<int>(end.rank());
      const DevicePointer from = stand_in().memory->alloc(gpu, 2 * kRows * kRowBytes);
      const std::vector<std::byte> own(2 * kRows * kRowBytes,
                                       static_cast<std::byte>(end.rank() + 1));
      stand_in().memory->write(gpu, from, own);
      Exchange exchange{.step = "bring"};
      PeerTransfer to{other, {}}, of{other, {}};
      for (Index piece = 0; piece < 2; ++piece) {
        const auto at = static_cast<DevicePointer>(piece * kRows * kRowBytes);
        to.regions.push_back({from + at, kRows, kRowBytes, kRowBytes});
        of.regions.push_back({window->own() + 64 + at, kRows, kRowBytes, kRowBytes,
                              window->own() + static_cast<DevicePointer>(4 + 8 * piece)});
      }
      exchange.sends.push_back(to);
      exchange.receives.push_back(of);
      end.exchange(exchange, {});
      (void)end.gather_texts("came", "");
      std::vector<std::byte>& bytes = came[static_cast<std::size_t>(end.rank())];
      bytes.resize(512);
      stand_in().memory->read(gpu, bytes, window->own());
      stand_in().memory->free(gpu, from);
    });
    return came;
  };
  reset_stand_in(host_memory());
  {
    const auto came = exchange_on(transport::copy_ends(stand_in_gpus(2), in_process_rendezvous(2),
                                                       {.flags = FlagsBy::words}));
    for (const std::size_t rank : {0U, 1U}) {
      std::vector<std::byte> wanted(512, std::byte{0});
      wanted[4] = wanted[12] = std::byte{1};  // flags of both pieces, and no other word
      std::fill_n(wanted.begin() + 64, 2 * kRows * kRowBytes, static_cast<std::byte>(2 - rank));
      CHECK(came[rank] == wanted);
      CHECK(stand_in().counts[{"cuStreamWriteValue32", static_cast<int>(rank)}] == 2);
    }
  }
  // They are copied where that is said, and where the driver writes no words.
  for (const FlagsBy flags : {FlagsBy::copies, FlagsBy::words}) {
    reset_stand_in(host_memory());
    if (flags == FlagsBy::words) stand_in().missing.insert("cuStreamWriteValue32_v2");
    const auto came = exchange_on(
        transport::copy_ends(stand_in_gpus(2), in_process_rendezvous(2), {.flags = flags}));
    for (const std::size_t rank : {0U, 1U}) {
      CHECK(came[rank][4] != std::byte{0});
      CHECK(came[rank][12] != std::byte{0});
      CHECK(came[rank][64] == static_cast<std::byte>(2 - rank));
    }
    CHECK(stand_in().counts[{"cuStreamWriteValue32", 0}] == 0);
  }
  CHECK(stand_in().live_allocs == 0);
  CHECK(stand_in().live_events == 0);
  CHECK(stand_in().live_streams == 0);
}

TEST_CASE("windows of NCCL's are every rank's memory, and end waiting where a rank fails",
          "[transport][windows][nccl]") {
  reset_stand_in(host_memory());
  stand_in().missing.clear();
  {
    const auto ends = stand_in_nccl_ends(in_process_rendezvous(2), std::chrono::milliseconds(2000));
    std::vector<std::shared_ptr<const Window>> windows(2), later(2);
    run_ranks(ends, [&](Communicator& end) {
      const auto rank = static_cast<std::size_t>(end.rank());
      windows[rank] = end.share(512);
      later[rank] = end.share(1024);
    });
    for (const auto& all : {windows, later}) {
      REQUIRE(all[0] != nullptr);
      CHECK(all[0]->own() == all[1]->peer(0));
      CHECK(all[1]->own() == all[0]->peer(1));
    }
    CHECK(later[0]->own() != windows[0]->own());
    CHECK(windows[0]->limit_ns() == 2000000000ULL);
    std::vector<std::byte> bytes(512, std::byte{1});
    stand_in().memory->read(0, bytes, windows[0]->peer(1));
    CHECK(bytes == std::vector<std::byte>(512, std::byte{0}));
    // NCCL's own kernels would wait for multiprocessors.
    CHECK_FALSE(ends[0]->announces());
    const auto word = [&](std::size_t rank) {
      return reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(windows[rank]->fault()));
    };
    CHECK(*word(0) == 0);
    // As a kernel says it that has waited for rank 1.
    *word(0) = 2;
    const Error error = refusal_of([&] { ends[0]->finish({}); });
    CHECK(error.code == ErrorCode::communication_failed);
    CHECK(error.value.find("for rank 1") != std::string::npos);
    CHECK(refusal_of([&] { ends[1]->finish({}); }).code == ErrorCode::communication_failed);
    CHECK(*word(1) != 0);
  }
  CHECK(stand_in().live_allocs == 0);
  CHECK(stand_in().live_comms == 0);
}

TEST_CASE("NCCL without windows, or whose ranks are apart, has none",
          "[transport][windows][nccl]") {
  const auto shared = [] {
    std::vector<std::shared_ptr<const Window>> windows(2);
    {
      const auto ends =
          stand_in_nccl_ends(in_process_rendezvous(2), std::chrono::milliseconds(2000));
      run_ranks(ends, [&](Communicator& end) {
        windows[static_cast<std::size_t>(end.rank())] = end.share(512);
      });
    }
    CHECK(stand_in().live_windows == 0);
    CHECK((windows[0] == nullptr) == (windows[1] == nullptr));
    return windows[0] != nullptr;
  };
  reset_stand_in(host_memory());
  CHECK_FALSE(shared());  // 2.28
  reset_stand_in(host_memory());
  stand_in().missing.clear();
  CHECK(shared());
  reset_stand_in(host_memory());
  stand_in().missing = {"ncclCommWindowRegister"};
  CHECK_FALSE(shared());
  reset_stand_in(host_memory());
  stand_in().missing.clear();
  stand_in().reaches_windows = false;
  CHECK_FALSE(shared());
  CHECK(stand_in().live_allocs == 0);
}

TEST_CASE("NCCL that registers no window fails on all ranks",
          "[transport][windows][nccl][faults]") {
  reset_stand_in(host_memory());
  stand_in().missing.clear();
  stand_in().faults = {{.call = "ncclCommWindowRegister", .rank = 1, .at = 0, .result = 3}};
  {
    const auto ends = stand_in_nccl_ends(in_process_rendezvous(2), std::chrono::milliseconds(2000));
    const auto errors = errors_of(ends, [](Communicator& end) { (void)end.share(512); });
    for (const auto& error : errors) {
      REQUIRE(error.has_value());
      CHECK(error->code == ErrorCode::communication_failed);
    }
  }
  CHECK(stand_in().live_allocs == 0);
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
