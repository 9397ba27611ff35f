// A folder in which ranks leave what they say.
#include <fcntl.h>
#include <sys/stat.h>
#include <jute/base/refuse.hpp>
#include <jute/ranks/file_rendezvous.hpp>
#include <jute/ranks/secret.hpp>
#include <jute/ranks/tcp_rendezvous.hpp>

#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <thread>

#include "base/format.hpp"
#include "base/sha256.hpp"
#include "base/whole_file.hpp"
#include "ranks/folder_texts.hpp"
#include "ranks/letters.hpp"
#include "ranks/rank_rules.hpp"

namespace jute {
namespace {

namespace fs = std::filesystem;
using FileClock = std::chrono::steady_clock;

constexpr const char *kFailureFile = "failed", *kMeetingFile = "meeting";

class FileEnd final : public Rendezvous {
 public:
  FileEnd(fs::path folder, const FileRendezvousOptions& options)
      : folder_(std::move(folder)), options_(options) {
    ranks::require_rank(options.rank, options.size);
    open_folder();
    if (rank() == 0)
      welcome();
    else
      join();
  }

  [[nodiscard]] Index rank() const override { return options_.rank; }
  [[nodiscard]] Index size() const override { return options_.size; }

  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    ranks::require_text(step, own);
    const Index turn = turn_++;
    leave(said(turn, rank()), {word_, std::string(step), own});
    std::vector<std::string> texts;
    for (Index peer = 0; peer < size(); ++peer) {
      const auto there = awaited(step, peer, [&] { return left(said(turn, peer), 3); });
      if (there[1] != step)
        fail(step, peer, 0,
             base::format("rank {} is at step {}, rank {} at step {}", rank(), step, peer,
                          there[1]));
      texts.push_back(there[2]);
    }
    return texts;
  }

  void poll() override {
    if (const auto failure = left(kFailureFile, 2))
      throw CommunicationFailed({.rank = rank(), .step = "poll", .what = failure->back()});
  }

  /// The first failure stays.
  void abort(const std::string& reason) noexcept override {
    if (word_.empty()) return;  // the others miss it at the deadline
    try {
      const std::string what = base::format("rank {} failed: {}", rank(), reason);
      if (!left(kFailureFile, 2))
        leave(kFailureFile, {word_, what.substr(0, ranks::kMostFailureBytes)});
    } catch (const std::exception&) {
      // The others miss this rank at the deadline.
    }
  }

 private:
  using Texts = std::vector<std::string>;

  void open_folder() const {
    struct stat state {};
    std::error_code ignored;
    fs::create_directories(folder_.parent_path(), ignored);
    (void)::mkdir(folder_.c_str(), 0700);
    if (::stat(folder_.c_str(), &state) != 0 || !S_ISDIR(state.st_mode))
      refuse(ErrorCode::unwritable, "it must be a folder, or one that can be made");
    if ((state.st_mode & S_IWOTH) != 0)
      refuse(ErrorCode::bad_file,
             "it must be a folder that strangers cannot write to, as of mode 700");
  }
  [[noreturn]] void refuse(ErrorCode code, std::string rule) const {
    jute::refuse(code, "rendezvous", folder_.string(), std::move(rule));
  }

  [[nodiscard]] static std::string said(Index turn, Index rank) {
    return base::format("{}.{}", turn, rank);
  }
  [[nodiscard]] static std::string named(const char* what, Index rank) {
    return base::format("{}.{}", what, rank);
  }

  /// Rank 0 draws a word, and says it with what each other rank has drawn, so that all know that
  /// it is of now; each repeats it.
  void welcome() {
    word_ = base::random_bytes(base::kDigestBytes);
    Texts drawn(static_cast<std::size_t>(size() - 1));
    for (Index peer = 1; peer < size(); ++peer)
      (void)awaited("meet", peer, [&]() -> std::optional<Texts> {
        Texts now;
        for (Index other = 1; other < size(); ++other) now.push_back(drawn_by(other));
        if (now != drawn) {
          drawn = now;
          now.insert(now.begin(), word_);
          leave(kMeetingFile, now);
        }
        return left(named("here", peer), 1);
      });
  }
  /// Empty: it has not come.
  [[nodiscard]] std::string drawn_by(Index peer) const {
    const auto texts = texts_in(named("hello", peer), 1);
    return texts && texts->front().size() == base::kDigestBytes ? texts->front() : std::string();
  }
  void join() {
    const std::string own = base::random_bytes(base::kDigestBytes);
    leave(named("hello", rank()), {own});
    const Texts meeting = awaited("meet", 0, [&]() -> std::optional<Texts> {
      auto texts = texts_in(kMeetingFile, static_cast<std::size_t>(size()));
      if (texts && (*texts)[static_cast<std::size_t>(rank())] == own) return texts;
      return std::nullopt;
    });
    word_ = meeting.front();
    leave(named("here", rank()), {word_});
  }

  /// Whole, or not there.
  void leave(const std::string& name, const Texts& texts) const {
    const base::WholeFile file{.folder = AT_FDCWD,
                               .name = (folder_ / name).string(),
                               .part_prefix = (folder_ / name).string() + ".part-",
                               .mode = 0600};
    const std::string bytes = ranks::packed(texts);
    if (const int error = base::write_whole(file, std::as_bytes(std::span(bytes))); error != 0)
      refuse(ErrorCode::unwritable,
             base::format("the folder must be one that may be written: {}", std::strerror(error)));
  }
  /// The texts of a file, if it has so many.
  [[nodiscard]] std::optional<Texts> texts_in(const std::string& name, std::size_t count) const {
    constexpr std::size_t kHeads = 4096;  // lengths, and the word
    const auto file = ranks::file_text((folder_ / name).string(), ranks::kMostTextBytes + kHeads);
    return file ? ranks::unpacked(file->bytes, count) : std::nullopt;
  }
  /// The texts of a file of this run.
  [[nodiscard]] std::optional<Texts> left(const std::string& name, std::size_t count) const {
    auto texts = texts_in(name, count);
    if (texts && (word_.empty() || texts->front() != word_)) return std::nullopt;
    return texts;
  }

  /// The first thing that `look` gives.
  template <class Look>
  [[nodiscard]] Texts awaited(std::string_view step, Index peer, Look look) {
    const auto start = FileClock::now();
    for (;;) {
      if (const std::optional<Texts> there = look()) return *there;
      const double waited = std::chrono::duration<double>(FileClock::now() - start).count();
      if (const auto failure = left(kFailureFile, 2))
        throw CommunicationFailed({rank(), std::string(step), peer, waited, failure->back()});
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
  std::string word_;  // of this run; empty: not known yet
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
    jute::refuse(ErrorCode::illegal_config, std::move(operand), std::move(value), std::move(rule));
  };
  if (!settings.rank || !settings.world_size)
    refuse(settings.rank ? "WORLD_SIZE" : "RANK", "", "it must be set, as `jute ranks` does");
  if (settings.rendezvous.starts_with(kTcp)) {
    std::string place = settings.rendezvous.substr(kTcp.size());
    const bool has_host = !place.starts_with(':');
    if (!has_host && settings.host.empty())
      refuse("MASTER_ADDR", "", "it must be set, as torchrun does, where tcp://:PORT has no host");
    if (!has_host) place.insert(0, settings.host);
    TcpRendezvousOptions options{*settings.rank, *settings.world_size, deadline};
    if (!settings.secret.empty()) options.secret = read_secret(settings.secret);
    return tcp_rendezvous(place, options);
  }
  if (!settings.rendezvous.starts_with(kFile) || settings.rendezvous.size() == kFile.size())
    refuse("JUTE_RENDEZVOUS", settings.rendezvous,
           "it must be file:FOLDER, tcp://HOST:PORT, or tcp://:PORT where MASTER_ADDR is the host");
  return file_rendezvous(
      settings.rendezvous.substr(kFile.size()),
      {.rank = *settings.rank, .size = *settings.world_size, .deadline = deadline});
}

}  // namespace jute
