// The steps of a distributed plan on one rank.
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/ranks/distributed_gemm.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "base/format.hpp"
#include "ranks/arrivals.hpp"
#include "ranks/barrier.hpp"
#include "ranks/meeting.hpp"
#include "ranks/regions.hpp"

namespace jute {

struct DistributedGemm::Impl {
  DistributedPlan plan;
  Index rank = 0;
  Backend* backend = nullptr;
  std::vector<Gemm> kernels;
  std::vector<Index> buffer_places, kernel_places;  ///< bytes from the workspace's start
  Index workspace_bytes = 0;
  std::optional<ranks::Meeting> meeting;
  std::optional<ranks::AwaitedRows> awaited;
};

namespace {

constexpr Index kPlaceAlignment = 256;

/// Takes so many bytes of a workspace.
Index placed(Index& end, Index bytes) {
  const Index place = end;
  end += (bytes + kPlaceAlignment - 1) / kPlaceAlignment * kPlaceAlignment;
  return place;
}

class DistributedRun {
 public:
  DistributedRun(const DistributedGemm::Impl& gemm, Communicator& communicator,
                 const DistributedArgs& args)
      : gemm_(gemm), communicator_(communicator), args_(args) {}

  void all() {
    communicator_.poll();
    const LaneEnds ends = ends_of_comm();
    if (gemm_.awaited) begin_rows();
    if (ends.begins_alone) communicator_.order(args_.stream, args_.comm_stream);
    if (gemm_.meeting && args_.only != Lane::comm)
      shown_ = ranks::open_half(communicator_, gemm_.meeting->half_bytes, args_.stream);
    for (const DistributedStep& step : gemm_.plan.steps) {
      if (args_.only && step.lane != *args_.only) continue;
      wait_for_other_lane(step);
      std::visit([&](const auto& body) { run(step, body); }, step.body);
    }
    if (ends.ends_alone) communicator_.order(args_.comm_stream, args_.stream);
    if (shown_ || rows_) ranks::close_half(communicator_, args_.stream);
  }

 private:
  /// Does the lane of exchanges begin before any kernel, does it end behind all that wait for it?
  struct LaneEnds {
    bool begins_alone = false, ends_alone = false;
  };
  [[nodiscard]] LaneEnds ends_of_comm() const {
    if (args_.only == Lane::compute) return {};
    if (args_.only == Lane::comm) return {true, true};
    LaneEnds ends;
    bool has_begun = false;
    const std::vector<DistributedStep>& steps = gemm_.plan.steps;
    for (const DistributedStep& step : steps) {
      const bool waits = std::ranges::any_of(
          step.after, [&](std::size_t other) { return steps[other].lane != step.lane; });
      if (step.lane == Lane::comm) {
        if (!std::exchange(has_begun, true)) ends.begins_alone = !waits;
        ends.ends_alone = true;
      } else if (waits) {
        ends.ends_alone = false;  // behind all that the other lane has by then
      }
    }
    return ends;
  }

  /// Where the kernel that waits for rows has its workspace, and they come to.
  [[nodiscard]] DevicePointer workspace_of_rows() const {
    return rows_ ? rows_->own()
                 : args_.workspace +
                       static_cast<DevicePointer>(gemm_.kernel_places[gemm_.awaited->kernel]);
  }
  void begin_rows() {
    rows_ = ranks::open_rows(communicator_, *gemm_.awaited, args_.stream);
    const bool is_coming = rows_ != nullptr && !args_.only;
    ranks::begin_rows(*gemm_.backend, communicator_, gemm_.plan, *gemm_.awaited, rows_.get(),
                      workspace_of_rows(),
                      is_coming ? ranks::RowsAre::coming : ranks::RowsAre::there, args_.stream);
  }

  /// The windows that this rank reaches, by what lies in them.
  template <class Key>
  [[nodiscard]] std::optional<DevicePointer> shown(
      const std::map<Key, ranks::Meeting::Place> ranks::Meeting::*places, const Key& key) const {
    if (!shown_) return std::nullopt;
    const auto found = (*gemm_.meeting.*places).find(key);
    if (found == (*gemm_.meeting.*places).end()) return std::nullopt;
    return ranks::address_of(*shown_, found->second);
  }
  [[nodiscard]] DevicePointer base(std::size_t place) const {
    const RankBuffer& buffer = gemm_.plan.buffers[place];
    if (const auto there = shown(&ranks::Meeting::buffers, place)) return *there;
    if (gemm_.awaited && place == gemm_.awaited->buffer)
      return workspace_of_rows() + static_cast<DevicePointer>(gemm_.awaited->places.rows);
    if (buffer.input) return args_.inputs[*buffer.input].base;
    if (!buffer.is_callers)
      return args_.workspace + static_cast<DevicePointer>(gemm_.buffer_places[place]);
    switch (buffer.name.front()) {
      case 'A':
        return args_.a;
      case 'B':
        return args_.b;
      case 'C':
        return args_.c;
      default:
        return args_.d;
    }
  }
  [[nodiscard]] DevicePointer base(const BufferPart& part) const {
    const Index first = part.first[static_cast<std::size_t>(gemm_.rank)];
    return base(part.buffer) +
           static_cast<DevicePointer>(first * width_bytes(gemm_.plan.buffers[part.buffer].type));
  }
  /// Where a slice of a result begins.
  [[nodiscard]] DevicePointer result_base(std::size_t place,
                                          const std::optional<ProductSlice>& slice) const {
    if (!slice) return base(place);
    const RankBuffer& buffer = gemm_.plan.buffers[place];
    return base(place) + static_cast<DevicePointer>(slice_at(buffer, *slice, gemm_.rank) *
                                                    width_bytes(buffer.type));
  }
  /// Behind the first so many of the kernel's.
  void put_inputs(GemmArgs& args, const std::vector<StepInput>& inputs, std::size_t first,
                  const std::optional<ProductSlice>& slice = {}) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EpilogueArg& arg = args.inputs[first + i];
      if (inputs[i].buffer)
        arg.base = result_base(*inputs[i].buffer, slice);
      else
        arg.value = args_.inputs[inputs[i].place].value;
    }
  }
  [[nodiscard]] Stream stream_of(Lane lane) const {
    return lane == Lane::comm ? args_.comm_stream : args_.stream;
  }
  /// A lane is in order by itself.
  void wait_for_other_lane(const DistributedStep& step) {
    for (const std::size_t other : step.after) {
      const Lane lane = gemm_.plan.steps[other].lane;
      if (lane == step.lane) continue;
      communicator_.order(stream_of(lane), stream_of(step.lane));
      return;
    }
  }

  /// The arguments that all kernels take; factors only where the kernel has them.
  [[nodiscard]] GemmArgs usual(std::size_t kernel) const {
    const Problem& problem = gemm_.kernels[kernel].plan().problem;
    GemmArgs result;
    result.alpha = problem.alpha == Factor::run_time ? args_.alpha : 1.0;
    if (problem.beta == Factor::run_time) result.beta = args_.beta;
    if (problem.beta == Factor::one) result.beta = 1.0;
    result.workspace = args_.workspace + static_cast<DevicePointer>(gemm_.kernel_places[kernel]);
    result.stream = args_.stream;
    return result;
  }

  /// Sizes that are the planned ones are left to the kernel, which need not complete them anew.
  void launch(std::size_t kernel, const StepSizes& sizes, GemmArgs& args) const {
    if (sizes.m == 0 || sizes.n == 0) return;
    const Problem& problem = gemm_.kernels[kernel].plan().problem;
    if (sizes.m != problem.m) args.m = sizes.m;
    if (sizes.n != problem.n) args.n = sizes.n;
    if (sizes.k != problem.k) args.k = sizes.k;
    gemm_.kernels[kernel].run(args);
  }

  void run(const DistributedStep&, const ProductStep& product) const {
    GemmArgs args = usual(product.kernel);
    args.a = base(product.a);
    args.b = base(product.b);
    if (product.c) args.c = result_base(*product.c, product.slice);
    put_inputs(args, product.inputs, 0, product.slice);
    const ProductStep* step = &product;
    const auto stored = shown(&ranks::Meeting::products, step);
    args.d = stored ? *stored : result_base(product.d, product.slice);
    if (product.arriving) await_rows(*product.arriving, args);
    launch(product.kernel, sizes_of(gemm_.plan, product, gemm_.rank), args);
  }

  /// The own rows where they lie; others where they come to, which is waited for here if nobody
  /// raises flags.
  void await_rows(const ArrivingRows& arriving, GemmArgs& args) const {
    (arriving.rows.dimension == Dimension::m ? args.a : args.b) = base(arriving.own);
    args.workspace = workspace_of_rows();
    if (rows_ == nullptr && !args_.only) communicator_.order(args_.comm_stream, args_.stream);
  }

  void run(const DistributedStep&, const SumStep& sum) const {
    GemmArgs args = usual(sum.kernel);
    for (std::size_t i = 0; i < sum.summands.size(); ++i)
      args.inputs[i].base = base(sum.summands[i]);
    if (sum.own) {
      const auto rank = static_cast<std::size_t>(gemm_.rank);
      args.inputs[sum.own->place[rank]].base = base({sum.own->buffer, {}, sum.own->first});
    }
    if (sum.c) args.c = base(*sum.c);
    put_inputs(args, sum.inputs, sum.summands.size());
    args.d = base(sum.d);
    launch(sum.kernel, sizes_of(gemm_.plan, sum, gemm_.rank), args);
  }

  /// C of factor 0 is not read, so it stays where it is: on all ranks, whose factors are the same.
  [[nodiscard]] bool is_left_out(const RankBuffer& from) const {
    return from.is_callers && from.name == "C" &&
           !reads_c(c_read(gemm_.plan.problem.problem), args_.beta);
  }

  void run(const DistributedStep& step, const CollectiveStep& body) {
    communicator_.reduce({.step = step.name,
                          .kind = body.kind,
                          .type = gemm_.plan.buffers[body.from].type,
                          .elements = body.elements,
                          .from = base(body.from),
                          .to = base(body.to)},
                         stream_of(step.lane));
  }

  void meet() {
    gemm_.backend->launch(
        gemm_.meeting->barrier,
        ranks::barrier_launch(*shown_->window, gemm_.rank, communicator_.size(), shown_->turn),
        args_.stream);
    communicator_.poll();
  }

  void run(const DistributedStep& step, const ExchangeStep& body) {
    if (shown_ && &body == gemm_.meeting->step) return meet();
    Exchange exchange{.step = step.name};
    const RankBuffer& from = gemm_.plan.buffers[body.from];
    if (is_left_out(from)) return;
    if (body.announced_rows > 0) return exchange_by_pieces(step, body);
    for (const Parcel& parcel : body.parcels) {
      const std::size_t to = body.to[static_cast<std::size_t>(parcel.summand)];
      if (parcel.sender == gemm_.rank)
        exchange.sends.push_back(
            {parcel.receiver,
             ranks::regions_of(from, parcel, ranks::Side::sender, base(body.from))});
      if (parcel.receiver == gemm_.rank)
        exchange.receives.push_back(
            {parcel.sender,
             ranks::regions_of(gemm_.plan.buffers[to], parcel, ranks::Side::receiver, base(to))});
    }
    communicator_.exchange(exchange, stream_of(step.lane));
  }

  void exchange_by_pieces(const DistributedStep& step, const ExchangeStep& body) {
    Exchange exchange{.step = step.name};
    const ranks::AwaitedRows& rows = *gemm_.awaited;
    const auto regions = [&](std::size_t buffer, const Parcel& parcel, ranks::Side side,
                             DevicePointer workspace) {
      return ranks::regions_by_pieces(gemm_.plan.buffers[buffer], parcel, side, base(buffer), rows,
                                      workspace);
    };
    for (const Parcel& parcel : body.parcels) {
      if (parcel.sender == gemm_.rank)
        exchange.sends.push_back(
            {parcel.receiver, regions(body.from, parcel, ranks::Side::sender, 0)});
      if (parcel.receiver == gemm_.rank)
        exchange.receives.push_back(
            {parcel.sender,
             regions(rows.buffer, parcel, ranks::Side::receiver, rows_ ? workspace_of_rows() : 0)});
    }
    communicator_.exchange(exchange, stream_of(step.lane));
  }

  const DistributedGemm::Impl& gemm_;
  Communicator& communicator_;
  const DistributedArgs& args_;
  std::optional<ranks::ShownHalf> shown_;
  std::shared_ptr<const Window> rows_;  // that come while a kernel runs
};

[[noreturn]] void refuse_argument(std::string_view operand, std::string value, std::string rule) {
  jute::refuse(ErrorCode::illegal_problem, std::string(operand), std::move(value), std::move(rule));
}

/// Sums have kernels of their own, which know nothing of factors that are fixed.
void check_factors(const Problem& problem, const DistributedArgs& args) {
  const auto check = [](std::string_view operand, Factor scale, double value) {
    if (scale == Factor::one && value != 1)
      refuse_argument(operand, base::format("{}", value), "it must be 1, as in the problem");
    if (scale == Factor::zero && value != 0)
      refuse_argument(operand, base::format("{}", value), "it must be 0, as in the problem");
  };
  check("alpha", problem.alpha, args.alpha);
  if (problem.beta != Factor::one || args.beta != 0) check("beta", problem.beta, args.beta);
}

}  // namespace

const DistributedPlan& DistributedGemm::plan() const { return impl_->plan; }
Index DistributedGemm::rank() const { return impl_->rank; }
Index DistributedGemm::workspace_bytes() const { return impl_->workspace_bytes; }

void DistributedGemm::clear_workspace(DevicePointer workspace, Stream stream) const {
  for (std::size_t i = 0; i < impl_->kernels.size(); ++i)
    impl_->kernels[i].clear_workspace(
        workspace + static_cast<DevicePointer>(impl_->kernel_places[i]), stream);
}

DevicePointer DistributedGemm::kernel_workspace(Communicator& communicator, std::size_t kernel,
                                                DevicePointer workspace) const {
  if (kernel >= impl_->kernels.size())
    jute::refuse(ErrorCode::out_of_range, "kernel", std::to_string(kernel),
                 base::format("it must be one of the plan's {} kernels", impl_->kernels.size()));
  const bool waits = impl_->awaited && impl_->awaited->kernel == kernel;
  const auto& rows = communicator.window_for_rows().window;
  return waits && rows != nullptr
             ? rows->own()
             : workspace + static_cast<DevicePointer>(impl_->kernel_places[kernel]);
}

void DistributedGemm::run(Communicator& communicator, const DistributedArgs& args) const {
  if (communicator.rank() != impl_->rank ||
      communicator.size() != rank_count(impl_->plan.problem.mesh))
    refuse_argument("communicator",
                    base::format("rank {} of {}", communicator.rank(), communicator.size()),
                    base::format("it must be rank {} of {}, as prepared", impl_->rank,
                                 rank_count(impl_->plan.problem.mesh)));
  check_factors(impl_->plan.problem.problem, args);
  const auto& epilogue = impl_->plan.problem.problem.epilogue;
  if (epilogue && args.inputs.size() < epilogue->inputs.size())
    refuse_argument(
        "inputs", base::format("{}", args.inputs.size()),
        base::format("there must be {}, as in the problem's epilogue", epilogue->inputs.size()));
  DistributedRun(*impl_, communicator, args).all();
}

DistributedGemm prepare(Context& context, const DistributedPlan& plan, Index rank) {
  if (rank < 0 || rank >= rank_count(plan.problem.mesh))
    jute::refuse(ErrorCode::out_of_range, "rank", std::to_string(rank),
                 base::format("it must be a rank of the mesh {}", to_string(plan.problem.mesh)));
  if (std::vector<std::string> rules = broken_rules(plan); !rules.empty())
    throw Exception(
        {.code = ErrorCode::illegal_config, .operand = "plan", .violated_rules = std::move(rules)});
  auto impl = std::make_shared<DistributedGemm::Impl>();
  impl->plan = plan;
  impl->rank = rank;
  impl->backend = &context.backend();
  impl->meeting = ranks::meeting_of(context, impl->plan, rank);
  impl->awaited = ranks::awaited_rows(impl->plan, rank);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const bool is_elsewhere =
        plan.buffers[i].is_callers || (impl->awaited && i == impl->awaited->buffer);
    impl->buffer_places.push_back(
        is_elsewhere ? 0 : placed(impl->workspace_bytes, plan.buffers[i].bytes));
  }
  for (const Plan& kernel : plan.kernels) {
    impl->kernels.push_back(prepare(context, kernel));
    impl->kernel_places.push_back(
        placed(impl->workspace_bytes, impl->kernels.back().workspace_bytes()));
  }
  if (impl->awaited)
    impl->awaited->workspace_bytes = impl->kernels[impl->awaited->kernel].workspace_bytes();
  return DistributedGemm(std::move(impl));
}

void require_same_plan(Communicator& communicator, const DistributedPlan& plan) {
  require_agreement(communicator, "device", plan.device.name);
  std::string text = to_string(plan);
  for (const Plan& kernel : plan.kernels) text += to_string(kernel);
  require_agreement(communicator, "plan", base::format("{:016x}", ranks::hash_of(text)));
}

}  // namespace jute
