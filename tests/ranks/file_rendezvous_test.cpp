// Processes that meet in a folder.
#include <sys/stat.h>
#include <jute/ranks/file_rendezvous.hpp>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "support/rank_process.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {
namespace {

using std::chrono::milliseconds;

}  // namespace

TEST_CASE("ranks that are processes hear each other's texts, in the order of ranks",
          "[ranks][processes]") {
  const TemporaryFolder folder;
  constexpr Index kSize = 3;
  const auto work = [&](Index rank) {
    const auto end = file_rendezvous(folder.file("run"), {rank, kSize, milliseconds(20000)});
    for (int turn = 0; turn < 20; ++turn) {
      const auto said = [&](Index of) {
        return "rank " + std::to_string(of) + "\nturn " + std::to_string(turn);
      };
      const std::vector<std::string> all = end->gather_texts("turn", said(rank));
      for (Index of = 0; of < kSize; ++of)
        if (all[static_cast<std::size_t>(of)] != said(of)) return 1;
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (Index rank = 1; rank < kSize; ++rank)
    children.push_back(started([&] { return work(rank); }));
  CHECK(work(0) == 0);
  for (const pid_t child : children) CHECK(status_of(child) == 0);
}

TEST_CASE("a process that dies, aborts or comes to another step is told of to the others",
          "[ranks][processes][faults]") {
  enum class Way { dies, aborts, other_step };
  for (const Way way : {Way::dies, Way::aborts, Way::other_step}) {
    const TemporaryFolder folder;
    const pid_t child = started([&] {
      const auto other = file_rendezvous(folder.file("run"), {1, 2, milliseconds(5000)});
      (void)other->gather_texts("first", "");
      if (way == Way::dies) ::_exit(0);
      if (way == Way::aborts) {
        other->abort("out of paper");
        return 0;
      }
      (void)other->gather_texts("another", "");
      return 0;
    });
    const auto end = file_rendezvous(folder.file("run"), {0, 2, milliseconds(500)});
    (void)end->gather_texts("first", "");
    std::optional<CommunicationFault> fault;
    try {
      (void)end->gather_texts("second", "");
    } catch (const CommunicationFailed& failure) {
      fault = failure.fault();
    }
    (void)status_of(child);
    REQUIRE(fault.has_value());
    CHECK(fault->peer == 1);
    CHECK(fault->step == "second");
    const std::string part = way == Way::dies     ? "waited"
                             : way == Way::aborts ? "out of paper"
                                                  : "at step another";
    INFO(fault->what);
    CHECK(fault->what.find(part) != std::string::npos);
    CHECK(refusal_of([&] { end->poll(); }).code == ErrorCode::communication_failed);
  }
}

TEST_CASE("what an earlier run, or a stranger, has left in a folder is not believed",
          "[ranks][processes]") {
  const TemporaryFolder folder;
  const std::string run = folder.file("run");
  const auto work = [&](Index rank, const std::string& own) {
    const auto end = file_rendezvous(run, {rank, 2, milliseconds(20000)});
    std::string said;
    for (const std::string& text : end->gather_texts("step", own)) said += text + " ";
    if (own == "late") end->abort("of an earlier run");
    return said;
  };
  for (const std::string own : {"early", "late", "last"}) {
    const pid_t child = started([&] { return work(1, own) == own + " " + own + " " ? 0 : 1; });
    CHECK(work(0, own) == own + " " + own + " ");
    CHECK(status_of(child) == 0);
    // Whatever stands there: too long, of another form, no file at all, or one that would wait.
    std::ofstream(run + "/hello.1") << std::string(70, 'x');
    std::ofstream(run + "/meeting") << "7\nwords";
    std::ofstream(run + "/failed") << "out of paper";
    std::filesystem::remove(run + "/here.1");
    REQUIRE(::mkfifo((run + "/here.1").c_str(), 0600) == 0);
    std::filesystem::resize_file(run + "/0.1", std::uintmax_t{1} << 30);
  }
}

TEST_CASE("a folder that strangers may write to, texts that are too long, ranks that there are not",
          "[ranks][processes][refusal]") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, Index rank) {
    return refusal_of([&] {
      (void)file_rendezvous(folder.file(name), {rank, 1, milliseconds(10)});
    });
  };
  std::filesystem::create_directory(folder.file("open"));
  std::filesystem::permissions(folder.file("open"), std::filesystem::perms::all);
  CHECK(refused("open", 0).code == ErrorCode::bad_file);
  std::ofstream(folder.file("file")) << "text";
  CHECK(refused("file", 0).code == ErrorCode::unwritable);
  CHECK(refused("file/under", 0).code == ErrorCode::unwritable);
  CHECK(refused("x", 1).code == ErrorCode::out_of_range);
  const auto end = file_rendezvous(folder.file("run"), {0, 1, milliseconds(10)});
  CHECK(refusal_of([&] { (void)end->gather_texts("step", std::string(1 << 21, 'x')); }).operand ==
        "text of step step");
  CHECK(end->gather_texts("step", "text") == std::vector<std::string>{"text"});
}

TEST_CASE("the environment says where ranks meet", "[ranks][processes]") {
  const TemporaryFolder folder;
  RankSettings settings;
  CHECK(refusal_of([&] { (void)rendezvous_of(settings); }).operand == "RANK");
  settings.rank = 0;
  CHECK(refusal_of([&] { (void)rendezvous_of(settings); }).operand == "WORLD_SIZE");
  settings.world_size = 1;
  CHECK(refusal_of([&] { (void)rendezvous_of(settings); }).operand == "JUTE_RENDEZVOUS");
  settings.rendezvous = "file:" + folder.file("run");
  const auto end = rendezvous_of(settings);
  CHECK(end->size() == 1);
  CHECK(end->gather_texts("step", "text") == std::vector<std::string>{"text"});
}

}  // namespace jute::test
