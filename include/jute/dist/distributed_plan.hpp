#pragma once
// One plan for all ranks of a distributed product: memory, steps, their lanes and their order.
#include <jute/base/export.hpp>
#include <jute/dist/distributed_problem.hpp>
#include <jute/dist/link.hpp>
#include <jute/dist/traffic.hpp>
#include <jute/launch/communicator.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace JUTE_API jute {

enum class Lane : std::uint8_t { compute, comm };
[[nodiscard]] std::string_view name(Lane lane);

/// A matrix in the memory of every rank: its part, at one leading dimension on all of them. A is
/// (M,K), B (N,K), C and D (M,N).
struct RankBuffer {
  std::string name;  ///< `A`, `A needed`, `summand 0`
  DType type = DType::f32;
  Order order = Order::row;
  Distribution held{};
  Index ld_elems = 1;
  Index bytes = 0;                     ///< on the rank that has the most
  bool is_callers = false;             ///< comes with a run: A, B, C, D, inputs of the epilogue
  std::optional<std::size_t> input{};  ///< which of these, by its place
};

/// Where a step finds a part of a buffer.
struct BufferPart {
  std::size_t buffer = 0;
  Distribution part{};
  std::vector<Index> first{};  ///< its first element in the buffer, of each rank
};

/// Rows or columns of D that one step makes, by ranks.
struct ProductSlice {
  Dimension dimension = Dimension::m;  ///< m: rows, n: columns
  std::vector<Index> first{}, count{};
};
/// Rows of a, or of b, that come while a step multiplies: its kernel waits for each piece of them.
struct ArrivingRows {
  std::size_t exchange = 0;  ///< that brings them: ahead of the step, which does not wait for it
  BufferPart own{};          ///< the rank's own rows, which are read where they lie
  ProductSlice rows{};       ///< which these are; m: of a, n: of b
};
/// An input of the epilogue as a step's kernel takes it: from a buffer, or none, and it is a
/// number.
struct StepInput {
  std::size_t place = 0;  ///< in the problem's epilogue
  std::optional<std::size_t> buffer{};
};
/// Each rank multiplies its parts; of a slice, those that the slice needs begin at `first` of a, b.
struct ProductStep {
  std::size_t kernel = 0;  ///< of DistributedPlan::kernels
  BufferPart a{}, b{};
  std::optional<std::size_t> c{};
  std::size_t d = 0;
  std::optional<ProductSlice> slice{};
  std::optional<ArrivingRows> arriving{};
  std::vector<StepInput> inputs{};  ///< in the kernel's order
};
/// Who carries parcels where kernels reach other ranks' memory. Elsewhere the transport does.
enum class Carrier : std::uint8_t {
  transport,
  readers,  ///< ranks meet, and what reads `to` reads it of `from`, where each sender has it
  writers,  ///< what makes `from` stores each parcel where it goes, not there, and ranks meet
};
/// Parcels go from one buffer to another, of summands to one for each.
struct ExchangeStep {
  std::size_t from = 0;
  std::vector<std::size_t> to{};
  std::vector<Parcel> parcels{};
  Carrier carrier = Carrier::transport;
  /// Where kernels reach other ranks' memory: behind so many rows of what comes a flag is raised,
  /// which a kernel waits for. 0: for none. Elsewhere the kernel begins behind the exchange.
  Index announced_rows = 0;
};
/// The transport adds what all ranks have in one buffer, into another.
struct CollectiveStep {
  std::size_t from = 0, to = 0;
  CollectiveKind kind = CollectiveKind::all_reduce;
  Index elements = 0;  ///< that each rank gets, gaps between lines among them
};
/// The summand that each rank has made itself and reads where it was made.
struct OwnSummand {
  std::size_t buffer = 0;
  std::vector<Index> first{};        ///< its first element in the buffer, of each rank
  std::vector<std::size_t> place{};  ///< which of the summands it is, of each rank
};
/// Summands are added in their order and become what the epilogue makes of their sum.
struct SumStep {
  std::size_t kernel = 0;
  std::vector<std::size_t> summands{};
  std::optional<std::size_t> c{};
  std::size_t d = 0;
  std::optional<OwnSummand> own{};
  std::vector<StepInput> inputs{};  ///< in the kernel's order, behind the summands
};

struct DistributedStep {
  std::string name;
  Lane lane = Lane::compute;
  std::vector<std::size_t> after{};  ///< steps that it waits for, all ahead of it
  std::variant<ProductStep, ExchangeStep, CollectiveStep, SumStep> body{};
  double us = 0;  ///< that it is expected to take
};

/// A way that was looked at.
struct ConsideredShare {
  Share share{};
  double us = 0;          ///< by rates of the chip and its links alone
  Index bytes = 0;        ///< that leave a rank for another, of all
  Index least_bytes = 0;  ///< that no plan of this share does without
  Index memory = 0;       ///< of the rank that needs the most
};

struct DistributedPlan {
  DistributedProblem problem{};  ///< completed; its share is the one that was chosen
  DeviceInfo device{};
  std::vector<RankBuffer> buffers{};
  std::vector<Plan> kernels{};
  std::vector<DistributedStep> steps{};       ///< every rank does them in this order
  std::vector<ConsideredShare> considered{};  ///< the chosen one first
};

/// Chooses a share unless the problem names one, plans the kernels of all ranks, and lets lanes
/// overlap where that is expected to be faster.
///   throws  what completed(), distribution() and make_plan throw; illegal_config: no share serves,
///           or check() has something to say
[[nodiscard]] DistributedPlan make_plan(const DistributedProblem& problem, const DeviceInfo& device,
                                        const Config& config = {}, const Catalogue& catalogue = {});

/// Every rule that the plan breaks: parcels fit and fill what they are for, once each; steps wait
/// for steps ahead of them; no buffer is read or written while another step writes it; in a round a
/// rank has one partner; what is read in place is one piece there, which nobody writes any more;
/// what is stored by its products is what one of them makes for one rank;
/// rows that a kernel waits for come by an exchange that is asked for first; memory fits.
[[nodiscard]] std::vector<std::string> broken_rules(const DistributedPlan& plan);

/// Bytes that a step moves from rank to rank: sender + ranks * receiver. Zeros of what moves none;
/// of sums that the transport adds those of a ring.
[[nodiscard]] std::vector<Index> bytes_by_pair(const DistributedPlan& plan, std::size_t step);
/// Bytes of all steps and pairs.
[[nodiscard]] Index moved_bytes(const DistributedPlan& plan);
/// Memory of the rank that needs the most, callers' matrices among it.
[[nodiscard]] Index memory_bytes(const DistributedPlan& plan);
/// Where a row and column of a rank's part lies in a buffer, in elements.
[[nodiscard]] Index element_at(const RankBuffer& buffer, Index row, Index column);
/// Where a slice of a result begins in it on one rank, or in an input, which may have one row or
/// one column for all.
[[nodiscard]] Index slice_at(const RankBuffer& buffer, const ProductSlice& slice, Index rank);
/// Elements of a part, on one rank.
[[nodiscard]] std::array<Index, 2> part_extents(const Mesh& mesh, const Distribution& part,
                                                Index rank);
/// Rows, columns and k of what a rank multiplies or adds in a step; of sums no k.
struct StepSizes {
  Index m = 0, n = 0, k = 0;
  bool operator==(const StepSizes&) const = default;
};
[[nodiscard]] StepSizes sizes_of(const DistributedPlan& plan, const ProductStep& product,
                                 Index rank);
[[nodiscard]] StepSizes sizes_of(const DistributedPlan& plan, const SumStep& sum, Index rank);
/// Pieces of arriving rows in the order in which one rank's kernel multiplies them: the own ones,
/// then of each round's sender the first, the second, …; and who brings each, by pieces.
struct PieceOrder {
  std::vector<std::int32_t> order{}, senders{};
};
[[nodiscard]] PieceOrder piece_order(const DistributedPlan& plan, const ProductStep& product,
                                     Index rank);
/// The parcel that a product makes on one rank, of the exchange behind it, and that its kernel
/// stores; null: nothing, or not one parcel.
[[nodiscard]] const Parcel* stored_parcel(const ExchangeStep& exchange, const ProductStep& product,
                                          Index rank);

/// When a step runs: of each lane one after the other, and none before what it waits for.
struct StepTime {
  double begin_us = 0, end_us = 0;
};
[[nodiscard]] std::vector<StepTime> timeline(const DistributedPlan& plan);
/// Time of a rank's thread, which starts all steps: as much at least lies from run to run.
[[nodiscard]] double host_us(const DistributedPlan& plan);
/// When the last step ends, or the thread that starts them where that is later.
[[nodiscard]] double expected_us(const DistributedPlan& plan);

/// sum_order of the kernels of its products, each once. Plans of one problem, share, wire and
/// reduction leave the same bits where both have one, and the same.
[[nodiscard]] std::vector<std::string> sum_orders(const DistributedPlan& plan);

/// A plan in three sentences: what runs, what it is expected to take, and why it is this.
struct Sentences {
  std::string runs, expected, why;
};
[[nodiscard]] Sentences summary(const DistributedPlan& plan);
[[nodiscard]] Fields fields(const Sentences& sentences);
/// Three lines.
[[nodiscard]] std::string to_string(const Sentences& sentences);

/// Problem, share, bytes with their bound, buffers, steps with bytes by pair, timeline, kernels.
[[nodiscard]] Fields fields(const DistributedPlan& plan);
[[nodiscard]] std::string to_string(const DistributedPlan& plan);

}  // namespace jute
