// NCCL by its stand-in: whose communicators are used, what it adds, what it takes, and which it is.
#include <jute/ranks/group.hpp>

#include <chrono>
#include <climits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "transport/stand_in_gpus.hpp"

namespace jute::test {

using std::chrono::milliseconds;

namespace {

using Libraries = std::vector<std::shared_ptr<const transport::NcclLibrary>>;

/// Ends of two ranks or what they throw, each in a thread: they compare their versions first.
std::pair<std::vector<std::unique_ptr<Communicator>>, std::vector<Error>> ends_with(
    const Libraries& libraries, const std::vector<NcclOptions>& options) {
  auto seats = in_process_rendezvous(2, {.deadline = milliseconds(20000)});
  const auto gpus = stand_in_gpus(2);
  std::vector<std::unique_ptr<Communicator>> ends(2);
  std::vector<Error> errors(2);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < 2; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ends[rank] =
            transport::nccl_end(std::move(seats[rank]), gpus[rank], libraries[rank], options[rank]);
      } catch (const Exception& exception) {
        errors[rank] = exception.error();
      }
    });
  for (std::thread& thread : threads) thread.join();
  return {std::move(ends), std::move(errors)};
}

std::shared_ptr<const transport::NcclLibrary> stand_in_nccl() {
  return transport::load_nccl({.library = "libnccl.so.2", .folders = {}}, stand_in_loader());
}

}  // namespace

TEST_CASE("NCCL is the copy that the process has, else JUTE_NCCL's, a wheel's, the system's",
          "[transport][order]") {
  reset_stand_in(host_memory());
  base::LibraryLoader loader = stand_in_loader();
  static std::vector<std::string> opened;
  loader.open = [](const std::string& path) -> void* {
    opened.push_back(path);
    return path == "/usr/local/cuda/lib64/libnccl.so.2" ? &stand_in() : nullptr;
  };
  transport::NcclPlaces places{.library = "/own/libnccl.so.2",
                               .folders = {"/wheel/libnccl.so.2"},
                               .loaded = []() -> void* { return &stand_in(); }};
  const auto opens = [&] {
    opened.clear();
    (void)transport::load_nccl(places, loader);
    return opened;
  };
  CHECK(opens().empty());
  places.loaded = []() -> void* { return nullptr; };
  CHECK(refusal_of(opens).value == "/own/libnccl.so.2");
  CHECK(opened == std::vector<std::string>{"/own/libnccl.so.2"});
  places.library.clear();
  CHECK(opens() == std::vector<std::string>{"/wheel/libnccl.so.2", "libnccl.so.2",
                                            "/usr/local/cuda/lib/libnccl.so.2",
                                            "/usr/local/cuda/lib64/libnccl.so.2"});
}

TEST_CASE("ranks whose NCCL differs are told so by both versions", "[transport][faults]") {
  reset_stand_in(host_memory());
  auto older = std::make_shared<transport::NcclLibrary>(*stand_in_nccl());
  older->version = "2.21.5";
  const auto errors = ends_with({stand_in_nccl(), older}, std::vector<NcclOptions>(2)).second;
  for (const Error& error : errors) {
    CHECK(error.code == ErrorCode::communication_failed);
    CHECK(error.operand == "version of NCCL");
    CHECK(error.value.find("of rank 0 2.28.9, of rank 1 2.21.5") != std::string::npos);
  }
  CHECK(stand_in().live_comms == 0);
}

TEST_CASE("a communicator or an id of the caller's is used, and a communicator left to it",
          "[transport][adopt]") {
  reset_stand_in(host_memory());
  const auto library = stand_in_nccl();
  const Libraries same(2, library);
  const transport::NcclApi& api = library->api;
  transport::NcclId id;
  REQUIRE(api.unique_id(&id) == transport::kNcclSuccess);
  const auto check_ring = [](const std::vector<std::unique_ptr<Communicator>>& ends) {
    std::vector<std::byte> own{std::byte{7}, std::byte{8}}, got(2);
    const auto place = [](std::byte& byte) {
      const auto at = static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(&byte));
      return std::vector<Region>{{at, 1, 1, 1}};
    };
    run_ranks(ends, [&](Communicator& end) {
      const auto rank = static_cast<std::size_t>(end.rank());
      const Index other = 1 - end.rank();
      end.exchange({.step = "ring",
                    .sends = {{other, place(own[rank])}},
                    .receives = {{other, place(got[rank])}}});
      end.finish();
      (void)end.gather_texts("end", "");
    });
    CHECK(got == std::vector<std::byte>{std::byte{8}, std::byte{7}});
  };
  std::vector<NcclOptions> options(2);
  for (NcclOptions& it : options) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(id.bytes);
    it.unique_id.assign(bytes, bytes + sizeof id.bytes);
  }
  check_ring(ends_with(same, options).first);
  CHECK(stand_in().live_comms == 0);
  for (NcclOptions& it : options) it.unique_id.pop_back();
  for (const Error& error : ends_with(same, options).second) CHECK(error.operand == "unique_id");

  REQUIRE(api.unique_id(&id) == transport::kNcclSuccess);
  std::vector<transport::NcclComm> comms(2, nullptr);
  for (int rank = 0; rank < 2; ++rank) {
    transport::NcclConfig config;
    config.blocking = 0;
    (void)api.init_rank(&comms[static_cast<std::size_t>(rank)], 2, id, rank, &config);
    options[static_cast<std::size_t>(rank)] = {
        .adopt_comm = static_cast<std::uint64_t>(
            reinterpret_cast<std::uintptr_t>(comms[static_cast<std::size_t>(rank)]))};
  }
  check_ring(ends_with(same, options).first);
  CHECK(stand_in().live_comms == 2);
  std::swap(options[0], options[1]);
  for (const Error& error : ends_with(same, options).second) {
    CHECK(error.code == ErrorCode::unsupported);
    CHECK(error.operand == "communicator");
  }
  for (const transport::NcclComm comm : comms) (void)api.destroy(comm);
  CHECK(stand_in().live_comms == 0);
}

TEST_CASE("NCCL takes as many multiprocessors as it is given", "[transport]") {
  for (const int most : {16, 0}) {
    reset_stand_in(host_memory());
    const auto ends = stand_in_nccl_ends(in_process_rendezvous(2), milliseconds(20000), most);
    CHECK(stand_in().most_ctas == (most > 0 ? most : INT_MIN));  // NCCL's word for its own choice
  }
}

TEST_CASE("NCCL adds among the ranks of a group, by a communicator of theirs",
          "[transport][collective]") {
  reset_stand_in(host_memory());
  {
    const auto ends = stand_in_nccl_ends(in_process_rendezvous(4), std::chrono::seconds(20));
    std::vector<std::vector<float>> results(4, std::vector<float>(2, -1));
    run_ranks(ends, [&](Communicator& end) {
      const auto rank = static_cast<std::size_t>(end.rank());
      const auto group = split(end, end.rank() % 2, end.rank() == 2 ? -1 : 0);
      std::vector<float> own{static_cast<float>(rank), 10, 1, static_cast<float>(rank)};
      const auto address = [](const std::vector<float>& of) {
        return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(of.data()));
      };
      for (int run = 0; run < 3; ++run) {
        group->reduce({"sum", CollectiveKind::reduce_scatter, DType::f32, 2, address(own),
                       address(results[rank])});
        group->finish({});
      }
      (void)group->gather_texts("done", "");
    });
    // Ranks 2 and 0, ranks 1 and 3.
    CHECK(results == std::vector<std::vector<float>>{{2, 2}, {4, 20}, {2, 20}, {2, 4}});
    CHECK(stand_in().live_comms == 8);
  }
  CHECK(stand_in().live_comms == 0);
  // A sum that fails in one group ends all.
  const auto ends = stand_in_nccl_ends(in_process_rendezvous(4), std::chrono::seconds(20));
  stand_in().faults = {{"ncclAllReduce", 1, 0, 3}};
  std::vector<float> all(4, 1);
  const auto errors = errors_of(ends, [&](Communicator& end) {
    const auto group = split(end, end.rank() / 2);
    const auto at = static_cast<DevicePointer>(
        reinterpret_cast<std::uintptr_t>(&all[static_cast<std::size_t>(end.rank())]));
    group->reduce({"sum", CollectiveKind::all_reduce, DType::f32, 1, at, at});
    group->finish({});
    (void)group->gather_texts("done", "");
  });
  for (const auto& error : errors) {
    REQUIRE(error.has_value());
    CHECK(error->code == ErrorCode::communication_failed);
  }
  CHECK(stand_in().live_comms == 0);
}

TEST_CASE("every result of the calls that add is an error on all ranks, and a new sum right",
          "[transport][faults][collective]") {
  int injected = 0;
  std::vector<float> own{1, 2}, sums(2);
  const auto at = [](std::vector<float>& of, std::size_t place) {
    return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(&of[place]));
  };
  const auto add = [&](Communicator& end, CollectiveKind kind) {
    const auto rank = static_cast<std::size_t>(end.rank());
    // Of one element: both have all of it, or each rank's is the one that it has both of.
    end.reduce({"sum", kind, DType::f32, 1,
                kind == CollectiveKind::all_reduce ? at(own, rank) : at(own, 0), at(sums, rank)});
    end.finish();
    (void)end.gather_texts("end", "");
  };
  for (const auto& [call, kind] :
       {std::pair(std::string("ncclAllReduce"), CollectiveKind::all_reduce),
        std::pair(std::string("ncclReduceScatter"), CollectiveKind::reduce_scatter)})
    for (transport::NcclResult result = 1; result <= 6; ++result)
      for (int rank = 0; rank < 2; ++rank) {
        INFO(call << " of rank " << rank << " says " << result);
        reset_stand_in(host_memory());
        {
          const auto ends = stand_in_nccl_ends(in_process_rendezvous(2), std::chrono::seconds(20));
          stand_in().faults = {{call, rank, 0, result}};
          const auto errors = errors_of(ends, [&](Communicator& end) { add(end, kind); });
          for (const auto& error : errors) {
            REQUIRE(error.has_value());
            CHECK(error->code == ErrorCode::communication_failed);
          }
          CHECK(errors[static_cast<std::size_t>(rank)]->value.find(call) != std::string::npos);
        }
        CHECK(stand_in().live_comms == 0);
        stand_in().faults.clear();
        const auto fresh = stand_in_nccl_ends(in_process_rendezvous(2), std::chrono::seconds(20));
        run_ranks(fresh, [&](Communicator& end) { add(end, kind); });
        CHECK(sums == (kind == CollectiveKind::all_reduce ? std::vector<float>{3, 3}
                                                          : std::vector<float>{2, 4}));
        ++injected;
      }
  CHECK(injected == 24);
}

TEST_CASE("NCCL that is missing, old or lacks a function is refused and told of",
          "[transport][refusal]") {
  reset_stand_in(host_memory());
  const base::LibraryLoader loader = stand_in_loader();
  const auto refusal = [&](const transport::NcclPlaces& places) {
    return to_string(refusal_of([&] { (void)transport::load_nccl(places, loader); }));
  };
  CHECK(refusal({.library = "/nowhere/lib.so", .folders = {}}).find("JUTE_NCCL") !=
        std::string::npos);
  const transport::NcclPlaces ours{.library = "libnccl.so.2", .folders = {}};
  stand_in().nccl_version = 21703;
  CHECK(refusal(ours).find("2.18 or newer") != std::string::npos);
  CHECK(refusal(ours).find("2.17.3") != std::string::npos);
  stand_in().nccl_version = 22809;
  stand_in().missing = {"ncclCommAbort"};
  CHECK(refusal(ours).find("ncclCommAbort") != std::string::npos);
  stand_in().missing.clear();
  CHECK(transport::load_nccl(ours, loader)->version == "2.28.9");
  stand_in().missing = {"cuMemcpy2DAsync_v2"};
  CHECK(to_string(refusal_of([&] {
          (void)driver::load_driver(loader, driver::DriverNeeds::several_gpus);
        })).find("cuMemcpy2DAsync") != std::string::npos);
}

TEST_CASE("NCCL adds summands, copies refuse to by name", "[transport][collective]") {
  reset_stand_in(host_memory());
  {
    const auto ends = stand_in_nccl_ends(in_process_rendezvous(3), std::chrono::seconds(20));
    std::vector<std::vector<float>> results(3, std::vector<float>(2, -1));
    run_ranks(ends, [&](Communicator& end) {
      const auto rank = static_cast<float>(end.rank());
      std::vector<float> own{rank, 1, 2 * rank, 10, 20, rank};
      std::vector<float>& result = results[static_cast<std::size_t>(end.rank())];
      const auto address = [](const std::vector<float>& of) {
        return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(of.data()));
      };
      end.reduce(
          {"sum", CollectiveKind::reduce_scatter, DType::f32, 2, address(own), address(result)});
      end.finish({});
      std::vector<float> all(6);
      end.reduce({"sum", CollectiveKind::all_reduce, DType::f32, 6, address(own), address(all)});
      end.finish({});
      if (all != std::vector<float>{3, 3, 6, 30, 60, 3}) throw std::runtime_error("wrong sums");
      stand_in().faults = {};
    });
    CHECK(results == std::vector<std::vector<float>>{{3, 3}, {6, 30}, {60, 3}});
  }
  const auto copies = transport::copy_ends(stand_in_gpus(2), in_process_rendezvous(2), {});
  const Error error = refusal_of([&] { copies[0]->reduce({.step = "sum"}); });
  CHECK(error.code == ErrorCode::unsupported);
  CHECK(error.nearest_legal == "ordered");
}

}  // namespace jute::test
