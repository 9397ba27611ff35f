// Runs of a range of M whose matrices lie as the rows of the run have it, not those of the range.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/ask/other_rows.hpp>

#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Numbers on the device, and here.
struct RunFloats {
  std::vector<float> values;
  Buffer buffer;
};
RunFloats run_floats(Backend& backend, Index count) {
  RunFloats result;
  for (Index i = 0; i < count; ++i) result.values.push_back(static_cast<float>(i * 7 % 5 - 2));
  result.buffer = Buffer(backend, count * 4);
  backend.copy_in(result.buffer.pointer(), std::as_bytes(std::span(result.values)));
  return result;
}

/// What is wrong with D of so many rows, all of whose memory is packed for them.
std::string wrong_with(Context& context, const Gemm& gemm, const Problem& problem, Index m) {
  Backend& backend = context.backend();
  const Index n = problem.n, k = problem.k, batch = problem.batch;
  const RunFloats a = run_floats(backend, batch * m * k), b = run_floats(backend, batch * k * n),
                  scale = run_floats(backend, batch * m), bias = run_floats(backend, batch * m),
                  d = run_floats(backend, batch * m * n);
  const Buffer workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  GemmArgs args{.a = a.buffer.pointer(),
                .b = b.buffer.pointer(),
                .d = d.buffer.pointer(),
                .scale_a = scale.buffer.pointer(),
                .workspace = workspace.pointer(),
                .m = m};
  args.lda = args.ldd = m;
  args.batch_stride_a = m * k;
  args.batch_stride_d = m * n;
  args.strides_scale_a = {m, m};
  args.inputs[gemm.input("v")] = {.base = bias.buffer.pointer(), .ld = m, .batch_stride = m};
  gemm.run(args);
  backend.synchronize();
  std::vector<float> found(d.values.size());
  backend.copy_out(std::as_writable_bytes(std::span(found)), d.buffer.pointer());
  std::string wrong;
  const auto at = [](const RunFloats& floats, Index place) {
    return static_cast<double>(floats.values[static_cast<size_t>(place)]);
  };
  for (Index one = 0; one < batch; ++one)
    for (Index row = 0; row < m; ++row)
      for (Index column = 0; column < n; ++column) {
        double sum = at(bias, one * m + row);
        for (Index i = 0; i < k; ++i)
          sum += at(a, one * m * k + i * m + row) * at(scale, one * m + row) *
                 at(b, one * k * n + i * n + column);
        const auto place = static_cast<size_t>(one * m * n + column * m + row);
        if (static_cast<double>(found[place]) != sum && wrong.empty())
          wrong = std::to_string(m) + " rows: (" + std::to_string(one) + "," + std::to_string(row) +
                  "," + std::to_string(column) + ")\n";
      }
  return wrong;
}

}  // namespace

TEST_CASE("one Gemm multiplies arrays that are packed for the rows of each run",
          "[gemm][m_range][scaled]") {
  Context context(open_emulator(), without_disk_cache());
  Problem problem =
      for_rows(completed(parse_problem(
                   "M=1 N=6 K=8 batch=2 A=f32:col B=f32 scale_a=f32:col:block1xall D=f32:col "
                   "staged=bf16 epilogue=\"acc + v[batch,m]\"")),
               40);
  problem.m_range = MRange{1, 40};
  const Gemm gemm = prepare(context, problem);
  const int compiled = context.compile_count();
  std::string wrong;
  for (const Index m : {1, 3, 5, 8, 16, 27, 40}) wrong += wrong_with(context, gemm, problem, m);
  CHECK(wrong == "");
  CHECK(context.compile_count() == compiled);
}
