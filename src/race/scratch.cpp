// Random operands, lists and scales, as often as a cache must not hold them.
#include "race/scratch.hpp"

#include <jute/host/operands.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute::race {
namespace {

constexpr Index kLine = 256;                     // each operand begins one
constexpr Index kCycleBytes = Index{256} << 20;  // of all sets, beyond any L2 cache
constexpr Index kMostSets = 1024;
constexpr Index kBlockBytes = Index{4} << 20;  // that is drawn, and repeated over an operand

double beta_of(const Problem& problem) { return problem.beta == Factor::one ? 1.0 : 0.0; }

Index bytes_of_list(const std::vector<Index>& entries, GroupIndex index) {
  return static_cast<Index>(bytes_of(entries, index).size());
}

}  // namespace

Scratch::Part Scratch::add(Index bytes) {
  const Part part{set_bytes_, bytes};
  set_bytes_ += (bytes + kLine - 1) / kLine * kLine;
  return part;
}

Scratch::Scratch(Backend& backend, const Problem& problem, Index most_bytes)
    : backend_(backend), problem_(problem) {
  const OperandBytes bytes = operand_bytes(problem);
  a_ = add(bytes.a), b_ = add(bytes.b), d_ = add(bytes.d);
  c_ = add(reads_c(problem, beta_of(problem)) ? bytes.c : 0);
  scale_a_ = add(bytes.scale_a), scale_b_ = add(bytes.scale_b);
  zero_a_ = add(bytes.zero_a), zero_b_ = add(bytes.zero_b);
  for (const Index one : bytes.inputs) inputs_.push_back(add(one));
  for (const Index one : bytes.outputs) outputs_.push_back(add(one));
  if (problem.groups) list_ = add(bytes_of_list(usual_groups(problem), problem.groups->index));
  for (const auto& [part, matrix, role] : {std::tuple(&rows_a_, &problem.a, TensorRole::a),
                                           std::tuple(&rows_d_, &problem.d, TensorRole::d)})
    if (matrix->rows) *part = add(bytes_of_list(spread_rows(problem, role), matrix->rows->index));
  if (set_bytes_ > most_bytes)
    throw Exception({.code = ErrorCode::out_of_memory,
                     .operand = "race",
                     .value = base::format("{} bytes of operands", set_bytes_),
                     .violated_rules = {"operands and workspace must take at most half of the "
                                        "device's free memory"},
                     .nearest_legal = std::to_string(std::max<Index>(most_bytes, 0))});
  set_bytes_ = std::max(set_bytes_, kLine);
  const Index wanted = (kCycleBytes + set_bytes_ - 1) / set_bytes_;
  sets_ =
      static_cast<int>(std::clamp<Index>(std::min(wanted, most_bytes / set_bytes_), 1, kMostSets));
  memory_ = Buffer(backend, set_bytes_ * sets_);
  fill();
}

DevicePointer Scratch::at(const Part& part, int set) const {
  return part.bytes == 0
             ? 0
             : memory_.pointer() + static_cast<DevicePointer>(set * set_bytes_ + part.offset);
}

/// The block again and again, over one operand of one set.
void Scratch::put(const Part& part, int set, std::span<const std::byte> block) const {
  for (Index done = 0; done < part.bytes;) {
    const auto bytes = std::min(part.bytes - done, static_cast<Index>(block.size()));
    backend_.copy_in(at(part, set) + static_cast<DevicePointer>(done),
                     block.first(static_cast<std::size_t>(bytes)));
    done += bytes;
  }
}

void Scratch::fill() {
  std::uint64_t seed = 1;
  const auto put_all = [&](const Part& part, std::span<const std::byte> block) {
    for (int set = 0; part.bytes > 0 && set < sets_; ++set) put(part, set, block);
  };
  const auto draw = [&](const Part& part, DType type) {
    put_all(part,
            random_bytes(type, std::min(part.bytes, kBlockBytes), seed++, RandomKind::normal));
  };
  draw(a_, problem_.a.type), draw(b_, problem_.b.type), draw(c_, problem_.c.type);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    draw(inputs_[i], problem_.epilogue->inputs[i].type);
  const ScaleData scales = random_scales(problem_, seed, RandomKind::normal);
  put_all(scale_a_, scales.scale_a), put_all(scale_b_, scales.scale_b);
  put_all(zero_a_, scales.zero_a), put_all(zero_b_, scales.zero_b);
  if (problem_.groups) put_all(list_, bytes_of(usual_groups(problem_), problem_.groups->index));
  if (problem_.a.rows)
    put_all(rows_a_, bytes_of(spread_rows(problem_, TensorRole::a), problem_.a.rows->index));
  if (problem_.d.rows)
    put_all(rows_d_, bytes_of(spread_rows(problem_, TensorRole::d), problem_.d.rows->index));
  for (int set = 0; set < sets_; ++set) {
    backend_.fill(at(d_, set), 0, d_.bytes);
    for (const Part& output : outputs_) backend_.fill(at(output, set), 0, output.bytes);
  }
  backend_.synchronize();
}

GemmArgs Scratch::args(int launch) const {
  const int set = launch % sets_;
  GemmArgs args{.a = at(a_, set), .b = at(b_, set), .c = at(c_, set), .d = at(d_, set)};
  if (args.c == 0) args.c = args.d;
  args.scale_a = at(scale_a_, set), args.scale_b = at(scale_b_, set);
  args.zero_a = at(zero_a_, set), args.zero_b = at(zero_b_, set);
  args.ends = at(list_, set), args.rows_a = at(rows_a_, set), args.rows_d = at(rows_d_, set);
  args.beta = beta_of(problem_);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    constexpr double kNumber = 0.5;
    args.inputs[i] = {.base = at(inputs_[i], set), .value = kNumber};
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) args.outputs[i].base = at(outputs_[i], set);
  return args;
}

}  // namespace jute::race
