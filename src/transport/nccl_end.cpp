// A rank that sends and receives by NCCL, without ever waiting in a call of NCCL's.
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include "base/format.hpp"
#include "transport/ends.hpp"
#include "transport/nccl_legs.hpp"
#include "transport/nccl_window.hpp"

namespace jute::transport {
namespace {

using NcclClock = std::chrono::steady_clock;

/// How long one sleeps between two looks: short while it is new.
void doze(NcclClock::time_point since) {
  if (NcclClock::now() - since < std::chrono::milliseconds(2))
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

class NcclEnd final : public Communicator {
 public:
  NcclEnd(std::unique_ptr<Rendezvous> rendezvous, std::shared_ptr<const Gpu> gpu,
          std::shared_ptr<const NcclLibrary> library, const NcclOptions& options)
      : rendezvous_(std::move(rendezvous)),
        gpu_(std::move(gpu)),
        library_(std::move(library)),
        deadline_(options.deadline),
        most_sms_(options.most_sms),
        sent_(gpu_),
        received_(gpu_) {
    if (options.adopt_comm != 0)
      adopt(options.adopt_comm);
    else
      found(options);
  }
  ~NcclEnd() override {
    windows_.close();
    if (comm_ == nullptr) return;
    const OnGpu current(*gpu_);
    for (const auto& [members, group] : groups_) end(group);
    if (!is_adopted_) end(comm_);
  }

  [[nodiscard]] Index rank() const override { return rendezvous_->rank(); }
  [[nodiscard]] Index size() const override { return rendezvous_->size(); }
  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    return rendezvous_->gather_texts(step, own);
  }

  void exchange(const Exchange& exchange, Stream stream) override {
    usable(exchange.step);
    const StreamHandle on = stream_of(stream);
    const OnGpu current(*gpu_);
    const std::vector<Leg> sends = legs_of(exchange.sends, rank(), sent_),
                           receives = legs_of(exchange.receives, rank(), received_);
    for (const Leg& leg : sends)
      if (leg.is_staged) copy_regions(*gpu_, leg.transfer->regions, leg.place(), on);
    copy_own(exchange, on);
    send_and_receive(exchange, sends, receives, on);
    for (const Leg& leg : receives)
      if (leg.is_staged) copy_regions(*gpu_, leg.place(), leg.transfer->regions, on);
    note(exchange, on);
  }

  void reduce(const Collective& collective, Stream stream) override {
    usable(collective.step);
    const StreamHandle on = stream_of(stream);
    const OnGpu current(*gpu_);
    const bool is_all = collective.kind == CollectiveKind::all_reduce;
    const auto call = is_all ? api().all_reduce : api().reduce_scatter;
    const NcclResult begun =
        call(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(collective.from)),
             reinterpret_cast<void*>(static_cast<std::uintptr_t>(collective.to)),
             static_cast<std::size_t>(collective.elements), nccl_type(collective.type), kNcclSum,
             collective.members.empty() ? comm_ : among(collective), on);
    settle(is_all ? "ncclAllReduce" : "ncclReduceScatter", collective.step, -1, begun);
    note(collective.step, -1, on);
  }

  void order(Stream first, Stream then) override {
    if (first != then) Mark(gpu_, stream_of(first)).hold(*gpu_, stream_of(then));
  }

  void keep(Stream stream) override {
    kept_stream_ = stream;
    kept_ = std::make_unique<const Mark>(gpu_, stream_of(stream));
  }
  void follow(Stream stream) override {
    if (kept_ && kept_stream_ != stream) kept_->hold(*gpu_, stream_of(stream));
  }

  /// By windows, where NCCL has them, and kernels reach all ranks.
  [[nodiscard]] std::shared_ptr<const Window> share(Index bytes) override {
    usable("share");
    if (!has_windows(api())) return nullptr;
    const OnGpu current(*gpu_);
    auto window = std::make_shared<NcclWindow>(gpu_, library_, comm_, bytes, deadline_);
    settle("ncclCommWindowRegister", "share", -1, window->register_memory());
    const std::string text =
        base::format("{} {}", bytes, window->find_peers(size(), rank()) ? "reached" : "apart");
    const std::vector<std::string> all = rendezvous_->gather_texts("share", text);
    windows_.add(window);
    for (const std::string& other : all)
      if (other != base::format("{} reached", bytes)) return nullptr;
    return window;
  }

  void finish(Stream stream) override {
    for (; !pending_.empty(); pending_.pop_front()) {
      const Pending& step = pending_.front();
      await(step.step, step.peer, [&] { return step.mark->is_reached(); });
    }
    // This rank's kernels are left, which wait for nobody, or end by themselves.
    const Mark end(gpu_, stream_of(stream));
    const auto start = NcclClock::now();
    const auto look = [&] {
      if (!windows_.is_empty()) look_at_peers("meet");
    };
    for (look(); !end.is_reached(); look()) doze(start);
    look_at_windows();
  }

  void poll() override {
    rendezvous_->poll();
    usable("poll");
    look_at_windows();
    (void)state_of("poll", -1);
  }

  void abort(const std::string& reason) noexcept override {
    rendezvous_->abort(reason);
    windows_.end_waiting();
    drop();
  }

 private:
  struct GroupCall {
    const char* call;
    Index peer;
    NcclResult result;
    [[nodiscard]] bool is_right() const {
      return result == kNcclSuccess || result == kNcclInProgress;
    }
  };
  struct Pending {
    std::string step;
    Index peer;
    SharedMark mark;
  };

  [[nodiscard]] const NcclApi& api() const { return library_->api; }

  void adopt(std::uint64_t handle) {
    comm_ = reinterpret_cast<NcclComm>(static_cast<std::uintptr_t>(handle));
    is_adopted_ = true;
    int count = 0, own = 0;
    require("ncclCommCount", "adopt", -1, api().comm_count(comm_, &count));
    require("ncclCommUserRank", "adopt", -1, api().comm_rank(comm_, &own));
    if (count != size() || own != rank())
      jute::refuse(ErrorCode::unsupported, "communicator",
                   base::format("rank {} of {}", own, count),
                   base::format("it must be rank {} of {}, as in the "
                                "rendezvous",
                                rank(), size()));
  }

  void found(const NcclOptions& options) {
    const std::vector<std::byte>& given = options.unique_id;
    require_agreement(*rendezvous_, "version of NCCL", library_->version);
    NcclId id;
    if (!given.empty()) {
      if (given.size() != sizeof id.bytes)
        jute::refuse(ErrorCode::unsupported, "unique_id", std::to_string(given.size()) + " bytes",
                     "it must be an ncclUniqueId, 128 bytes");
      std::memcpy(id.bytes, given.data(), sizeof id.bytes);
    } else {
      if (rank() == 0) require("ncclGetUniqueId", "meet", -1, api().unique_id(&id));
      id = nccl_id_of(
          rendezvous_->gather_texts("id of NCCL", rank() == 0 ? text_of(id) : "").front());
    }
    const OnGpu current(*gpu_);
    begin(comm_, id, size(), rank(), "meet");
  }

  void begin(NcclComm& comm, const NcclId& id, Index ranks, Index own, std::string_view step) {
    NcclConfig config;
    config.blocking = 0;
    if (most_sms_ > 0) config.max_ctas = most_sms_;
    const NcclResult begun =
        api().init_rank(&comm, static_cast<int>(ranks), id, static_cast<int>(own), &config);
    settle("ncclCommInitRankConfig", step, -1, begun);
  }

  /// Made when its ranks first add: all ranks are there then, each for its own.
  [[nodiscard]] NcclComm among(const Collective& collective) {
    const std::vector<Index>& members = collective.members;
    if (const auto found = groups_.find(members); found != groups_.end()) return found->second;
    NcclId id;
    const bool is_first = members.front() == rank();
    if (is_first) require("ncclGetUniqueId", collective.step, -1, api().unique_id(&id));
    const std::vector<std::string> all =
        rendezvous_->gather_texts("id of NCCL", is_first ? text_of(id) : "");
    const auto own = std::ranges::find(members, rank()) - members.begin();
    begin(groups_[members], nccl_id_of(all[static_cast<std::size_t>(members.front())]),
          static_cast<Index>(members.size()), own, collective.step);
    return groups_[members];
  }

  /// Ends a communicator. It would wait for what is on its way: without a failure that is nothing.
  void end(NcclComm comm) const {
    NcclResult state = api().finalize(comm);
    const auto start = NcclClock::now();
    while (state == kNcclInProgress && NcclClock::now() - start < deadline_) {
      if (api().async_error(comm, &state) != kNcclSuccess) break;
      doze(start);
    }
    (void)(state == kNcclSuccess ? api().destroy(comm) : api().abort(comm));
  }

  /// A rank that has failed has no communicator any more.
  void usable(std::string_view step) {
    if (comm_ != nullptr) return;
    rendezvous_->poll();
    throw CommunicationFailed({.rank = rank(),
                               .step = std::string(step),
                               .what = "the communicator was given up: it failed before"});
  }

  /// Has a kernel of this rank waited in vain?
  void look_at_windows() {
    const std::optional<Index> peer = windows_.missing_peer();
    if (!peer) return;
    const double waited = std::chrono::duration<double>(deadline_).count();
    fail("meet", *peer, waited,
         base::format("rank {} waited {:.3f} s for rank {}", rank(), waited, *peer));
  }

  void drop() noexcept {
    if (comm_ == nullptr) return;
    if (!is_adopted_) windows_.forget();
    (void)gpu_->calls().context_push(gpu_->context());
    // Kernels that wait for a peer come to their end.
    for (const auto& [members, group] : groups_)
      if (group != nullptr) (void)api().abort(group);
    groups_.clear();
    if (!is_adopted_) (void)api().abort(std::exchange(comm_, nullptr));
    ContextHandle popped = nullptr;
    (void)gpu_->calls().context_pop(&popped);
  }

  [[noreturn]] void fail(std::string_view step, Index peer, double waited, std::string what) {
    abort(base::format("step {}: {}", step, what));
    throw CommunicationFailed({rank(), std::string(step), peer, waited, std::move(what)});
  }

  void require(const char* call, std::string_view step, Index peer, NcclResult result) {
    if (result == kNcclSuccess || result == kNcclInProgress) return;
    const char* last = api().last_error(comm_);
    const char* text = api().error_text(result);
    std::string what = base::format("{} says {} ({})", call, result, text == nullptr ? "" : text);
    if (last != nullptr && *last != '\0') what += base::format(": {}", last);
    fail(step, peer, 0, std::move(what));
  }

  [[nodiscard]] NcclResult state_of(std::string_view step, Index peer) {
    NcclResult all = kNcclSuccess;
    const auto look = [&](NcclComm comm) {
      NcclResult state = kNcclSuccess;
      require("ncclCommGetAsyncError", step, peer, api().async_error(comm, &state));
      require("ncclCommGetAsyncError", step, peer, state);
      if (state != kNcclSuccess) all = state;
    };
    look(comm_);
    for (const auto& [members, group] : groups_)
      if (group != nullptr) look(group);
    return all;
  }

  /// Looks until it is so; a failure of any rank, or of NCCL, ends it.
  void await(std::string_view step, Index peer, const std::function<bool()>& is_so) {
    const auto start = NcclClock::now();
    while (!is_so()) {
      look_at_peers(step);
      (void)state_of(step, peer);
      const double waited = std::chrono::duration<double>(NcclClock::now() - start).count();
      if (waited > std::chrono::duration<double>(deadline_).count())
        fail(step, peer, waited,
             base::format("rank {} waited {:.3f} s for {}", rank(), waited,
                          peer < 0 ? "the others" : base::format("rank {}", peer)));
      doze(start);
    }
  }

  /// Makes another rank's failure, once it is said, this one's.
  void look_at_peers(std::string_view step) {
    try {
      rendezvous_->poll();
    } catch (const CommunicationFailed& failure) {
      windows_.end_waiting();
      drop();
      CommunicationFault fault = failure.fault();
      fault.step = std::string(step);
      throw CommunicationFailed(std::move(fault));
    }
  }

  /// A call that goes on behind its back.
  void settle(const char* call, std::string_view step, Index peer, NcclResult result) {
    require(call, step, peer, result);
    if (result == kNcclSuccess) return;
    await(step, peer, [&] { return state_of(step, peer) == kNcclSuccess; });
  }

  /// One group. A call that fails ends it before anything is given up: NCCL keeps what is in it.
  void send_and_receive(const Exchange& exchange, const std::vector<Leg>& sends,
                        const std::vector<Leg>& receives, StreamHandle on) {
    const std::vector<Index> peers = peers_of(exchange, rank());
    if (peers.empty()) return;
    const Index peer = peers.size() == 1 ? peers.front() : -1;
    require("ncclGroupStart", exchange.step, peer, api().group_start());
    GroupCall last{"ncclSend", peer, kNcclSuccess};
    for (const Leg& leg : sends) {
      if (!last.is_right()) break;
      last = {"ncclSend", leg.transfer->peer,
              api().send(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(leg.base)),
                         static_cast<std::size_t>(leg.bytes), kNcclBytes,
                         static_cast<int>(leg.transfer->peer), comm_, on)};
    }
    for (const Leg& leg : receives) {
      if (!last.is_right()) break;
      last = {"ncclRecv", leg.transfer->peer,
              api().receive(reinterpret_cast<void*>(static_cast<std::uintptr_t>(leg.base)),
                            static_cast<std::size_t>(leg.bytes), kNcclBytes,
                            static_cast<int>(leg.transfer->peer), comm_, on)};
    }
    const NcclResult ended = api().group_end();
    require(last.call, exchange.step, last.peer, last.result);
    settle("ncclGroupEnd", exchange.step, peer, ended);
  }

  void copy_own(const Exchange& exchange, StreamHandle on) const {
    for (const PeerTransfer& from : exchange.sends)
      for (const PeerTransfer& to : exchange.receives)
        if (from.peer == rank() && to.peer == rank())
          copy_regions(*gpu_, from.regions, to.regions, on);
  }

  /// Remembers the step until it is done, or until so many are that the oldest must be.
  void note(const Exchange& exchange, StreamHandle on) {
    const std::vector<Index> peers = peers_of(exchange, rank());
    if (peers.empty()) return;
    note(exchange.step, peers.size() == 1 ? peers.front() : -1, on);
  }
  void note(const std::string& step, Index peer, StreamHandle on) {
    pending_.push_back({step, peer, std::make_shared<Mark>(gpu_, on)});
    while (!pending_.empty() && pending_.front().mark->is_reached()) pending_.pop_front();
  }

  std::unique_ptr<Rendezvous> rendezvous_;
  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<const NcclLibrary> library_;
  std::chrono::milliseconds deadline_;
  int most_sms_;
  Staging sent_, received_;
  NcclComm comm_ = nullptr;
  bool is_adopted_ = false;
  std::map<std::vector<Index>, NcclComm> groups_;  // that have added, by their ranks
  std::deque<Pending> pending_;
  NcclWindows windows_;
  std::unique_ptr<const Mark> kept_;
  Stream kept_stream_{};
};

}  // namespace

std::unique_ptr<Communicator> nccl_end(std::unique_ptr<Rendezvous> rendezvous,
                                       std::shared_ptr<const Gpu> gpu,
                                       std::shared_ptr<const NcclLibrary> library,
                                       const NcclOptions& options) {
  return std::make_unique<NcclEnd>(std::move(rendezvous), std::move(gpu), std::move(library),
                                   options);
}

}  // namespace jute::transport
