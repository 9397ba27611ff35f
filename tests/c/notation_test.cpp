// Views, contractions and convolutions through the C interface, against loops.
#include <array>

#include "c/c_support.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

namespace {

/// Small whole numbers, each another than its neighbours.
std::vector<float> numbers(size_t count) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = static_cast<float>(static_cast<int>(i * 7 % 11) - 5);
  return all;
}

/// Runs a problem once: D, which begins as sevens.
std::vector<float> run_of(jute_context* context, const jute_problem* problem,
                          const std::vector<float>& a, const std::vector<float>& b, size_t elements,
                          const char* view_a = nullptr) {
  jute_gemm* made = nullptr;
  const int32_t status = jute_gemm_prepare(context, problem, nullptr, &made);
  INFO((status == JUTE_OK ? "" : jute_last_error()));
  REQUIRE(status == JUTE_OK);
  const Owned<jute_gemm> gemm(made);
  jute_workspace* space = nullptr;
  REQUIRE(jute_workspace_create(gemm.get(), &space) == JUTE_OK);
  const Owned<jute_workspace> workspace(space);
  const DeviceFloats on_a(context, a), on_b(context, b),
      on_d(context, std::vector<float>(elements, 7.0F));
  jute_run run{};
  run.size = sizeof run;
  run.a = on_a.address(), run.b = on_b.address(), run.d = on_d.address();
  run.view_a = view_a;
  REQUIRE(jute_workspace_address(workspace.get(), &run.workspace) == JUTE_OK);
  REQUIRE(jute_gemm_run(gemm.get(), &run) == JUTE_OK);
  REQUIRE(jute_synchronize(context) == JUTE_OK);
  return on_d.to_host();
}

Owned<jute_problem> convolved(const char* text, int32_t what, size_t part = 0) {
  jute_problem* problem = nullptr;
  const int32_t status = jute_problem_convolve(text, what, part, "beta=0", &problem);
  INFO((status == JUTE_OK ? "" : jute_last_error()));
  REQUIRE(status == JUTE_OK);
  return Owned<jute_problem>(problem);
}

}  // namespace

TEST_CASE("a run from C says the numbers of a View", "[c][view]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const auto problem =
      problem_from("M=6 N=4 K=5 A=f32:view[((2,3),5):((60,15),3);numbers=run-time] beta=0");
  const std::vector<float> a = numbers(120), b = numbers(20);
  const std::vector<float> d =
      run_of(context.get(), problem.get(), a, b, 24, "((3,2),5):((7,40),2);origin=(3)");
  for (size_t m = 0; m < 6; ++m)
    for (size_t n = 0; n < 4; ++n) {
      float sum = 0;
      for (size_t k = 0; k < 5; ++k)
        sum += a.at(3 + m % 3 * 7 + m / 3 * 40 + k * 2) * b.at(k * 4 + n);
      CHECK(d.at(m * 4 + n) == sum);
    }
}

TEST_CASE("a problem whose operands are Views multiplies from C", "[c][view]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  // Every third column of A's memory, rows in pairs; B as it lies; D with gaps.
  const auto problem =
      problem_from("M=6 N=4 K=5 A=f32:view[((2,3),5):((60,15),3)] D=f32:view[(6,4):(1,8)] beta=0");
  CHECK(std::string(jute_problem_text(problem.get())).find("view[((2,3),5):((60,15),3)]") !=
        std::string::npos);
  const std::vector<float> a = numbers(120), b = numbers(20);
  const std::vector<float> d = run_of(context.get(), problem.get(), a, b, 32);
  for (size_t n = 0; n < 4; ++n)
    for (size_t m = 0; m < 8; ++m) {
      float sum = m < 6 ? 0.0F : 7.0F;  // behind its rows D has gaps
      for (size_t k = 0; k < 5 && m < 6; ++k)
        sum += a[m % 2 * 60 + m / 2 * 15 + k * 3] * b[k * 4 + n];
      CHECK(d[m + n * 8] == sum);
    }
}

TEST_CASE("letters say a problem, and which operand is which", "[c][contraction]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const int64_t of_a[] = {2, 3, 5}, of_b[] = {5, 4, 2}, strides[] = {1, 6, 2};
  const jute_array operands[] = {{of_a, strides, 3}, {of_b, nullptr, 3}};
  jute_problem* made = nullptr;
  const int32_t status =
      jute_problem_contract("abk,kcd->acdb", operands, 2, nullptr, "beta=0", &made);
  INFO((status == JUTE_OK ? "" : jute_last_error()));
  REQUIRE(status == JUTE_OK);
  const Owned<jute_problem> problem(made);
  size_t place[2] = {9, 9};
  REQUIRE(jute_problem_operand(problem.get(), JUTE_OPERAND_A, &place[0]) == JUTE_OK);
  REQUIRE(jute_problem_operand(problem.get(), JUTE_OPERAND_B, &place[1]) == JUTE_OK);
  CHECK(place[0] + place[1] == 1);
  const std::vector<float> x = numbers(40), y = numbers(40);
  const std::array<const std::vector<float>*, 2> given{&x, &y};
  const std::vector<float> d =
      run_of(context.get(), problem.get(), *given[place[0]], *given[place[1]], 48);
  for (size_t a = 0; a < 2; ++a)
    for (size_t b = 0; b < 3; ++b)
      for (size_t cd = 0; cd < 8; ++cd) {
        float sum = 0;
        for (size_t k = 0; k < 5; ++k) sum += x[a + b * 6 + k * 2] * y[k * 8 + cd];
        CHECK(d[(a * 8 + cd) * 3 + b] == sum);
      }
}

TEST_CASE("a text of one operand is multiplied with a one", "[c][contraction]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const int64_t extents[] = {3, 4}, gaps[] = {5};
  const jute_array operand{extents, nullptr, 2}, result{extents, gaps, 1};
  jute_problem* made = nullptr;
  REQUIRE(jute_problem_contract("ij->i", &operand, 1, &result, "beta=0", &made) == JUTE_OK);
  const Owned<jute_problem> problem(made);
  size_t a = 9;
  REQUIRE(jute_problem_operand(problem.get(), JUTE_OPERAND_A, &a) == JUTE_OK);
  const std::vector<float> x = numbers(12), one{1.0F};
  const std::vector<float> d =
      run_of(context.get(), problem.get(), a == 0 ? x : one, a == 0 ? one : x, 11);
  for (size_t i = 0; i < 3; ++i)
    CHECK(d[i * 5] == x[i * 4] + x[i * 4 + 1] + x[i * 4 + 2] + x[i * 4 + 3]);
  CHECK(d[1] == 7.0F);
}

TEST_CASE("shapes of images say a problem, its gradients parts of one", "[c][convolution]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  // One image of 7 places, 2 channels; 3 features, 3 taps; every second place, a zero around.
  const char* const text = "x=1x7x2 w=3x3 stride=2 padding=1";
  const std::vector<float> x = numbers(14), w = numbers(18), dy = numbers(12);
  const auto y = run_of(context.get(), convolved(text, JUTE_CONVOLUTION).get(), x, w, 12);
  std::vector<float> of_y(12), of_x(14), of_w(18);
  for (size_t p = 0; p < 4; ++p)
    for (size_t f = 0; f < 3; ++f)
      for (size_t r = 0; r < 3; ++r)
        for (size_t c = 0; c < 2; ++c) {
          if (p * 2 + r < 1 || p * 2 + r > 7) continue;
          const size_t at_x = (p * 2 + r - 1) * 2 + c, at_w = (f * 3 + r) * 2 + c;
          of_y[p * 3 + f] += x[at_x] * w[at_w];
          of_x[at_x] += dy[p * 3 + f] * w[at_w];
          of_w[at_w] += dy[p * 3 + f] * x[at_x];
        }
  CHECK(y == of_y);
  CHECK(run_of(context.get(), convolved(text, JUTE_CONVOLUTION_FILTER).get(), dy, x, 18) == of_w);
  size_t parts = 0;
  REQUIRE(jute_convolution_parts(text, JUTE_CONVOLUTION_DATA, &parts) == JUTE_OK);
  REQUIRE(parts == 2);
  std::vector<float> dx(14);
  for (size_t part = 0; part < parts; ++part) {
    const auto written =
        run_of(context.get(), convolved(text, JUTE_CONVOLUTION_DATA, part).get(), dy, w, 14);
    for (size_t i = 0; i < 14; ++i)
      if (i / 2 % 2 == part) dx[i] = written[i];
  }
  CHECK(dx == of_x);
  const auto all = convolved(text, JUTE_CONVOLUTION_DATA, SIZE_MAX);
  CHECK(run_of(context.get(), all.get(), dy, w, 14) == of_x);
  CHECK(run_of(context.get(), convolved(text, JUTE_CONVOLUTION, SIZE_MAX).get(), x, w, 12) == of_y);
}

TEST_CASE("parts of one D are one problem of a text, with the steps of all", "[c][convolution]") {
  const TemporaryFolder folder;
  const auto context = emulated_context(folder.file("cache"));
  const char* const text = "x=1x7x2 w=3x3 stride=2 padding=1";
  const auto made = convolved(text, JUTE_CONVOLUTION_DATA, SIZE_MAX);
  const std::string written = jute_problem_text(made.get());
  CHECK(written.find(" ; M=") != std::string::npos);
  const auto read = problem_from(written.c_str());
  CHECK(jute_problem_text(read.get()) == written);
  const std::vector<float> w = numbers(18), dy = numbers(12);
  CHECK(run_of(context.get(), read.get(), dy, w, 14) ==
        run_of(context.get(), made.get(), dy, w, 14));
  jute_plan* planned = nullptr;
  REQUIRE(jute_plan_create(context.get(), read.get(), nullptr, &planned) == JUTE_OK);
  const Owned<jute_plan> plan(planned);
  size_t steps = 0;
  REQUIRE(jute_plan_steps(plan.get(), &steps) == JUTE_OK);
  CHECK(steps >= 2);
  CHECK(jute_plan_source(plan.get(), steps - 1) != nullptr);
  CHECK(std::string(jute_plan_json(plan.get())).find("\"behind\":[{") != std::string::npos);
  const jute_problem* const problems[] = {read.get()};
  jute_gemm* gemm = nullptr;
  CHECK(jute_gemm_prepare_many(context.get(), problems, 1, nullptr, &gemm) == JUTE_REFUSED);
  CHECK(gemm == nullptr);
  CHECK(last_error_says({"problems[0]", "jute_gemm_prepare prepares parts of one D"}));
  CHECK(jute_gemm_tune(context.get(), read.get(), nullptr, 8, &gemm) == JUTE_REFUSED);
  CHECK(last_error_says({"problem", "jute_gemm_prepare prepares parts of one D"}));
  jute_problem* refused = nullptr;
  CHECK(jute_problem_create("M=4 N=4 K=4 ; M=4 N=8 K=4", &refused) == JUTE_REFUSED);
  CHECK(last_error_says({"part 1", "the same types"}));
}

TEST_CASE("what notation gets wrong is told with its place", "[c][contraction][refusal]") {
  const int64_t extents[] = {3, 4}, negative[] = {-4, 1};
  const jute_array two[] = {{extents, nullptr, 2}, {extents, nullptr, 2}};
  const jute_array backwards{extents, negative, 2}, none{nullptr, nullptr, 2};
  jute_problem* made = nullptr;
  const auto refused = [&](const char* letters, const jute_array* arrays, size_t count,
                           const char* words, const std::vector<std::string>& said) {
    return jute_problem_contract(letters, arrays, count, nullptr, words, &made) == JUTE_REFUSED &&
           made == nullptr && last_error_says(said);
  };
  CHECK(refused("ij,jk", two, 2, nullptr, {"not_compatible", "operand 2, axis j"}));
  CHECK(refused("ij,ij->x", two, 2, nullptr, {"syntax"}));
  CHECK(refused("ij,ij", two, 1, nullptr, {"wrong_arity", "\"nearest_legal\":\"2\""}));
  CHECK(refused("ij", &backwards, 1, nullptr, {"must not be negative"}));
  CHECK(refused("ij", &none, 1, nullptr, {"operands[0].extents"}));
  CHECK(refused(nullptr, two, 2, nullptr, {"letters"}));
  CHECK(refused("ij,ij", nullptr, 2, nullptr, {"operands"}));
  CHECK(refused("ij,ij", two, 2, "A=bf61", {"bf16", "\"column\":3"}));
  CHECK(refused("ij,ij", two, 2, "M=4", {"M"}));
  CHECK(refused("ij,ij", two, 2, "batch=4", {"extents alone"}));
  CHECK(jute_problem_contract("ij", two, 1, &two[1], nullptr, &made) == JUTE_OK);
  CHECK(jute_problem_free(made) == JUTE_OK);
  const jute_array three{extents, nullptr, 1};
  CHECK(jute_problem_contract("ij", two, 1, &three, nullptr, &made) == JUTE_REFUSED);
  CHECK(last_error_says({"result", "(3,4)"}));
  size_t parts = 0;
  CHECK(jute_problem_convolve("x=1x7x2", 0, 0, nullptr, &made) == JUTE_REFUSED);
  CHECK(jute_problem_convolve("x=1x7x2 w=3x3", 3, 0, nullptr, &made) == JUTE_REFUSED);
  CHECK(jute_problem_convolve("x=1x7x2 w=3x3", 0, 1, nullptr, &made) == JUTE_REFUSED);
  CHECK(last_error_says({"part", "\"nearest_legal\":\"0\""}));
  CHECK(jute_convolution_parts("x=1x7x2 w=3x3", 0, nullptr) == JUTE_REFUSED);
  CHECK(jute_convolution_parts("x=1x7x2 w=3x3", 0, &parts) == JUTE_OK);
  CHECK(parts == 1);
}
