// Mailboxes between threads, with a deadline, and one failure for all.
#include <jute/ranks/in_process.hpp>

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "base/format.hpp"

namespace jute {
namespace {

struct Letter {
  std::string step;
  std::vector<std::byte> bytes;
};

/// What all ends share.
struct PostOffice {
  explicit PostOffice(std::size_t ranks) : texts(ranks) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<Index, Index>, std::deque<Letter>> letters;        // (sender, receiver)
  std::vector<std::vector<std::pair<std::string, std::string>>> texts;  // by ranks: (step, text)
  std::optional<std::string> failure;  // the first; nothing goes on then
};

class InProcessEnd : public Communicator {
 public:
  InProcessEnd(std::shared_ptr<PostOffice> office, Backend& backend, Index rank, Index size,
               std::chrono::milliseconds deadline)
      : office_(std::move(office)),
        backend_(backend),
        rank_(rank),
        size_(size),
        deadline_(deadline) {}

  [[nodiscard]] Index rank() const override { return rank_; }
  [[nodiscard]] Index size() const override { return size_; }

  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    std::unique_lock lock(office_->mutex);
    auto& texts = office_->texts;
    const std::size_t turn = texts[static_cast<std::size_t>(rank_)].size();
    texts[static_cast<std::size_t>(rank_)].emplace_back(step, own);
    office_->changed.notify_all();
    std::vector<std::string> result;
    for (Index peer = 0; peer < size_; ++peer) {
      const auto& said = texts[static_cast<std::size_t>(peer)];
      wait(lock, step, peer, [&] { return said.size() > turn; });
      check_step(lock, step, peer, said[turn].first);
      result.push_back(said[turn].second);
    }
    return result;
  }

  /// Everything is sent before anything is waited for, so that ranks never wait in a circle.
  void exchange(const Exchange& exchange, Stream stream) override {
    for (const PeerTransfer& transfer : exchange.sends) {
      Letter letter{exchange.step, read(transfer, stream)};
      const std::lock_guard lock(office_->mutex);
      office_->letters[{rank_, transfer.peer}].push_back(std::move(letter));
      office_->changed.notify_all();
    }
    for (const PeerTransfer& transfer : exchange.receives) {
      const Letter letter = received(exchange.step, transfer);
      write(transfer, letter.bytes, stream);
    }
  }

  void poll() override {
    std::unique_lock lock(office_->mutex);
    if (office_->failure) refuse("poll", *office_->failure);
  }

  void abort(const std::string& reason) noexcept override {
    const std::lock_guard lock(office_->mutex);
    if (!office_->failure) office_->failure = base::format("rank {} failed: {}", rank_, reason);
    office_->changed.notify_all();
  }

 private:
  [[noreturn]] static void refuse(std::string_view step, std::string value) {
    throw Exception({.code = ErrorCode::launch_failed,
                     .operand = std::string(step),
                     .value = std::move(value),
                     .violated_rules = {"every rank must come to each step within the deadline"}});
  }

  /// The first failure is everybody's.
  [[noreturn]] void fail(std::string_view step, const std::string& what) {
    if (!office_->failure) office_->failure = base::format("step {}: {}", step, what);
    office_->changed.notify_all();
    refuse(step, what);
  }

  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, std::string_view step, Index peer,
            Condition is_there) {
    const auto start = std::chrono::steady_clock::now();
    const auto is_over = [&] { return office_->failure.has_value() || is_there(); };
    const bool in_time = office_->changed.wait_until(lock, start + deadline_, is_over);
    if (in_time && !office_->failure) return;
    const double waited =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string who =
        base::format("rank {} waited {:.3f} s for rank {}", rank_, waited, peer);
    if (office_->failure) refuse(step, base::format("{}; {}", who, *office_->failure));
    fail(step, who);
  }

  void check_step(std::unique_lock<std::mutex>&, std::string_view step, Index peer,
                  std::string_view other) {
    if (other != step)
      fail(step,
           base::format("rank {} is at step {}, rank {} at step {}", rank_, step, peer, other));
  }

  Letter received(const std::string& step, const PeerTransfer& transfer) {
    std::unique_lock lock(office_->mutex);
    std::deque<Letter>& box = office_->letters[{transfer.peer, rank_}];
    wait(lock, step, transfer.peer, [&] { return !box.empty(); });
    Letter letter = std::move(box.front());
    box.pop_front();
    check_step(lock, step, transfer.peer, letter.step);
    const Index bytes = byte_count(transfer);
    if (static_cast<Index>(letter.bytes.size()) != bytes)
      fail(step, base::format("rank {} expects {} bytes of rank {}, which sends {}", rank_, bytes,
                              transfer.peer, letter.bytes.size()));
    return letter;
  }

  /// Rows without gaps are one piece.
  static Region whole(const Region& region) {
    if (region.pitch_bytes != region.row_bytes) return region;
    return {region.base, 1, region.rows * region.row_bytes, region.rows * region.row_bytes};
  }

  std::vector<std::byte> read(const PeerTransfer& transfer, Stream stream) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(byte_count(transfer)));
    std::size_t at = 0;
    for (const Region& each : transfer.regions) {
      const Region region = whole(each);
      const auto length = static_cast<std::size_t>(region.row_bytes);
      for (Index row = 0; row < region.rows; ++row, at += length)
        backend_.copy_out(std::span(bytes).subspan(at, length),
                          region.base + static_cast<DevicePointer>(row * region.pitch_bytes),
                          stream);
    }
    return bytes;
  }

  void write(const PeerTransfer& transfer, std::span<const std::byte> bytes, Stream stream) {
    std::size_t at = 0;
    for (const Region& each : transfer.regions) {
      const Region region = whole(each);
      const auto length = static_cast<std::size_t>(region.row_bytes);
      for (Index row = 0; row < region.rows; ++row, at += length)
        backend_.copy_in(region.base + static_cast<DevicePointer>(row * region.pitch_bytes),
                         bytes.subspan(at, length), stream);
    }
  }

  std::shared_ptr<PostOffice> office_;
  Backend& backend_;
  Index rank_, size_;
  std::chrono::milliseconds deadline_;
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> in_process_communicators(
    std::span<Backend* const> backends, const InProcessOptions& options) {
  const auto office = std::make_shared<PostOffice>(backends.size());
  std::vector<std::unique_ptr<Communicator>> ends;
  for (Backend* backend : backends)
    ends.push_back(std::make_unique<InProcessEnd>(office, *backend, static_cast<Index>(ends.size()),
                                                  static_cast<Index>(backends.size()),
                                                  options.deadline));
  return ends;
}

void run_ranks(std::span<const std::unique_ptr<Communicator>> communicators,
               const std::function<void(Communicator&)>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto run = [&](Communicator& communicator) {
    try {
      work(communicator);
    } catch (const std::exception& exception) {
      {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      communicator.abort(exception.what());
    }
  };
  std::vector<std::thread> threads;
  for (const auto& communicator : communicators)
    threads.emplace_back([&run, &end = *communicator] { run(end); });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace jute
