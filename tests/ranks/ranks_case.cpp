// Runs of distributed products on emulators.
#include "ranks/ranks_case.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {
namespace {

/// Counts what leaves a rank, and lets another end do the work.
class CountingEnd : public Communicator {
 public:
  CountingEnd(std::unique_ptr<Communicator> end, std::atomic<Index>& bytes, Reach reach)
      : end_(std::move(end)), bytes_(bytes), reach_(reach) {}
  [[nodiscard]] Index rank() const override { return end_->rank(); }
  [[nodiscard]] Index size() const override { return end_->size(); }
  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view step,
                                                      const std::string& own) override {
    return end_->gather_texts(step, own);
  }
  void exchange(const Exchange& exchange, Stream stream) override {
    for (const PeerTransfer& transfer : exchange.sends)
      if (transfer.peer != rank()) bytes_ += byte_count(transfer);
    end_->exchange(exchange, stream);
  }
  /// As a ring moves them.
  void reduce(const Collective& collective, Stream stream) override {
    const Index bytes = collective.elements * width_bytes(collective.type);
    bytes_ += collective.kind == CollectiveKind::all_reduce ? 2 * (size() - 1) * bytes / size()
                                                            : (size() - 1) * bytes;
    end_->reduce(collective, stream);
  }
  void order(Stream first, Stream then) override { end_->order(first, then); }
  void keep(Stream stream) override { end_->keep(stream); }
  void follow(Stream stream) override { end_->follow(stream); }
  void finish(Stream stream) override { end_->finish(stream); }
  [[nodiscard]] bool announces() const override { return end_->announces(); }
  [[nodiscard]] std::shared_ptr<const Window> share(Index bytes) override {
    return reach_ == Reach::all ? end_->share(bytes) : nullptr;
  }
  void poll() override { end_->poll(); }
  void abort(const std::string& reason) noexcept override { end_->abort(reason); }

 private:
  std::unique_ptr<Communicator> end_;
  std::atomic<Index>& bytes_;
  Reach reach_;
};

std::vector<std::byte> random_elements(const Matrix& matrix, Index bytes, std::mt19937& random,
                                       Numbers numbers) {
  const auto count = static_cast<std::size_t>(bytes / width_bytes(matrix.type));
  std::vector<double> values(count);
  const bool is_whole = numbers == Numbers::integers || is_integer(matrix.type);
  for (double& value : values)
    value = is_whole
                ? std::uniform_int_distribution<int>(matrix.type == DType::u8 ? 0 : -2, 2)(random)
                : std::normal_distribution<double>()(random);
  return encode(matrix.type, values);
}

Index ld_in_buffer_order(const Problem& problem, std::string_view name) {
  return name == "A"   ? problem.a.ld_elems
         : name == "B" ? problem.b.ld_elems
         : name == "C" ? problem.c.ld_elems
                       : problem.d.ld_elems;
}

/// Of the whole of an input.
Index input_bytes(const Problem& problem, std::size_t place) {
  const EpilogueOperand& input = problem.epilogue->inputs[place];
  const Index lines = input.order == Order::row ? problem.m : problem.n;
  const EpilogueExtent extent = problem.epilogue->expression.inputs[place].extent;
  const Index elements = extent == EpilogueExtent::rows      ? problem.m
                         : extent == EpilogueExtent::columns ? problem.n
                         : extent == EpilogueExtent::scalar  ? 1
                                                             : lines * input.ld_elems;
  return elements * width_bytes(input.type);
}

struct RankTypes {
  DType operand, result;
};
constexpr std::array<RankTypes, 7> kRankTypes{{{DType::f32, DType::f32},
                                               {DType::bf16, DType::bf16},
                                               {DType::f16, DType::f32},
                                               {DType::f64, DType::f64},
                                               {DType::s8, DType::s32},
                                               {DType::e4m3, DType::f32},
                                               {DType::tf32, DType::f32}}};

}  // namespace

void put_types(Problem& problem, int number) {
  const RankTypes& types = kRankTypes[static_cast<std::size_t>(number) % kRankTypes.size()];
  problem.a.type = problem.b.type = types.operand;
  problem.c.type = problem.d.type = types.result;
  problem.accumulate = is_integer(types.operand)     ? DType::s32
                       : types.operand == DType::f64 ? DType::f64
                                                     : DType::f32;
}

RanksOfEmulators::RanksOfEmulators(Index most, const ContextOptions& given, Schedule schedule) {
  for (Index rank = 0; rank < most; ++rank) {
    EmulatorOptions options;
    options.device = device_preset("h200");
    options.check = Check::full;
    options.threads = 1;
    options.schedule = schedule;
    options.seed = static_cast<std::uint64_t>(rank + 1);
    contexts_.push_back(std::make_unique<Context>(open_emulator(options), given));
  }
}

RanksOfEmulators emulators_with(const std::string& from, const std::string& to, Index most,
                                const std::string& piece) {
  const TemporaryFolder folder;
  std::ifstream in(JUTE_SOURCE_DIR "/kernels_templates/" + piece);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const std::filesystem::path file = folder.path() / piece;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
  ContextOptions options;
  options.templates = TemplateSet::from_directory(folder.path().string());
  return RanksOfEmulators(most, options);
}

std::vector<Backend*> RanksOfEmulators::backends(Index count) const {
  std::vector<Backend*> result;
  for (Index rank = 0; rank < count; ++rank) result.push_back(&context(rank).backend());
  return result;
}

WholeData whole_data(const Problem& problem, std::mt19937& random, Numbers numbers) {
  const OperandBytes bytes = operand_bytes(problem);
  WholeData data{random_elements(problem.a, bytes[TensorRole::a], random, numbers),
                 random_elements(problem.b, bytes[TensorRole::b], random, numbers),
                 random_elements(problem.c, bytes[TensorRole::c], random, numbers)};
  if (!problem.epilogue) return data;
  for (std::size_t i = 0; i < problem.epilogue->inputs.size(); ++i)
    data.inputs.push_back(
        random_elements(problem.epilogue->inputs[i], input_bytes(problem, i), random, numbers));
  return data;
}

namespace {

/// A kernel that is compiled on a busy machine may take longer than ranks usually wait.
std::vector<std::unique_ptr<Communicator>> patient_ends(const RanksOfEmulators& ranks,
                                                        const DistributedPlan& plan) {
  return in_process_communicators(ranks.backends(rank_count(plan.problem.mesh)),
                                  {.deadline = std::chrono::minutes(10)});
}

}  // namespace

RanksOutcome run_on_ranks(const RanksOfEmulators& ranks, const DistributedPlan& plan,
                          const WholeData& data, double alpha, double beta) {
  return run_on_ranks(ranks, plan, data, alpha, beta, patient_ends(ranks, plan));
}

RanksOutcome run_on_ranks(const RanksOfEmulators& ranks, const DistributedPlan& plan,
                          const WholeData& data, double alpha, double beta,
                          std::vector<std::unique_ptr<Communicator>> given, Reach reach, int runs) {
  const Index count = rank_count(plan.problem.mesh);
  const Problem& problem = plan.problem.problem;
  std::atomic<Index> bytes{0};
  std::vector<std::unique_ptr<Communicator>> ends;
  for (auto& end : given)
    ends.push_back(std::make_unique<CountingEnd>(std::move(end), bytes, reach));
  RanksOutcome outcome;
  outcome.parts.resize(static_cast<std::size_t>(count));
  run_ranks(ends, [&](Communicator& end) {
    Context& context = ranks.context(end.rank());
    Backend& backend = context.backend();
    const DistributedGemm gemm = prepare(context, plan, end.rank());
    std::vector<Buffer> buffers;
    DistributedArgs args{.alpha = alpha, .beta = beta};
    const auto bring = [&](std::string_view name, std::span<const std::byte> whole) {
      const std::vector<std::byte> part = part_of_whole(plan, buffer_of(plan, name), end.rank(),
                                                        whole, ld_in_buffer_order(problem, name));
      buffers.emplace_back(backend, static_cast<Index>(part.size()));
      backend.copy_in(buffers.back().pointer(), part);
      return buffers.back().pointer();
    };
    args.a = bring("A", data.a);
    args.b = bring("B", data.b);
    args.inputs.resize(data.inputs.size());
    for (const RankBuffer& buffer : plan.buffers) {
      if (buffer.name == "C") args.c = bring("C", data.c);
      if (!buffer.input || !buffer.is_callers) continue;
      const std::vector<std::byte> part =
          part_of_whole(plan, buffer_of(plan, buffer.name), end.rank(), data.inputs[*buffer.input],
                        problem.epilogue->inputs[*buffer.input].ld_elems);
      buffers.emplace_back(backend, static_cast<Index>(part.size()));
      backend.copy_in(buffers.back().pointer(), part);
      args.inputs[*buffer.input].base = buffers.back().pointer();
    }
    const RankBuffer& d = plan.buffers[buffer_of(plan, "D")];
    buffers.emplace_back(backend, d.bytes);
    args.d = buffers.back().pointer();
    std::vector<std::byte>& part = outcome.parts[static_cast<std::size_t>(end.rank())];
    part.assign(static_cast<std::size_t>(d.bytes), std::byte{0x5a});
    backend.copy_in(args.d, part);
    buffers.emplace_back(backend, gemm.workspace_bytes());
    args.workspace = buffers.back().pointer();
    gemm.clear_workspace(args.workspace);
    require_same_plan(end, plan);
    args.stream = backend.create_stream();
    args.comm_stream = backend.create_stream();
    for (int run = 0; run < runs; ++run) gemm.run(end, args);
    end.finish(args.stream);
    backend.synchronize();
    backend.copy_out(part, args.d);
    backend.destroy_stream(args.stream);
    backend.destroy_stream(args.comm_stream);
  });
  outcome.bytes = bytes;
  outcome.d.assign(static_cast<std::size_t>(operand_bytes(problem)[TensorRole::d]),
                   std::byte{0x5a});
  for (Index rank = 0; rank < count; ++rank)
    put_into_whole(plan, buffer_of(plan, "D"), rank, outcome.parts[static_cast<std::size_t>(rank)],
                   outcome.d, problem.d.ld_elems);
  return outcome;
}

std::vector<std::optional<Error>> errors_of(std::span<const std::unique_ptr<Communicator>> ends,
                                            const std::function<void(Communicator&)>& work) {
  std::vector<std::optional<Error>> errors(ends.size());
  std::vector<std::thread> threads;
  for (const auto& end : ends)
    threads.emplace_back([&errors, &work, &it = *end] {
      try {
        work(it);
      } catch (const Exception& exception) {
        errors[static_cast<std::size_t>(it.rank())] = exception.error();
        it.abort(exception.what());
      }
    });
  for (std::thread& thread : threads) thread.join();
  return errors;
}

std::vector<std::byte> run_on_one(const RanksOfEmulators& ranks, const Problem& problem,
                                  const WholeData& data, double alpha, double beta) {
  Context& context = ranks.context(0);
  Backend& backend = context.backend();
  Config config;
  config.specialize = Specialize::none;
  const Gemm gemm = prepare(context, problem, config);
  std::vector<std::byte> d(static_cast<std::size_t>(operand_bytes(problem)[TensorRole::d]),
                           std::byte{0x5a});
  std::vector<Buffer> buffers;
  const auto bring = [&](std::span<const std::byte> bytes) {
    buffers.emplace_back(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffers.back().pointer(), bytes);
    return buffers.back().pointer();
  };
  GemmArgs args;
  args.a = bring(data.a);
  args.b = bring(data.b);
  args.c = bring(data.c);
  args.d = bring(d);
  for (std::size_t i = 0; i < data.inputs.size(); ++i) args.inputs[i].base = bring(data.inputs[i]);
  args.alpha = alpha;
  args.beta = beta;
  buffers.emplace_back(backend, gemm.workspace_bytes());
  args.workspace = buffers.back().pointer();
  gemm.clear_workspace(args.workspace);
  gemm.run(args);
  backend.synchronize();
  backend.copy_out(d, args.d);
  return d;
}

bool leave_bits_of_one(const RanksOfEmulators& ranks, const DistributedPlan& plan,
                       std::mt19937& random) {
  const Problem& problem = plan.problem.problem;
  const WholeData data = whole_data(problem, random, Numbers::integers);
  const double alpha = problem.alpha == Factor::run_time ? 2 : 1;
  const double beta = problem.beta == Factor::run_time ? -1 : 0;
  const RanksOutcome outcome =
      run_on_ranks(ranks, plan, data, alpha, beta, patient_ends(ranks, plan), Reach::all);
  return outcome.d == run_on_one(ranks, problem, data, alpha, beta);
}

RankMemory zeros_for(Context& context, const DistributedPlan& plan, const DistributedGemm& gemm) {
  RankMemory result;
  const auto memory = [&](Index bytes) {
    result.buffers.emplace_back(context.backend(), bytes);
    context.backend().fill(result.buffers.back().pointer(), 0, bytes);
    return result.buffers.back().pointer();
  };
  for (const RankBuffer& buffer : plan.buffers) {
    if (buffer.name == "A") result.args.a = memory(buffer.bytes);
    if (buffer.name == "B") result.args.b = memory(buffer.bytes);
    if (buffer.name == "D") result.args.d = memory(buffer.bytes);
  }
  result.args.workspace = memory(gemm.workspace_bytes());
  gemm.clear_workspace(result.args.workspace);
  return result;
}

}  // namespace jute::test
