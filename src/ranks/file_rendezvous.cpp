// A folder in which ranks leave what they say.
#include <unistd.h>
#include <jute/ranks/file_rendezvous.hpp>
#include <jute/ranks/tcp_rendezvous.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "base/format.hpp"
#include "ranks/rank_rules.hpp"

namespace jute {
namespace {

namespace fs = std::filesystem;
using FileClock = std::chrono::steady_clock;

constexpr const char* kFailureFile = "failed";

std::optional<std::string> whole_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

class FileEnd final : public Rendezvous {
 public:
  FileEnd(fs::path folder, const FileRendezvousOptions& options)
      : folder_(std::move(folder)), options_(options) {
    ranks::require_rank(options.rank, options.size);
    std::error_code error;
    fs::create_directories(folder_, error);
    if (fs::exists(said(0, rank()), error))
      throw Exception({.code = ErrorCode::bad_file,
                       .operand = "rendezvous",
                       .value = folder_.string(),
                       .violated_rules = {"the folder must be of this run alone"}});
  }

  [[nodiscard]] Index rank() const override { return options_.rank; }
  [[nodiscard]] Index size() const override { return options_.size; }

  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    const Index turn = turn_++;
    leave(said(turn, rank()), base::format("{}\n{}", step, own));
    std::vector<std::string> texts;
    for (Index peer = 0; peer < size(); ++peer) {
      const std::string text = awaited(said(turn, peer), step, peer);
      const std::size_t end = text.find('\n');
      if (text.substr(0, end) != step)
        fail(step, peer, 0,
             base::format("rank {} is at step {}, rank {} at step {}", rank(), step, peer,
                          text.substr(0, end)));
      texts.push_back(text.substr(end + 1));
    }
    return texts;
  }

  void poll() override {
    if (const auto failure = whole_text(folder_ / kFailureFile))
      throw CommunicationFailed({.rank = rank(), .step = "poll", .what = *failure});
  }

  /// The first failure stays.
  void abort(const std::string& reason) noexcept override {
    try {
      std::error_code error;
      if (!fs::exists(folder_ / kFailureFile, error))
        leave(folder_ / kFailureFile, base::format("rank {} failed: {}", rank(), reason));
    } catch (const std::exception&) {
      // The others miss this rank at the deadline.
    }
  }

 private:
  [[nodiscard]] fs::path said(Index turn, Index rank) const {
    return folder_ / base::format("{}.{}", turn, rank);
  }

  /// Whole, or not there.
  void leave(const fs::path& path, const std::string& text) const {
    const fs::path draft = path.string() + base::format(".{}.{}", ::getpid(), rank());
    std::ofstream file(draft, std::ios::binary);
    file << text;
    file.close();
    std::error_code error;
    if (file) fs::rename(draft, path, error);
    if (!file || error)
      throw Exception({.code = ErrorCode::unwritable,
                       .operand = "rendezvous",
                       .value = path.string(),
                       .violated_rules = {"the folder must be one that may be written"}});
  }

  [[nodiscard]] std::string awaited(const fs::path& path, std::string_view step, Index peer) {
    const auto start = FileClock::now();
    for (;;) {
      if (const auto text = whole_text(path)) return *text;
      const double waited = std::chrono::duration<double>(FileClock::now() - start).count();
      if (const auto failure = whole_text(folder_ / kFailureFile))
        throw CommunicationFailed({rank(), std::string(step), peer, waited, *failure});
      if (FileClock::now() - start > options_.deadline)
        fail(step, peer, waited,
             base::format("rank {} waited {:.3f} s for rank {}", rank(), waited, peer));
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  }

  [[noreturn]] void fail(std::string_view step, Index peer, double waited, std::string what) {
    abort(base::format("step {}: {}", step, what));
    throw CommunicationFailed({rank(), std::string(step), peer, waited, std::move(what)});
  }

  fs::path folder_;
  FileRendezvousOptions options_;
  Index turn_ = 0;
};

}  // namespace

std::unique_ptr<Rendezvous> file_rendezvous(const std::string& folder,
                                            const FileRendezvousOptions& options) {
  return std::make_unique<FileEnd>(folder, options);
}

std::unique_ptr<Rendezvous> rendezvous_of(const RankSettings& settings,
                                          std::chrono::milliseconds deadline) {
  constexpr std::string_view kFile = "file:", kTcp = "tcp://";
  const auto refuse = [](std::string operand, std::string value, std::string rule) {
    throw Exception({.code = ErrorCode::illegal_config,
                     .operand = std::move(operand),
                     .value = std::move(value),
                     .violated_rules = {std::move(rule)}});
  };
  if (!settings.rank || !settings.world_size)
    refuse(settings.rank ? "WORLD_SIZE" : "RANK", "", "it must be set, as `jute ranks` does");
  if (settings.rendezvous.starts_with(kTcp)) {
    std::string place = settings.rendezvous.substr(kTcp.size());
    const bool has_host = !place.starts_with(':');
    if (!has_host && settings.host.empty())
      refuse("MASTER_ADDR", "", "it must be set, as torchrun does, where tcp://:PORT has no host");
    if (!has_host) place.insert(0, settings.host);
    return tcp_rendezvous(
        place, {.rank = *settings.rank, .size = *settings.world_size, .deadline = deadline});
  }
  if (!settings.rendezvous.starts_with(kFile) || settings.rendezvous.size() == kFile.size())
    refuse("JUTE_RENDEZVOUS", settings.rendezvous,
           "it must be file:FOLDER, tcp://HOST:PORT, or tcp://:PORT where MASTER_ADDR is the host");
  return file_rendezvous(
      settings.rendezvous.substr(kFile.size()),
      {.rank = *settings.rank, .size = *settings.world_size, .deadline = deadline});
}

}  // namespace jute
