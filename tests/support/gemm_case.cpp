// One GEMM through a back end, with everything around it watched.
#include "support/gemm_case.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/format.hpp"
#include "gemm/operands.hpp"
#include "support/grouped_cases.hpp"

namespace jute::test {
namespace {

/// Every element type reads a run of these bytes as NaN or as -1.
constexpr std::byte kPoison{0xff};

/// Largest whole number drawn: small enough that a float16 accumulator stays exact.
int largest_integer(const Problem& problem) {
  return problem.accumulate == DType::f16 || problem.k > 1000 ? 1 : 4;
}

double special_value(std::mt19937_64& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double values[] = {kInfinity, -kInfinity, std::nan(""), 0.0, -0.0};
  return values[random() % 5];
}

class ValueSource {
 public:
  ValueSource(const GemmCase& gemm_case, std::uint64_t operand)
      : fill_(gemm_case.fill),
        largest_(largest_integer(gemm_case.problem)),
        random_(gemm_case.seed * 4 + operand) {}

  double next(DType type) {
    if (fill_ == Fill::integers) {
      const auto whole = static_cast<int>(random_() % static_cast<std::uint64_t>(2 * largest_ + 1));
      return type == DType::u8 || type == DType::u4 ? whole : whole - largest_;
    }
    if (width_bits(type) == 4) return 4 * normal_(random_);
    if (fill_ == Fill::special && random_() % 97 == 0) return special_value(random_);
    return normal_(random_);
  }
  /// Scales are positive, of whole numbers powers of two; zero points are small whole numbers.
  double next_scale() {
    const double power = std::ldexp(1.0, -static_cast<int>(random_() % 3));
    return fill_ == Fill::integers ? power : power * (1 + static_cast<double>(random_() % 97) / 97);
  }
  double next_zero() { return static_cast<double>(random_() % 4); }

 private:
  Fill fill_;
  int largest_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

void put(std::vector<std::byte>& memory, DType type, Index element, double value) {
  const std::uint64_t bits = encode(type, value);
  const auto width = static_cast<size_t>(width_bytes(type));
  if (width_bits(type) == 4) {
    const int shift = element % 2 == 0 ? 0 : 4;
    std::byte& both = memory[static_cast<size_t>(element / 2)];
    both = (both & ~(std::byte{0xf} << shift)) | static_cast<std::byte>(bits << shift);
    return;
  }
  std::memcpy(memory.data() + static_cast<size_t>(element) * width, &bits, width);
}

/// -1: a View has zero in its place.
Index element_of(const Matrix& matrix, Index batch, Index row, Index col,
                 gemm::Viewing viewing = gemm::Viewing::as_matrix) {
  if (matrix.view) {
    if (viewing == gemm::Viewing::turned) std::swap(row, col);
    return modes_of(*matrix.view).element(row, col, batch).value_or(-1);
  }
  const Index base = matrix.broadcast ? 0 : batch * matrix.batch_stride_elems;
  return base +
         (matrix.order == Order::row ? row * matrix.ld_elems + col : col * matrix.ld_elems + row);
}

struct Extents {
  Index rows, cols, batch;
};
Extents extents_at(const Problem& problem, TensorRole role) {
  const MatrixExtents extents = extents_of(problem, role);
  return {extents.rows, extents.cols, extents.batch};
}

/// Elements of which `is_there` says no stay poison.
template <class IsThere>
std::vector<std::byte> filled(const Matrix& matrix, Extents extents, Index bytes,
                              ValueSource source, gemm::Viewing viewing, const IsThere& is_there) {
  std::vector<std::byte> memory(static_cast<size_t>(bytes), kPoison);
  if (bytes == 0) return memory;
  if (matrix.broadcast) extents.batch = std::min<Index>(extents.batch, 1);
  for (Index batch = 0; batch < extents.batch; ++batch)
    for (Index row = 0; row < extents.rows; ++row)
      for (Index col = 0; col < extents.cols; ++col)
        if (const Index at = element_of(matrix, batch, row, col, viewing);
            at >= 0 && is_there(batch, row, col))
          put(memory, matrix.type, at, source.next(matrix.type));
  return memory;
}

std::vector<std::byte> filled(const Matrix& matrix, const Extents& extents, Index bytes,
                              const ValueSource& source,
                              gemm::Viewing viewing = gemm::Viewing::as_matrix) {
  return filled(matrix, extents, bytes, source, viewing, [](Index, Index, Index) { return true; });
}

/// Numbers of an operand's blocks; nothing where it has none.
template <class Next>
std::vector<std::byte> block_numbers(const Problem& problem, TensorRole role, Index bytes,
                                     const Next& next) {
  std::vector<std::byte> memory(static_cast<size_t>(bytes), kPoison);
  const Matrix* const numbers = matrix_of(problem, role);
  if (numbers == nullptr || bytes == 0) return memory;
  const MatrixExtents extents = extents_of(problem, role);
  for (Index batch = 0; batch < (numbers->broadcast ? 1 : extents.batch); ++batch)
    for (Index row = 0; row < extents.rows; ++row)
      for (Index col = 0; col < extents.cols; ++col)
        put(memory, numbers->type, element_of(*numbers, batch, row, col), next());
  return memory;
}

/// Device memory with an operand in it: guard, payload, guard.
class GuardedBuffer {
 public:
  GuardedBuffer(Backend& backend, const Matrix& matrix, std::vector<std::byte> payload,
                int guard_bytes)
      : payload_bytes_(payload.size()) {
    // One element past a more aligned address: aligned to what was promised and to no more.
    front_ = guard_bytes == 0 ? 0 : static_cast<size_t>(guard_bytes + matrix.alignment_bytes);
    image_.assign(front_ + payload.size() + static_cast<size_t>(guard_bytes), kPoison);
    std::copy(payload.begin(), payload.end(), image_.begin() + static_cast<std::ptrdiff_t>(front_));
    buffer_ = Buffer(backend, static_cast<Index>(image_.size()));
    if (!image_.empty()) backend.copy_in(buffer_.pointer(), image_);
  }

  [[nodiscard]] DevicePointer pointer() const { return buffer_.pointer() + front_; }
  /// What lies there now, guards included.
  [[nodiscard]] std::vector<std::byte> read(Backend& backend) const {
    std::vector<std::byte> now(image_.size());
    if (!now.empty()) backend.copy_out(now, buffer_.pointer());
    return now;
  }
  [[nodiscard]] const std::vector<std::byte>& image() const { return image_; }
  [[nodiscard]] std::vector<std::byte> payload(const std::vector<std::byte>& image) const {
    const auto first = image.begin() + static_cast<std::ptrdiff_t>(front_);
    return {first, first + static_cast<std::ptrdiff_t>(payload_bytes_)};
  }
  [[nodiscard]] size_t front() const { return front_; }

 private:
  size_t payload_bytes_;
  size_t front_ = 0;
  std::vector<std::byte> image_;
  Buffer buffer_;
};

/// Bytes that differ, `changed` at most at the places that D's elements take.
template <class IsThere>
std::string first_stray_byte(const GuardedBuffer& buffer, const std::vector<std::byte>& now,
                             const Matrix& matrix, const Extents& extents,
                             const IsThere& is_there) {
  std::vector<bool> is_element(now.size(), false);
  const auto width = static_cast<size_t>(width_bytes(matrix.type));
  for (Index batch = 0; batch < extents.batch; ++batch)
    for (Index row = 0; row < extents.rows; ++row)
      for (Index col = 0; col < extents.cols; ++col) {
        if (!is_there(batch, row, col)) continue;
        const size_t at =
            buffer.front() + static_cast<size_t>(element_of(matrix, batch, row, col)) * width;
        for (size_t byte = 0; byte < width; ++byte) is_element[at + byte] = true;
      }
  for (size_t i = 0; i < now.size(); ++i)
    if (!is_element[i] && now[i] != kPoison)
      return base::format("byte {} round an output's elements was written",
                          static_cast<Index>(i) - static_cast<Index>(buffer.front()));
  return {};
}

std::string first_stray_byte(const GuardedBuffer& buffer, const std::vector<std::byte>& now,
                             const Matrix& matrix, const Extents& extents) {
  return first_stray_byte(buffer, now, matrix, extents, [](Index, Index, Index) { return true; });
}

void check_unchanged(std::vector<std::string>& failures, const char* what, Backend& backend,
                     const GuardedBuffer& buffer) {
  if (buffer.read(backend) != buffer.image())
    failures.push_back(base::format("{} was written", what));
}

double usual_roundoff(const Problem& problem) {
  const DType multiplied = multiplied_type(problem);
  const bool by_thread = multiplied == DType::f32 || multiplied == DType::f64;
  return accumulator_roundoff(*problem.accumulate,
                              by_thread ? ProductUnit::thread : ProductUnit::tensor_core);
}

HostOperands host_operands(const CaseData& data) {
  HostOperands operands{data.a, data.b, data.c};
  for (size_t i = 0; i < data.inputs.size(); ++i)
    operands.memory[input_role(static_cast<int>(i))] = data.inputs[i];
  operands.input_values = data.input_values;
  operands.ends = data.ends;
  operands.rows_a = data.rows_a;
  operands.rows_d = data.rows_d;
  using enum TensorRole;
  operands.memory[d] = data.d;
  operands.memory[scale_a] = data.scale_a;
  operands.memory[scale_b] = data.scale_b;
  operands.memory[zero_a] = data.zero_a;
  operands.memory[zero_b] = data.zero_b;
  return operands;
}

/// Numbers of the operands' blocks on the device.
struct BlockBuffers {
  BlockBuffers(Backend& backend, const Problem& problem, const CaseData& data, int guard) {
    const auto add = [&](const std::optional<BlockValues>& numbers,
                         const std::vector<std::byte>& bytes, DevicePointer GemmArgs::*place) {
      if (!numbers) return;
      buffers.emplace_back(backend, *numbers, bytes, guard);
      places.push_back(place);
    };
    add(problem.scale_a.scale, data.scale_a, &GemmArgs::scale_a);
    add(problem.scale_b.scale, data.scale_b, &GemmArgs::scale_b);
    add(problem.scale_a.zero, data.zero_a, &GemmArgs::zero_a);
    add(problem.scale_b.zero, data.zero_b, &GemmArgs::zero_b);
  }
  void put_into(GemmArgs& args) const {
    for (size_t i = 0; i < buffers.size(); ++i) args.*places[i] = buffers[i].pointer();
  }

  std::vector<GuardedBuffer> buffers;
  std::vector<DevicePointer GemmArgs::*> places;
};

/// The inputs and outputs of an epilogue on the device; empty buffers for what has no memory.
struct EpilogueBuffers {
  EpilogueBuffers(Backend& backend, const Problem& problem, const CaseData& data, int guard) {
    if (!problem.epilogue) return;
    const Epilogue& epilogue = *problem.epilogue;
    for (size_t i = 0; i < data.inputs.size(); ++i)
      inputs.emplace_back(backend, epilogue.inputs[i], data.inputs[i], guard);
    const OperandBytes bytes = operand_bytes(problem);
    for (size_t i = 0; i < epilogue.outputs.size(); ++i)
      outputs.emplace_back(
          backend, epilogue.outputs[i],
          std::vector<std::byte>(static_cast<size_t>(bytes[output_role(static_cast<int>(i))]),
                                 kPoison),
          guard);
  }

  void put_into(GemmArgs& args, const CaseData& data) const {
    for (size_t i = 0; i < inputs.size(); ++i) {
      args.inputs[i].base = inputs[i].pointer();
      args.inputs[i].value = data.input_values[i];
    }
    for (size_t i = 0; i < outputs.size(); ++i) args.outputs[i].base = outputs[i].pointer();
  }

  /// What was written, and that nothing else was.
  void bring_back(Backend& backend, const Problem& problem, CaseOutcome& outcome) const {
    for (const GuardedBuffer& input : inputs)
      check_unchanged(outcome.failures, "an input or what surrounds it", backend, input);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::vector<std::byte> after = outputs[i].read(backend);
      outcome.outputs.push_back(outputs[i].payload(after));
      if (outcome.outputs.back().empty()) continue;
      const std::string stray =
          first_stray_byte(outputs[i], after, problem.epilogue->outputs[i],
                           extents_at(problem, output_role(static_cast<int>(i))));
      if (!stray.empty() && !is_d(problem.epilogue->expression.outputs[i]))
        outcome.failures.push_back(stray);
    }
  }

  std::vector<GuardedBuffer> inputs, outputs;
};

/// A list of integers as the problem says that the device has it.
std::vector<std::byte> list_of(GroupIndex index, const std::vector<Index>& ends) {
  std::vector<std::byte> list;
  const size_t width = index == GroupIndex::i64 ? 8 : 4;
  for (const Index end : ends) {
    std::byte bytes[sizeof end];
    std::memcpy(bytes, &end, sizeof end);  // the low half first, on every machine that this is for
    list.insert(list.end(), bytes, bytes + width);
  }
  return list;
}

/// The reference with the bound of a kernel that keeps fewer bits of its sums than usual.
Reference reference_for(const GemmCase& gemm_case, const Problem& problem, const CaseData& data,
                        double roundoff) {
  if (roundoff <= usual_roundoff(problem)) return data.reference;
  return reference_gemm(problem, host_operands(data), gemm_case.alpha, gemm_case.beta, roundoff);
}

/// Every output by its bound.
void judge_outputs(CaseOutcome& outcome, const GemmCase& gemm_case, const Problem& problem,
                   const CaseData& data, double roundoff) {
  const std::vector<Reference> references =
      roundoff <= usual_roundoff(problem)
          ? data.outputs
          : reference_outputs(problem, host_operands(data), gemm_case.alpha, gemm_case.beta,
                              roundoff);
  for (size_t i = 0; i < references.size(); ++i) {
    const bool of_d = is_d(problem.epilogue->expression.outputs[i]);
    const Verdict verdict = of_d ? compare(problem, references[i], outcome.d)
                                 : compare_output(problem, i, references[i], outcome.outputs[i]);
    if (of_d) outcome.verdict = verdict;
    if (!verdict.ok)
      outcome.failures.push_back(problem.epilogue->expression.outputs[i].name + ": " +
                                 to_string(verdict));
  }
}

void judge(CaseOutcome& outcome, const GemmCase& gemm_case, const Problem& problem,
           const CaseData& data, double roundoff) {
  if (problem.epilogue) {
    judge_outputs(outcome, gemm_case, problem, data, roundoff);
    return;
  }
  Reference exact = reference_for(gemm_case, problem, data, roundoff);
  if (gemm_case.fill == Fill::integers) {
    // One rounding at most: D must be the reference, rounded.
    for (size_t i = 0; i < exact.value.size(); ++i) {
      if (std::isinf(exact.bound[i]) && (problem.groups || problem.d.rows)) continue;  // nobody's
      exact.value[i] = decode(problem.d.type, encode(problem.d.type, exact.value[i]));
      exact.bound[i] = 0.0;
    }
  }
  outcome.verdict = compare(problem, exact, outcome.d);
  if (!outcome.verdict.ok) outcome.failures.push_back(to_string(outcome.verdict));
}

/// The numbers of the run's Views.
void put_views(GemmArgs& args, const Problem& problem) {
  const auto given = [](const Matrix& matrix) {
    return matrix.view && matrix.view->numbers == ViewNumbers::run_time ? &*matrix.view : nullptr;
  };
  args.view_a = given(problem.a);
  args.view_b = given(problem.b);
  args.view_c = given(problem.c);
  args.view_d = given(problem.d);
}

/// Does a row of the product that a table puts at this row of memory satisfy the condition?
/// Without a table it is the row itself.
template <class Condition>
bool any_row_at(const std::vector<Index>& table, const Matrix& matrix, Index memory_row,
                Condition holds) {
  if (!matrix.rows) return holds(memory_row);
  for (size_t row = 0; row < table.size(); ++row)
    if (table[row] == memory_row && holds(static_cast<Index>(row))) return true;
  return false;
}

/// Entries that are neither rows of memory nor -1 leave a fault, others none.
void check_faults_of_rows(std::vector<std::string>& failures, const GemmCase& gemm_case,
                          const Problem& problem, const Gemm& gemm, DevicePointer workspace) {
  struct Table {
    TensorRole role;
    const Matrix& matrix;
    const std::vector<Index>& entries;
  };
  for (const auto& [role, matrix, entries] : {Table{TensorRole::a, problem.a, gemm_case.rows_a},
                                              Table{TensorRole::d, problem.d, gemm_case.rows_d}}) {
    const auto is_wrong = [&](Index row) {
      const Index at = entries[static_cast<size_t>(row)];
      return (at < -1 || at >= rows_in_memory(matrix, problem.m)) && problem.n > 0 &&
             problem.batch > 0 && (!problem.groups || is_computed(gemm_case, 0, row, 0));
    };
    bool has_wrong = false;
    for (size_t row = 0; row < entries.size(); ++row)
      has_wrong |= is_wrong(static_cast<Index>(row));
    const std::optional<Index> fault = gemm.row_fault(role, workspace);
    if (fault.has_value() != has_wrong || (fault && !is_wrong(*fault)))
      failures.push_back(base::format("table of {}: fault {}", name(role), fault.value_or(-1)));
  }
}

/// Gives the roundoff of the sums of the kernel that ran.
double run(Context& context, const GemmCase& gemm_case, const Problem& problem,
           const CaseData& data, CaseOutcome& outcome) {
  Backend& backend = context.backend();
  const Gemm gemm =
      prepare(context, gemm_case.prepared.value_or(gemm_case.problem), gemm_case.config);
  const int guard = gemm_case.guard_bytes;
  const GuardedBuffer a(backend, problem.a, data.a, guard);
  const GuardedBuffer b(backend, problem.b, data.b, guard);
  const GuardedBuffer c(backend, problem.c, data.c, guard);
  const auto d_bytes = static_cast<size_t>(operand_bytes(problem)[TensorRole::d]);
  const GuardedBuffer d(backend, problem.d,
                        data.d.empty() ? std::vector<std::byte>(d_bytes, kPoison) : data.d, guard);
  const Buffer workspace(backend, gemm.workspace_bytes());
  backend.fill(workspace.pointer(), static_cast<std::uint8_t>(kPoison), gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  GemmArgs args;
  args.a = a.pointer();
  args.b = b.pointer();
  args.c = c_read(problem) == CRead::never ? 0 : c.pointer();
  args.d = d.pointer();
  args.workspace = workspace.pointer();
  args.alpha = gemm_case.alpha;
  args.beta = gemm_case.beta;
  if (gemm_case.prepared) put_views(args, problem);
  const EpilogueBuffers epilogue(backend, problem, data, guard);
  epilogue.put_into(args, data);
  Matrix list;
  list.alignment_bytes = 8;
  const GuardedBuffer ends(backend, list,
                           list_of(problem.groups.value_or(Groups{}).index, data.ends), guard);
  args.ends = ends.pointer();
  const GuardedBuffer rows_a(
      backend, list, list_of(problem.a.rows.value_or(RowTable{}).index, data.rows_a), guard);
  const GuardedBuffer rows_d(
      backend, list, list_of(problem.d.rows.value_or(RowTable{}).index, data.rows_d), guard);
  args.rows_a = rows_a.pointer();
  args.rows_d = rows_d.pointer();
  const BlockBuffers numbers(backend, problem, data, guard);
  numbers.put_into(args);
  gemm.run(args);
  backend.synchronize();
  if (const auto fault = gemm.group_fault(workspace.pointer()))
    outcome.failures.push_back(base::format("group {} has a wrong entry", *fault));
  check_faults_of_rows(outcome.failures, gemm_case, problem, gemm, workspace.pointer());
  for (const GuardedBuffer* one : {&ends, &rows_a, &rows_d})
    check_unchanged(outcome.failures, "a list or what surrounds it", backend, *one);
  const std::vector<std::byte> after = d.read(backend);
  outcome.d = d.payload(after);
  check_unchanged(outcome.failures, "A or what surrounds it", backend, a);
  check_unchanged(outcome.failures, "B or what surrounds it", backend, b);
  check_unchanged(outcome.failures, "C or what surrounds it", backend, c);
  for (const GuardedBuffer& one : numbers.buffers)
    check_unchanged(outcome.failures, "numbers of blocks or what surrounds them", backend, one);
  epilogue.bring_back(backend, problem, outcome);
  std::vector<std::byte> counters(static_cast<size_t>(gemm.zeroed_bytes()));
  if (!counters.empty()) backend.copy_out(counters, workspace.pointer());
  if (std::ranges::any_of(counters, [](std::byte one) { return one != std::byte{}; }))
    outcome.failures.push_back("what the workspace holds between runs is not zero");
  const Extents of_d{rows_in_memory(problem.d, problem.m), problem.n, gemm::matrices_of_d(problem)};
  const auto is_stored = [&](Index matrix, Index memory_row, Index col) {
    if (!data.d.empty()) return true;  // what nothing is added to is judged, too
    return any_row_at(gemm_case.rows_d, problem.d, memory_row, [&](Index row) {
      return !problem.groups || is_computed(gemm_case, matrix, row, col);
    });
  };
  const std::string stray = problem.groups || problem.d.rows
                                ? first_stray_byte(d, after, problem.d, of_d, is_stored)
                                : first_stray_byte(d, after, problem.d, of_d);
  if (!stray.empty()) outcome.failures.push_back(stray);
  return sum_roundoff(gemm_step(gemm.plan()), problem.k);
}

}  // namespace

CaseData make_data(const GemmCase& gemm_case) {
  const Problem problem = completed(gemm_case.problem);
  const OperandBytes bytes = operand_bytes(problem);
  CaseData data;
  data.ends = gemm_case.ends;
  data.rows_a = gemm_case.rows_a;
  data.rows_d = gemm_case.rows_d;
  // What no group reads is poison.
  const auto is_of_a = [&](Index matrix, Index memory_row, Index k) {
    return any_row_at(gemm_case.rows_a, problem.a, memory_row, [&](Index row) {
      return !problem.groups || is_read(gemm_case, true, matrix, row, k);
    });
  };
  const auto is_of_b = [&](Index matrix, Index k, Index col) {
    return !problem.groups || is_read(gemm_case, false, matrix, col, k);
  };
  data.a = filled(problem.a, {rows_in_memory(problem.a, problem.m), problem.k, problem.batch},
                  bytes[TensorRole::a], {gemm_case, 0}, gemm::Viewing::as_matrix, is_of_a);
  data.b = filled(problem.b, {problem.k, columns_of_b(problem), problem.batch},
                  bytes[TensorRole::b], {gemm_case, 1}, gemm::Viewing::turned, is_of_b);
  ValueSource numbers(gemm_case, 100);
  const auto scales = [&] { return numbers.next_scale(); };
  const auto zeros = [&] { return numbers.next_zero(); };
  data.scale_a = block_numbers(problem, TensorRole::scale_a, bytes[TensorRole::scale_a], scales);
  data.scale_b = block_numbers(problem, TensorRole::scale_b, bytes[TensorRole::scale_b], scales);
  data.zero_a = block_numbers(problem, TensorRole::zero_a, bytes[TensorRole::zero_a], zeros);
  data.zero_b = block_numbers(problem, TensorRole::zero_b, bytes[TensorRole::zero_b], zeros);
  // Where C is not to be read every element of it is poison: reading one shows in D.
  data.c.assign(static_cast<size_t>(bytes[TensorRole::c]), kPoison);
  if (reads_c(problem, gemm_case.beta))
    data.c = filled(problem.c, {problem.m, problem.n, problem.batch}, bytes[TensorRole::c],
                    {gemm_case, 2});
  if (problem.d.rows && problem.d.rows->store == RowStore::add)
    data.d = filled(problem.d,
                    {rows_in_memory(problem.d, problem.m), problem.n, gemm::matrices_of_d(problem)},
                    bytes[TensorRole::d], {gemm_case, 99});
  for (size_t i = 0; problem.epilogue && i < problem.epilogue->inputs.size(); ++i) {
    const TensorRole role = input_role(static_cast<int>(i));
    ValueSource source(gemm_case, 3 + i);
    data.input_values.push_back(source.next(DType::f32));
    data.inputs.push_back(
        filled(problem.epilogue->inputs[i], extents_at(problem, role), bytes[role], source));
  }
  const double roundoff = usual_roundoff(problem);
  if (problem.epilogue)
    data.outputs =
        reference_outputs(problem, host_operands(data), gemm_case.alpha, gemm_case.beta, roundoff);
  else
    data.reference =
        reference_gemm(problem, host_operands(data), gemm_case.alpha, gemm_case.beta, roundoff);
  return data;
}

CaseOutcome run_case(Context& context, const GemmCase& gemm_case, const CaseData& data) {
  const Problem problem = completed(gemm_case.problem);
  CaseOutcome outcome;
  try {
    const double roundoff = run(context, gemm_case, problem, data, outcome);
    judge(outcome, gemm_case, problem, data, roundoff);
  } catch (const Exception& exception) {
    outcome.failures.push_back(std::string(exception.what()) + "\n" + exception.error().detail);
    // Findings stay until somebody takes them: the next case is to have none but its own.
    if (auto* emulator = dynamic_cast<EmulatorBackend*>(&context.backend()))
      (void)emulator->take_report();
  }
  return outcome;
}

std::vector<std::string> failures_of(Context& context, const CaseTypes& types, int count) {
  std::vector<std::string> failures;
  for (int index = 0; index < count; ++index) {
    const GemmCase gemm_case = random_case(types, index);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    if (!outcome.failures.empty()) failures.push_back(describe(gemm_case, outcome));
  }
  return failures;
}

std::string describe(const GemmCase& gemm_case, const CaseOutcome& outcome) {
  if (outcome.failures.empty()) return {};
  std::string text = to_string(gemm_case);
  for (const std::string& failure : outcome.failures) text += "\n  " + failure;
  return text;
}

}  // namespace jute::test
