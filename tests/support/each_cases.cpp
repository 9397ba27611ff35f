// Draws sizes, orders, steps and promises; judges each group by the plain product's reference.
#include "support/each_cases.hpp"

#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <random>

#include "support/scaled_problem.hpp"

namespace jute::test {
namespace {

class EachDraw {
 public:
  explicit EachDraw(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15ull + 5) {}
  Index below(Index count) {
    return static_cast<Index>(engine_() % static_cast<std::uint64_t>(std::max<Index>(count, 1)));
  }
  bool one_in(Index count) { return below(count) == 0; }
  Index extent(Index most) {
    constexpr Index kOdd[] = {0, 1, 2, 7, 17, 33, 64, 97};
    return one_in(2) ? std::min(most, kOdd[below(std::size(kOdd))]) : below(most + 1);
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<std::byte> poison_of_d(const Problem& problem) {
  return std::vector<std::byte>(static_cast<size_t>(operand_bytes(problem)[TensorRole::d]),
                                std::byte{0xff});
}

/// Whole numbers are right to the last bit.
Reference reference_of(const OwnGroup& group, double roundoff) {
  const GemmCase& one = group.one;
  const Problem& problem = group.problem;
  const CaseData& data = group.data;
  HostOperands operands{data.a, data.b, data.c};
  using enum TensorRole;
  operands.memory[scale_a] = data.scale_a, operands.memory[zero_a] = data.zero_a;
  operands.memory[scale_b] = data.scale_b, operands.memory[zero_b] = data.zero_b;
  for (size_t i = 0; i < data.inputs.size(); ++i)
    operands.memory[input_role(static_cast<int>(i))] = data.inputs[i];
  operands.input_values = data.input_values;
  if (problem.epilogue)
    return reference_outputs(problem, operands, one.alpha, one.beta, roundoff).front();
  Reference exact = reference_gemm(problem, operands, one.alpha, one.beta, roundoff);
  if (one.fill == Fill::integers)
    for (size_t i = 0; i < exact.value.size(); ++i) {
      exact.value[i] = decode(problem.d.type, encode(problem.d.type, exact.value[i]));
      exact.bound[i] = 0;
    }
  return exact;
}

int alignment_of_numbers(const std::optional<BlockValues>& numbers) {
  return numbers ? numbers->alignment_bytes : 1;
}

Index padded_ld(EachDraw& draw, Index inner, Index multiple) {
  const Index padding = draw.one_in(2) ? draw.below(9) : 0;
  return (std::max<Index>(inner, 1) + padding + multiple - 1) / multiple * multiple;
}

}  // namespace

EachBuffer::EachBuffer(Backend& backend, const std::vector<std::byte>& payload, int alignment)
    : front(static_cast<size_t>(256 + alignment)), size(payload.size()) {
  image.assign(front + size + 256, std::byte{0xff});
  std::copy(payload.begin(), payload.end(), image.begin() + static_cast<std::ptrdiff_t>(front));
  buffer = Buffer(backend, static_cast<Index>(image.size()));
  backend.copy_in(buffer.pointer(), image);
}

std::vector<std::byte> EachBuffer::now(Backend& backend) const {
  std::vector<std::byte> bytes(image.size());
  backend.copy_out(bytes, buffer.pointer());
  return bytes;
}

std::vector<std::byte> EachBuffer::payload(const std::vector<std::byte>& all) const {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(front);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

OwnGroup::OwnGroup(Backend& backend, const GemmCase& plain)
    : one(plain),
      problem(completed(plain.problem)),
      data(make_data(plain)),
      a(backend, data.a, problem.a.alignment_bytes),
      b(backend, data.b, problem.b.alignment_bytes),
      c(backend, data.c, problem.c.alignment_bytes),
      d(backend, poison_of_d(problem), problem.d.alignment_bytes),
      scale_a(backend, data.scale_a, alignment_of_numbers(problem.scale_a.scale)),
      zero_a(backend, data.zero_a, alignment_of_numbers(problem.scale_a.zero)),
      scale_b(backend, data.scale_b, alignment_of_numbers(problem.scale_b.scale)),
      zero_b(backend, data.zero_b, alignment_of_numbers(problem.scale_b.zero)) {}

ScaledGroup OwnGroup::entry() const {
  ScaledGroup entry{{.a = a.pointer(),
                     .b = b.pointer(),
                     .c = c.pointer(),
                     .d = d.pointer(),
                     .lda = problem.a.ld_elems,
                     .ldb = problem.b.ld_elems,
                     .ldc = problem.c.ld_elems,
                     .ldd = problem.d.ld_elems,
                     .m = static_cast<std::int32_t>(problem.m),
                     .n = static_cast<std::int32_t>(problem.n),
                     .k = static_cast<std::int32_t>(problem.k)}};
  const auto put = [](const EachBuffer& numbers, const std::optional<BlockValues>& values,
                      std::uint64_t& address, std::int64_t& ld) {
    if (values) address = numbers.pointer(), ld = values->ld_elems;
  };
  put(scale_a, problem.scale_a.scale, entry.scale_a, entry.ld_scale_a);
  put(zero_a, problem.scale_a.zero, entry.zero_a, entry.ld_zero_a);
  put(scale_b, problem.scale_b.scale, entry.scale_b, entry.ld_scale_b);
  put(zero_b, problem.scale_b.zero, entry.zero_b, entry.ld_zero_b);
  if (data.a.empty()) entry.a = 0;
  if (data.b.empty()) entry.b = 0;
  if (d.size == 0) entry.d = 0;
  return entry;
}

std::string OwnGroup::failure(Backend& backend, double roundoff) const {
  for (const EachBuffer* operand : {&a, &b, &c})
    if (operand->now(backend) != operand->image) return "an operand was written";
  const std::vector<std::byte> after = d.now(backend);
  std::vector<bool> is_element(after.size(), false);
  const auto width = static_cast<size_t>(width_bytes(problem.d.type));
  for (Index row = 0; row < problem.m; ++row)
    for (Index col = 0; col < problem.n; ++col) {
      const Index ld = problem.d.ld_elems;
      const Index at = problem.d.order == Order::row ? row * ld + col : col * ld + row;
      for (size_t byte = 0; byte < width; ++byte)
        is_element[d.front + static_cast<size_t>(at) * width + byte] = true;
    }
  for (size_t i = 0; i < after.size(); ++i)
    if (!is_element[i] && after[i] != std::byte{0xff}) return "memory round D was written";
  const Verdict verdict = compare(problem, reference_of(*this, roundoff), d.payload(after));
  return verdict.ok ? "" : to_string(verdict);
}

EachCase each_case(const CaseTypes& types, int index) {
  EachDraw draw(static_cast<std::uint64_t>(index) * 64 + static_cast<std::uint64_t>(types.a));
  EachCase result;
  Problem& problem = result.problem;
  problem.batch = draw.one_in(8) ? 1 + draw.below(40) : 1 + draw.below(6);
  problem.m = 1 + draw.extent(140), problem.n = 1 + draw.extent(140), problem.k = draw.extent(140);
  problem.accumulate = types.accumulate;
  const std::pair<Matrix*, DType> matrices[] = {
      {&problem.a, types.a}, {&problem.b, types.b}, {&problem.c, types.c}, {&problem.d, types.d}};
  for (const auto& [matrix, type] : matrices) {
    matrix->type = type;
    matrix->order = draw.one_in(2) ? Order::row : Order::col;
    if (draw.one_in(2)) matrix->alignment_bytes = width_bytes(type);
  }
  problem.alpha = draw.one_in(2) ? Factor::one : Factor::run_time;
  if (problem.alpha == Factor::run_time) result.alpha = 2;
  result.beta = draw.one_in(3) ? 1 : 0;
  const bool has_epilogue = types.accumulate == DType::f32 && draw.one_in(3);
  if (has_epilogue)
    problem.epilogue =
        Epilogue{.expression = parse_epilogue("relu(s[batch]*acc + bias[batch,n]) + beta*c")};
  if (has_epilogue) problem.alpha = Factor::one, result.alpha = 1;
  const Fill fill = draw.one_in(3) ? Fill::normal : Fill::integers;
  for (Index group = 0; group < problem.batch; ++group) {
    GemmCase one;
    one.problem = problem;
    one.problem.batch = 1;
    one.problem.m = draw.one_in(4) ? problem.m : std::min(problem.m, draw.extent(problem.m));
    one.problem.n = draw.one_in(4) ? problem.n : std::min(problem.n, draw.extent(problem.n));
    one.problem.k = draw.one_in(4) ? problem.k : std::min(problem.k, draw.extent(problem.k));
    const std::pair<Index, Index> shapes[] = {{one.problem.m, one.problem.k},
                                              {one.problem.k, one.problem.n},
                                              {one.problem.m, one.problem.n},
                                              {one.problem.m, one.problem.n}};
    Matrix* const own[] = {&one.problem.a, &one.problem.b, &one.problem.c, &one.problem.d};
    for (size_t i = 0; i < 4; ++i)
      own[i]->ld_elems =
          padded_ld(draw, own[i]->order == Order::row ? shapes[i].second : shapes[i].first,
                    std::max(1, own[i]->alignment_bytes / width_bytes(own[i]->type)));
    one.alpha = result.alpha, one.beta = result.beta;
    one.fill = fill;
    one.seed = static_cast<std::uint64_t>(1000 * index + group);
    result.groups.push_back(std::move(one));
  }
  problem.groups = Groups{.kind = GroupKind::each, .expected = draw.below(100)};
  return result;
}

EachCase scaled_each_case(int index) {
  EachDraw draw(static_cast<std::uint64_t>(index) + 7700);
  const GemmCase drawn = scaled_case(index);
  EachCase result;
  Problem& problem = result.problem = drawn.problem;
  for (auto* const scale : {&problem.scale_a, &problem.scale_b})
    for (auto* const numbers : {&scale->scale, &scale->zero})
      if (*numbers) (*numbers)->broadcast = false;
  problem.batch = 1 + draw.below(5);
  result.alpha = drawn.alpha, result.beta = drawn.beta;
  for (Index group = 0; group < problem.batch; ++group) {
    GemmCase one = drawn;
    one.problem = problem;
    one.problem.batch = 1;
    one.problem.m = draw.one_in(3) ? problem.m : draw.extent(problem.m);
    one.problem.n = draw.one_in(3) ? problem.n : draw.extent(problem.n);
    one.problem.k = draw.one_in(3) ? problem.k : draw.extent(problem.k);
    const std::pair<Index, Index> shapes[] = {{one.problem.m, one.problem.k},
                                              {one.problem.k, one.problem.n},
                                              {one.problem.m, one.problem.n},
                                              {one.problem.m, one.problem.n}};
    Matrix* const own[] = {&one.problem.a, &one.problem.b, &one.problem.c, &one.problem.d};
    for (size_t i = 0; i < 4; ++i)
      own[i]->ld_elems =
          padded_ld(draw, own[i]->order == Order::row ? shapes[i].second : shapes[i].first,
                    std::max(1, own[i]->alignment_bytes * 8 / width_bits(own[i]->type)));
    one.seed = static_cast<std::uint64_t>(1000 * index + group);
    result.groups.push_back(std::move(one));
  }
  problem.groups = Groups{.kind = GroupKind::each, .expected = draw.below(100)};
  return result;
}

EachRun::EachRun(Context& owner, const Problem& asked, const std::vector<GemmCase>& cases,
                 const Config& config)
    : context(owner),
      problem(completed(asked)),
      gemm(prepare(context, asked, config)),
      workspace(context.backend(), gemm.workspace_bytes()) {
  context.backend().fill(workspace.pointer(), 0xff, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  for (const GemmCase& one : cases) groups.emplace_back(context.backend(), one);
  for (const OwnGroup& group : groups) list.push_back(group.entry());
}

void EachRun::run(double alpha, double beta) {
  Backend& backend = context.backend();
  const auto of_entry = static_cast<size_t>(entry_bytes(*problem.groups));
  std::vector<std::byte> bytes;
  for (const ScaledGroup& entry : list) {
    const auto all = std::as_bytes(std::span(&entry, 1));
    bytes.insert(bytes.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(of_entry));
  }
  const Buffer ends(backend, static_cast<Index>(bytes.size()));
  backend.copy_in(ends.pointer(), bytes);
  GemmArgs args{.workspace = workspace.pointer(), .alpha = alpha, .beta = beta};
  args.ends = ends.pointer();
  const std::vector<Buffer> inputs = bring_inputs(args);
  gemm.run(args);
  backend.synchronize();
}
double EachRun::roundoff() const { return sum_roundoff(gemm_step(gemm.plan()), problem.k); }

std::string EachRun::failures() const {
  std::string text;
  if (const auto entry = fault()) text += "entry " + std::to_string(*entry) + " is wrong\n";
  for (size_t group = 0; group < groups.size(); ++group)
    if (const std::string failure = groups[group].failure(context.backend(), roundoff());
        !failure.empty())
      text += "group " + std::to_string(group) + ", " + to_string(groups[group].problem) + ": " +
              failure + "\n";
  return text;
}

/// A value, or a row of values, for each group: as those have them alone.
std::vector<Buffer> EachRun::bring_inputs(GemmArgs& args) const {
  std::vector<Buffer> buffers;
  if (!problem.epilogue) return buffers;
  for (size_t i = 0; i < problem.epilogue->inputs.size(); ++i) {
    const Index bytes = operand_bytes(problem)[input_role(static_cast<int>(i))];
    std::vector<std::byte> all(static_cast<size_t>(bytes), std::byte{0xff});
    const EpilogueOperand& input = problem.epilogue->inputs[i];
    for (size_t group = 0; group < groups.size(); ++group)
      std::ranges::copy(groups[group].data.inputs[i],
                        all.begin() + static_cast<std::ptrdiff_t>(group) *
                                          input.batch_stride_elems * width_bytes(input.type));
    buffers.emplace_back(context.backend(), bytes);
    if (!all.empty()) context.backend().copy_in(buffers.back().pointer(), all);
    args.inputs[i].base = buffers.back().pointer();
  }
  return buffers;
}

}  // namespace jute::test
