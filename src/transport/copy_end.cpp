// Ranks of one process whose GPUs write into each other's memory.
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/format.hpp"
#include "transport/ends.hpp"

namespace jute::transport {
namespace {

/// Where a receiver wants a step's bytes, and from when on.
struct Invitation {
  std::string step;
  std::vector<Region> regions;
  SharedMark ready;
};
/// That they are there, as soon as the mark is reached.
struct Arrival {
  SharedMark done;
};

/// State that the ends of one process share.
struct CopyHall {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<Index, Index>, std::deque<Invitation>> invitations;  // (receiver, sender)
  std::map<std::pair<Index, Index>, std::deque<Arrival>> arrivals;        // (sender, receiver)
  bool is_apart = true;  ///< a GPU for each rank: none waits for what cannot begin beside it
  std::vector<std::vector<std::shared_ptr<const WindowPart>>> windows;  // by ranks
};

/// Every GPU's part, as all of them reach it.
class CopyWindow final : public Window {
 public:
  CopyWindow(std::vector<std::shared_ptr<const WindowPart>> parts, std::size_t rank,
             std::chrono::milliseconds deadline)
      : parts_(std::move(parts)), rank_(rank), deadline_(deadline) {}
  [[nodiscard]] DevicePointer peer(Index rank) const override {
    return parts_[static_cast<std::size_t>(rank)]->bytes();
  }
  [[nodiscard]] DevicePointer own() const override { return parts_[rank_]->bytes(); }
  [[nodiscard]] DevicePointer fault() const override { return parts_[rank_]->fault().address(); }
  [[nodiscard]] std::uint64_t limit_ns() const override {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(deadline_).count());
  }

 private:
  std::vector<std::shared_ptr<const WindowPart>> parts_;
  std::size_t rank_;
  std::chrono::milliseconds deadline_;
};

class CopyEnd final : public Communicator {
 public:
  CopyEnd(std::shared_ptr<CopyHall> hall, std::unique_ptr<Rendezvous> rendezvous,
          std::shared_ptr<const Gpu> gpu, const CopyOptions& options)
      : hall_(std::move(hall)),
        rendezvous_(std::move(rendezvous)),
        gpu_(std::move(gpu)),
        options_(options),
        deadline_(options.deadline) {}

  [[nodiscard]] Index rank() const override { return rendezvous_->rank(); }
  [[nodiscard]] Index size() const override { return rendezvous_->size(); }
  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    return rendezvous_->gather_texts(step, own);
  }
  void poll() override {
    rendezvous_->poll();
    look_at_faults();
  }
  void abort(const std::string& reason) noexcept override {
    rendezvous_->abort(reason);
    const std::lock_guard lock(hall_->mutex);
    // Kernels that wait see that they need not any longer.
    for (const auto& windows : hall_->windows)
      for (const auto& part : windows) part->fault().raise(kSomebodyFailed);
    hall_->changed.notify_all();
  }

  [[nodiscard]] bool announces() const override { return hall_->is_apart; }
  [[nodiscard]] std::shared_ptr<const Window> share(Index bytes) override {
    if (!hall_->is_apart) return nullptr;
    const auto own = std::make_shared<const WindowPart>(gpu_, bytes);
    const auto at = static_cast<std::size_t>(rank());
    std::size_t turn = 0;
    {
      const std::lock_guard lock(hall_->mutex);
      turn = hall_->windows[at].size();
      hall_->windows[at].push_back(own);
    }
    const std::string text = std::to_string(bytes);
    const std::vector<std::string> all = rendezvous_->gather_texts("share", text);
    for (Index peer = 0; peer < size(); ++peer)
      if (const std::string& other = all[static_cast<std::size_t>(peer)]; other != text)
        differ("share", peer,
               base::format("rank {} shares {} bytes, rank {} {}", rank(), text, peer, other));
    std::vector<std::shared_ptr<const WindowPart>> parts;
    const std::lock_guard lock(hall_->mutex);
    for (const auto& windows : hall_->windows) parts.push_back(windows[turn]);
    own_parts_.push_back(own);
    return std::make_shared<CopyWindow>(std::move(parts), at, deadline_);
  }

  /// Everybody invites before anybody waits, so that ranks never wait in a circle.
  void exchange(const Exchange& exchange, Stream stream) override {
    const StreamHandle on = stream_of(stream);
    const auto here = std::make_shared<const Mark>(gpu_, on);
    for (const PeerTransfer& transfer : exchange.receives)
      if (transfer.peer != rank())
        post(hall_->invitations[{rank(), transfer.peer}], {exchange.step, transfer.regions, here});
    copy_own_part(exchange, on);
    for (const PeerTransfer& transfer : exchange.sends)
      if (transfer.peer != rank()) send(exchange.step, transfer, *here, on);
    for (const PeerTransfer& transfer : exchange.receives)
      if (transfer.peer != rank())
        taken(hall_->arrivals[{transfer.peer, rank()}], exchange.step, transfer.peer)
            .done->hold(*gpu_, on);
  }

  void order(Stream first, Stream then) override {
    if (first != then) Mark(gpu_, stream_of(first)).hold(*gpu_, stream_of(then));
  }

  void keep(Stream stream) override {
    kept_stream_ = stream;
    if (kept_)
      kept_->move(stream_of(stream));
    else
      kept_ = std::make_unique<const Mark>(gpu_, stream_of(stream));
  }
  /// A stream is in order by itself; one that has its handle came when its work was done.
  void follow(Stream stream) override {
    if (kept_ && kept_stream_ != stream) kept_->hold(*gpu_, stream_of(stream));
  }

  /// Nothing in a stream waits for what is not on its way already, but kernels that meet, which end
  /// by themselves at the deadline.
  void finish(Stream stream) override {
    const Mark end(gpu_, stream_of(stream));
    const auto start = std::chrono::steady_clock::now();
    while (!end.is_reached())
      if (std::chrono::steady_clock::now() - start > std::chrono::milliseconds(2)) {
        poll();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    look_at_faults();
  }

 private:
  /// Has a kernel of this rank waited in vain?
  void look_at_faults() {
    for (const auto& part : own_parts_) {
      const std::uint32_t fault = part->fault().value();
      if (fault == 0) continue;
      if (fault == kSomebodyFailed) {
        rendezvous_->poll();
        differ("meet", -1, "another rank has failed");
      }
      give_up("meet", static_cast<Index>(fault) - 1,
              std::chrono::duration<double>(deadline_).count());
    }
  }

  template <class Item>
  void post(std::deque<Item>& box, Item item) {
    const std::lock_guard lock(hall_->mutex);
    box.push_back(std::move(item));
    hall_->changed.notify_all();
  }

  template <class Item>
  Item taken(std::deque<Item>& box, const std::string& step, Index peer) {
    constexpr std::chrono::milliseconds kLook{5};
    constexpr std::chrono::microseconds kSpin{100};  // ranks come almost together
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(hall_->mutex);
    while (box.empty() && std::chrono::steady_clock::now() - start < kSpin) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    }
    while (!hall_->changed.wait_for(lock, kLook, [&] { return !box.empty(); })) {
      lock.unlock();
      rendezvous_->poll();
      const auto passed = std::chrono::steady_clock::now() - start;
      if (passed > deadline_) give_up(step, peer, std::chrono::duration<double>(passed).count());
      lock.lock();
    }
    Item item = std::move(box.front());
    box.pop_front();
    return item;
  }

  [[noreturn]] void give_up(const std::string& step, Index peer, double waited) {
    const std::string what =
        base::format("rank {} waited {:.3f} s for rank {}", rank(), waited, peer);
    abort(base::format("step {}: {}", step, what));
    throw CommunicationFailed({rank(), step, peer, waited, what});
  }

  [[noreturn]] void differ(const std::string& step, Index peer, const std::string& what) {
    abort(base::format("step {}: {}", step, what));
    throw CommunicationFailed({.rank = rank(), .step = step, .peer = peer, .what = what});
  }

  void send(const std::string& step, const PeerTransfer& transfer, const Mark& here,
            StreamHandle on) {
    const Index peer = transfer.peer;
    const Invitation invitation = taken(hall_->invitations[{peer, rank()}], step, peer);
    if (invitation.step != step)
      differ(step, peer,
             base::format("rank {} is at step {}, rank {} at step {}", rank(), step, peer,
                          invitation.step));
    const Index wanted = byte_count({peer, invitation.regions});
    if (wanted != byte_count(transfer))
      differ(step, peer,
             base::format("rank {} expects {} bytes of rank {}, which sends {}", peer, wanted,
                          rank(), byte_count(transfer)));
    // A stream for each peer: links to several are used at once.
    std::unique_ptr<SideStream>& side = sides_[peer];
    if (!side) side = std::make_unique<SideStream>(gpu_);
    here.hold(*gpu_, side->handle());
    invitation.ready->hold(*gpu_, side->handle());
    const bool is_announced = !invitation.regions.empty() && invitation.regions.front().flag != 0;
    if (is_announced)
      copy_announced(*gpu_, transfer.regions, invitation.regions, options_.flags, side->handle());
    else
      copy_regions(*gpu_, transfer.regions, invitation.regions, side->handle());
    const auto done = std::make_shared<const Mark>(gpu_, side->handle());
    done->hold(*gpu_, on);
    post(hall_->arrivals[{rank(), peer}], {done});
  }

  void copy_own_part(const Exchange& exchange, StreamHandle on) const {
    for (const PeerTransfer& from : exchange.sends)
      for (const PeerTransfer& to : exchange.receives)
        if (from.peer == rank() && to.peer == rank())
          copy_regions(*gpu_, from.regions, to.regions, on);
  }

  std::shared_ptr<CopyHall> hall_;
  std::unique_ptr<Rendezvous> rendezvous_;
  std::shared_ptr<const Gpu> gpu_;
  CopyOptions options_;
  std::chrono::milliseconds deadline_;
  std::map<Index, std::unique_ptr<SideStream>> sides_;
  std::vector<std::shared_ptr<const WindowPart>> own_parts_;
  std::unique_ptr<const Mark> kept_;
  Stream kept_stream_{};
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> copy_ends(
    std::vector<std::shared_ptr<const Gpu>> gpus,
    std::vector<std::unique_ptr<Rendezvous>> rendezvous, const CopyOptions& options) {
  for (const auto& gpu : gpus)
    for (const auto& peer : gpus)
      if (gpu->ordinal() != peer->ordinal()) gpu->reach(*peer);
  const auto hall = std::make_shared<CopyHall>();
  hall->windows.resize(gpus.size());
  std::set<int> ordinals;
  for (const auto& gpu : gpus)
    hall->is_apart = ordinals.insert(gpu->ordinal()).second && hall->is_apart;
  // Every box is there before any thread looks for one.
  const auto count = static_cast<Index>(gpus.size());
  for (Index rank = 0; rank < count; ++rank)
    for (Index peer = 0; peer < count; ++peer) {
      (void)hall->invitations[{rank, peer}];
      (void)hall->arrivals[{rank, peer}];
    }
  std::vector<std::unique_ptr<Communicator>> ends;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    ends.push_back(
        std::make_unique<CopyEnd>(hall, std::move(rendezvous[i]), std::move(gpus[i]), options));
  return ends;
}

}  // namespace jute::transport

namespace jute {

std::vector<std::unique_ptr<Communicator>> copy_communicators(
    std::span<const int> ordinals, std::vector<std::unique_ptr<Rendezvous>> rendezvous,
    const CopyOptions& options) {
  const auto calls = driver::load_driver(base::system_loader(), driver::DriverNeeds::several_gpus);
  std::vector<std::shared_ptr<const transport::Gpu>> gpus;
  for (const int ordinal : ordinals)
    gpus.push_back(std::make_shared<const transport::Gpu>(calls, ordinal));
  return transport::copy_ends(std::move(gpus), std::move(rendezvous), options);
}

}  // namespace jute
