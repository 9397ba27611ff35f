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
#include "ranks/coming_rows.hpp"
#include "ranks/emulated_windows.hpp"

namespace jute {
namespace {

using ranks::ShownMemory;

struct Letter {
  std::string step;
  std::vector<std::byte> bytes;
};

/// State that all ends share.
struct PostOffice {
  explicit PostOffice(std::size_t ranks) : texts(ranks), shown(ranks) {}

  /// Kernels that wait see that they need not any longer.
  void raise_faults() const {
    for (const std::vector<ShownMemory>& windows : shown)
      for (const ShownMemory& window : windows) ranks::raise_fault(window);
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<Index, Index>, std::deque<Letter>> letters;        // (sender, receiver)
  std::vector<std::vector<std::pair<std::string, std::string>>> texts;  // by ranks: (step, text)
  std::vector<std::vector<ShownMemory>> shown;                          // by ranks
  std::optional<std::string> failure;  // the first; nothing goes on then
};

/// One rank's place among all.
class Seat {
 public:
  Seat(std::shared_ptr<PostOffice> office, Index rank, Index size,
       std::chrono::milliseconds deadline)
      : office_(std::move(office)), rank_(rank), size_(size), deadline_(deadline) {}

  [[nodiscard]] Index rank() const { return rank_; }
  [[nodiscard]] Index size() const { return size_; }

  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) {
    std::unique_lock lock(office_->mutex);
    auto& texts = office_->texts;
    const std::size_t turn = texts[static_cast<std::size_t>(rank_)].size();
    texts[static_cast<std::size_t>(rank_)].emplace_back(step, own);
    office_->changed.notify_all();
    std::vector<std::string> result;
    for (Index peer = 0; peer < size_; ++peer) {
      const auto& said = texts[static_cast<std::size_t>(peer)];
      wait(lock, step, peer, [&] { return said.size() > turn; });
      check_step(step, peer, said[turn].first);
      result.push_back(said[turn].second);
    }
    return result;
  }

  void send(Index peer, Letter letter) {
    const std::lock_guard lock(office_->mutex);
    office_->letters[{rank_, peer}].push_back(std::move(letter));
    office_->changed.notify_all();
  }

  [[nodiscard]] bool has_letter(Index peer) {
    const std::lock_guard lock(office_->mutex);
    return !office_->letters[{peer, rank_}].empty();
  }

  [[nodiscard]] Letter received(const std::string& step, const PeerTransfer& transfer) {
    std::unique_lock lock(office_->mutex);
    std::deque<Letter>& box = office_->letters[{transfer.peer, rank_}];
    wait(lock, step, transfer.peer, [&] { return !box.empty(); });
    Letter letter = std::move(box.front());
    box.pop_front();
    check_step(step, transfer.peer, letter.step);
    const Index bytes = byte_count(transfer);
    if (static_cast<Index>(letter.bytes.size()) != bytes)
      fail(step, transfer.peer, 0,
           base::format("rank {} expects {} bytes of rank {}, which sends {}", rank_, bytes,
                        transfer.peer, letter.bytes.size()));
    return letter;
  }

  /// The windows of all ranks, by ranks; all have shared as often.
  [[nodiscard]] std::vector<ShownMemory> shown(ShownMemory own, const std::string& text) {
    std::size_t turn = 0;
    {
      const std::lock_guard lock(office_->mutex);
      std::vector<ShownMemory>& mine = office_->shown[static_cast<std::size_t>(rank_)];
      turn = mine.size();
      mine.push_back(std::move(own));
    }
    const std::vector<std::string> all = gather_texts("share", text);
    const std::lock_guard lock(office_->mutex);
    std::vector<ShownMemory> result;
    for (Index peer = 0; peer < size_; ++peer) {
      if (all[static_cast<std::size_t>(peer)] != text)
        fail("share", peer, 0,
             base::format("rank {} shares {} bytes, rank {} {}", rank_, text, peer,
                          all[static_cast<std::size_t>(peer)]));
      result.push_back(office_->shown[static_cast<std::size_t>(peer)][turn]);
    }
    return result;
  }

  /// A kernel waits, for ranks of which it is known who has come. False: it must have seen why not.
  [[nodiscard]] bool keeps_waiting(double seconds, const std::function<Index()>& missing) {
    constexpr double kToLook = 2;
    const double limit = std::chrono::duration<double>(deadline_).count();
    const std::lock_guard lock(office_->mutex);
    if (!office_->failure && seconds > limit) {
      const Index peer = missing();
      own_fault_ = {rank_, "meet", peer, seconds,
                    base::format("rank {} waited {:.3f} s for rank {}", rank_, seconds, peer)};
      office_->failure = base::format("step meet: {}", own_fault_->what);
      office_->changed.notify_all();
    }
    if (office_->failure) office_->raise_faults();
    return seconds < limit + kToLook;
  }

  void poll() {
    const std::lock_guard lock(office_->mutex);
    if (own_fault_) throw CommunicationFailed(*own_fault_);
    if (office_->failure) refuse("poll", -1, 0, *office_->failure);
  }

  void abort(const std::string& reason) noexcept {
    const std::lock_guard lock(office_->mutex);
    if (!office_->failure) office_->failure = base::format("rank {} failed: {}", rank_, reason);
    office_->raise_faults();
    office_->changed.notify_all();
  }

 private:
  [[noreturn]] void refuse(std::string_view step, Index peer, double waited, std::string what) {
    throw CommunicationFailed({rank_, std::string(step), peer, waited, std::move(what)});
  }

  /// The first failure is everybody's.
  [[noreturn]] void fail(std::string_view step, Index peer, double waited,
                         const std::string& what) {
    if (!office_->failure) office_->failure = base::format("step {}: {}", step, what);
    office_->raise_faults();
    office_->changed.notify_all();
    refuse(step, peer, waited, what);
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
    if (office_->failure)
      refuse(step, peer, waited, base::format("{}; {}", who, *office_->failure));
    fail(step, peer, waited, who);
  }

  void check_step(std::string_view step, Index peer, std::string_view other) {
    if (other != step)
      fail(step, peer, 0,
           base::format("rank {} is at step {}, rank {} at step {}", rank_, step, peer, other));
  }

  std::shared_ptr<PostOffice> office_;
  Index rank_, size_;
  std::chrono::milliseconds deadline_;
  std::optional<CommunicationFault> own_fault_;  // of a kernel that waited in vain
};

/// Words that both kinds of end say by their seat.
template <class Kind>
class SeatedEnd : public Kind {
 public:
  explicit SeatedEnd(Seat seat) : seat_(std::move(seat)) {}
  [[nodiscard]] Index rank() const override { return seat_.rank(); }
  [[nodiscard]] Index size() const override { return seat_.size(); }
  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    return seat_.gather_texts(step, own);
  }
  void poll() override { seat_.poll(); }
  void abort(const std::string& reason) noexcept override { seat_.abort(reason); }

 protected:
  Seat& seat() { return seat_; }

 private:
  Seat seat_;
};

/// Bytes go by the host's memory.
class InProcessEnd final : public SeatedEnd<Communicator> {
 public:
  InProcessEnd(Seat seat, Backend& backend)
      : SeatedEnd(std::move(seat)), backend_(backend), emulator_(ranks::emulator_of(backend)) {}
  ~InProcessEnd() override {
    if (is_watching_) ranks::when_waiting(*emulator_, nullptr);
  }
  InProcessEnd(const InProcessEnd&) = delete;
  InProcessEnd& operator=(const InProcessEnd&) = delete;

  [[nodiscard]] bool announces() const override { return emulator_ != nullptr; }
  [[nodiscard]] std::shared_ptr<const Window> share(Index bytes) override {
    ShownMemory own;
    if (emulator_ != nullptr) own = ranks::shown_memory(bytes, rank());
    const std::vector<ShownMemory> all =
        seat().shown(own, emulator_ == nullptr ? "no" : std::to_string(bytes));
    if (emulator_ == nullptr) return nullptr;
    is_watching_ = true;
    ranks::when_waiting(*emulator_, [this, window = own.bytes](double seconds) {
      if (coming_.land_one([&](const auto& step, const auto& transfer) {
            return seat().has_letter(transfer.peer) ? std::optional(bytes_of(step, transfer))
                                                    : std::nullopt;
          }))
        return true;
      return seat().keeps_waiting(seconds, [&] {
        return coming_.is_empty() ? ranks::missing_rank(*window, rank(), size())
                                  : coming_.next_peer();
      });
    });
    std::shared_ptr<const Window> window = ranks::emulated_window(*emulator_, rank(), all);
    coming_.add_window(window->own(), bytes, own);
    return window;
  }

  /// Everything is sent before anything is waited for, so that ranks never wait in a circle.
  void exchange(const Exchange& exchange, Stream stream) override {
    await_coming();
    for (const PeerTransfer& transfer : exchange.sends)
      seat().send(transfer.peer, {exchange.step, read(transfer, stream)});
    for (const PeerTransfer& transfer : exchange.receives) {
      const bool is_announced = !transfer.regions.empty() && transfer.regions.front().flag != 0;
      if (is_announced)
        coming_.expect(exchange.step, transfer);
      else
        write(transfer, bytes_of(exchange.step, transfer), stream);
    }
  }
  /// One rank after the other, each sum rounded.
  void reduce(const Collective& collective, Stream stream) override {
    const Index width = width_bytes(collective.type);
    const Index bytes = collective.elements * width;
    const bool is_cut = collective.kind == CollectiveKind::reduce_scatter;
    const std::vector<Index>& members = collective.members;
    const bool is_among = !members.empty();
    std::vector<PeerTransfer> parts;
    for (Index at = 0; at < (is_among ? static_cast<Index>(members.size()) : size()); ++at) {
      const Index peer = is_among ? members[static_cast<std::size_t>(at)] : at;
      parts.push_back({peer,
                       {{collective.from + static_cast<DevicePointer>(is_cut ? at * bytes : 0), 1,
                         bytes, bytes}}});
    }
    for (const PeerTransfer& part : parts)
      seat().send(part.peer, {collective.step, read(part, stream)});
    std::vector<double> sums(static_cast<std::size_t>(collective.elements), 0);
    for (const PeerTransfer& part : parts) {
      const Letter letter = seat().received(collective.step, part);
      const std::vector<double> more = decode(collective.type, letter.bytes);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
      sums = decode(collective.type, encode(collective.type, sums));
    }
    write({rank(), {{collective.to, 1, bytes, bytes}}}, encode(collective.type, sums), stream);
  }
  void order(Stream first, Stream then) override {
    if (first == then) return;
    await_coming();
    backend_.synchronize();
  }
  void keep(Stream stream) override { kept_ = stream; }
  void follow(Stream stream) override {
    if (kept_) order(*kept_, stream);
  }
  void finish(Stream /*stream*/) override {
    await_coming();
    backend_.synchronize();
  }

 private:
  [[nodiscard]] std::vector<std::byte> bytes_of(const std::string& step,
                                                const PeerTransfer& transfer) {
    return seat().received(step, transfer).bytes;
  }
  /// Waits for arrivals that no kernel has waited for.
  void await_coming() {
    while (coming_.land_one([&](const auto& step, const auto& transfer) {
      return std::optional(bytes_of(step, transfer));
    })) {
    }
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

  Backend& backend_;
  EmulatorBackend* emulator_;
  bool is_watching_ = false;
  ranks::ComingRows coming_;
  std::optional<Stream> kept_;
};

std::vector<Seat> seats_of(Index ranks, const InProcessOptions& options) {
  const auto office = std::make_shared<PostOffice>(static_cast<std::size_t>(ranks));
  std::vector<Seat> seats;
  for (Index rank = 0; rank < ranks; ++rank)
    seats.emplace_back(office, rank, ranks, options.deadline);
  return seats;
}

}  // namespace

std::vector<std::unique_ptr<Communicator>> in_process_communicators(
    std::span<Backend* const> backends, const InProcessOptions& options) {
  std::vector<std::unique_ptr<Communicator>> ends;
  for (Seat& seat : seats_of(static_cast<Index>(backends.size()), options))
    ends.push_back(std::make_unique<InProcessEnd>(std::move(seat), *backends[ends.size()]));
  return ends;
}

std::vector<std::unique_ptr<Rendezvous>> in_process_rendezvous(Index ranks,
                                                               const InProcessOptions& options) {
  std::vector<std::unique_ptr<Rendezvous>> ends;
  for (Seat& seat : seats_of(ranks, options))
    ends.push_back(std::make_unique<SeatedEnd<Rendezvous>>(std::move(seat)));
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
