// Exported bundles: compiled as C, run on the stand-in driver without jute, judged by the
// reference.
#include <jute/bundle/bundle.hpp>
#include <jute/gemm/reference.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

#include "bundle/count_nodes.hpp"
#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;
namespace fs = std::filesystem;

namespace {

const fs::path kPrograms = fs::path(JUTE_SOURCE_DIR) / "tests/bundle/programs";

bool has_nvrtc() {
  try {
    (void)Compiler(Settings{});
    return true;
  } catch (const Exception&) {
    return false;
  }
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
void write(const fs::path& path, const std::vector<std::byte>& bytes) {
  write(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}
std::vector<std::byte> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

void write_files(const Bundle& bundle, const fs::path& folder) {
  fs::create_directories(folder);
  for (const BundleFile& file : files_of(bundle)) write(folder / file.name, file.bytes);
}

Bundle exported(const std::vector<Problem>& problems, const BundleOptions& options) {
  const KernelCache kernels(KernelCacheOptions{}, make_kernel_compiler(Settings{}));
  return make_bundle(problems, options, kernels);
}

/// A program of C that uses launchers of bundles, each in its folder.
std::string compiled(const TemporaryFolder& folder, const std::string& source,
                     const std::vector<std::string>& names) {
  std::string program = folder.file(source.substr(0, source.find('.')));
  std::vector<std::string> line{
      "cc",      "-std=c99",   "-pedantic", "-Wall", "-Wextra",
      "-Werror", JUTE_C_FLAGS, "-o",        program, (kPrograms / source).string()};
  for (const std::string& name : names) {
    line.push_back(folder.file(name + "/" + name + ".c"));
    line.push_back("-I" + folder.file(name));
  }
  line.insert(line.end(), {"-DBUNDLE=" + names.front(), JUTE_STAND_IN_LIBRARY, "-ldl"});
  const ProcessResult result = run_process(line);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return program;
}

/// A bundle on disk and the program that runs it.
class Exported {
 public:
  Exported(std::vector<Problem> problems, const BundleOptions& options)
      : bundle_(exported(problems, options)) {
    write_files(bundle_, folder_.path() / bundle_.name);
    program_ = compiled(folder_, "run_bundle.c", {bundle_.name});
  }
  [[nodiscard]] const Bundle& bundle() const { return bundle_; }
  [[nodiscard]] const std::string& program() const { return program_; }
  [[nodiscard]] std::string folder() const { return folder_.file(bundle_.name); }

  /// Runs the problem with `m` rows on a chip, and judges all that it wrote; groups have the list.
  void check(size_t place, Index m, double alpha, double beta, const std::string& chip = "h200",
             const std::vector<Index>& ends = {}) {
    Problem problem = bundle_.problems[place];
    problem.m = m;
    problem.m_range.reset();
    if (view_a) problem.a.view = view_a;
    if (view_d) problem.d.view = view_d;
    const GemmCase of_case{.problem = problem,
                           .config = {},
                           .alpha = alpha,
                           .beta = beta,
                           .fill = Fill::normal,
                           .seed = static_cast<std::uint64_t>(m),
                           .ends = ends,
                           .rows_a = rows_a,
                           .rows_d = rows_d};
    INFO(chip << " " << to_string(of_case));
    const CaseData data = make_data(of_case);
    const fs::path files = folder_.path() / "case";
    fs::remove_all(files);
    fs::create_directories(files);
    write_case(of_case, data, files);
    run(place, m, alpha, beta, chip);
    CHECK(fault == "-1");
    if (data.outputs.empty()) CHECK(compare(problem, data.reference, read(files / "d")).ok);
    for (size_t i = 0; i < data.outputs.size(); ++i) {
      const std::string& name = problem.epilogue->expression.outputs[i].name;
      INFO(name);
      CHECK(compare_output(problem, i, data.outputs[i],
                           read(files / (is_d(name) ? "d" : "out" + std::to_string(i))))
                .ok);
    }
  }

  /// What the launcher says of the last case with the numbers of another View of operand `place`.
  std::string refusal_of_view(size_t problem, int place, const char* view) {
    write(folder_.path() / "case" / ("view" + std::to_string(place)),
          text_of(run_view(parse_view(view))));
    const ProcessResult result = result_of(problem, bundle_.problems[problem].m, 1, 0, "h200");
    CHECK(result.status == 9);
    return result.err;
  }

  /// The last case's problem once more, by another list, on a D of ones.
  std::vector<std::byte> d_by(size_t place, Index m, const std::vector<Index>& ends) {
    const fs::path files = folder_.path() / "case";
    write(files / "ends", list_of(bundle_.problems[place].groups->index, ends));
    write(files / "d", std::vector<std::byte>(read(files / "d").size(), std::byte{1}));
    run(place, m, 1, 0, "h200");
    return read(files / "d");
  }

  /// What groups with operands of their own make of constant a and b: addresses in `groups` are
  /// bytes behind those of a, b and d, those of scales behind b's.
  template <class Group>
  std::vector<float> d_of_groups(size_t place, Index m, const std::vector<Group>& groups) {
    const fs::path files = folder_.path() / "case";
    fs::remove_all(files);
    fs::create_directories(files);
    const auto bytes = [](const auto& values) {
      const auto all = std::as_bytes(std::span(values));
      return std::vector<std::byte>(all.begin(), all.end());
    };
    const std::vector<float> halves(4096, 0.5F), twos(4096, 2.0F), ones(4096, 1.0F);
    write(files / "a", bytes(halves));
    write(files / "b", bytes(twos));
    write(files / "d", bytes(ones));
    write(files / (std::is_same_v<Group, EachGroup> ? "each" : "scaled_each"), bytes(groups));
    run(place, m, 1, 0, "h200");
    std::vector<float> d(4096);
    std::memcpy(d.data(), read(files / "d").data(), sizeof(float) * d.size());
    return d;
  }

  std::vector<Index> rows_a, rows_d;   ///< what tables of the next case name
  std::optional<View> view_a, view_d;  ///< whose numbers the next case says
  std::string target;                  ///< whose kernels the last run took
  std::string fault;                   ///< which entry of its list was wrong

 private:
  [[nodiscard]] ProcessResult result_of(size_t place, Index m, double alpha, double beta,
                                        const std::string& chip) const {
    return run_jute({"run", "--device", chip, "--", program_, folder_.file(bundle_.name),
                     std::to_string(place), std::to_string(m), std::to_string(alpha),
                     std::to_string(beta), folder_.file("case")});
  }

  void run(size_t place, Index m, double alpha, double beta, const std::string& chip) {
    const ProcessResult result = result_of(place, m, alpha, beta, chip);
    INFO(result.out << result.err);
    REQUIRE(result.status == 0);
    REQUIRE(result.err.find("nothing found") != std::string::npos);
    target = result.out.substr(0, result.out.find(' '));
    const size_t last = result.out.rfind(' ');
    fault = result.out.substr(last + 1, result.out.size() - last - 2);
  }

  /// As the device has it.
  static std::vector<std::byte> list_of(GroupIndex index, const std::vector<Index>& ends) {
    const std::vector<std::int32_t> narrow(ends.begin(), ends.end());
    const auto bytes = index == GroupIndex::i64 ? std::as_bytes(std::span(ends))
                                                : std::as_bytes(std::span(narrow));
    return {bytes.begin(), bytes.end()};
  }

  static std::string text_of(const RunView& view) {
    std::string text;
    for (const auto* list : {&view.extents, &view.strides})
      for (const Index number : *list) text += std::to_string(number) + " ";
    return text + std::to_string(view.origin);
  }

  static void write_case(const GemmCase& of_case, const CaseData& data, const fs::path& folder) {
    const OperandBytes bytes = operand_bytes(of_case.problem);
    write(folder / "a", data.a);
    write(folder / "b", data.b);
    if (!data.c.empty()) write(folder / "c", data.c);
    const Problem& problem = of_case.problem;
    if (problem.groups) write(folder / "ends", list_of(problem.groups->index, of_case.ends));
    if (problem.a.rows) write(folder / "rows_a", list_of(problem.a.rows->index, of_case.rows_a));
    if (problem.d.rows) write(folder / "rows_d", list_of(problem.d.rows->index, of_case.rows_d));
    write(folder / "d", std::string(static_cast<size_t>(bytes[TensorRole::d]), '\1'));
    for (size_t i = 0; i < data.inputs.size(); ++i) {
      const std::string place = std::to_string(i);
      if (!data.inputs[i].empty()) write(folder / ("in" + place), data.inputs[i]);
      write(folder / ("value" + place), std::to_string(data.input_values[i]));
    }
    int place = 0;
    for (const Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) {
      const bool is_said = matrix->view && matrix->view->numbers == ViewNumbers::run_time;
      if (is_said)
        write(folder / ("view" + std::to_string(place)), text_of(run_view(*matrix->view)));
      ++place;
    }
    int number = 0;
    for (const auto* bytes_of : {&data.scale_a, &data.scale_b, &data.zero_a, &data.zero_b}) {
      const std::string name = "number" + std::to_string(number++);
      if (!bytes_of->empty()) write(folder / name, *bytes_of);
    }
    for (const TensorRole role : kAllTensors)
      if (is_output(role) && bytes[role] > 0)
        write(folder / name(role), std::string(static_cast<size_t>(bytes[role]), '\1'));
  }

  TemporaryFolder folder_;
  Bundle bundle_;
  std::string program_;
};

Problem problem_of(Index m, Index n, Index k, DType type) {
  Problem problem{.m = m, .n = n, .k = k};
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) matrix->type = type;
  return problem;
}

Problem with_range(Problem problem, Index first) {
  problem.m_range = MRange{first, problem.m};
  return problem;
}

}  // namespace

TEST_CASE("an exported bundle multiplies without jute and without NVRTC", "[bundle][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  // Kernels of a range of rows; split K; a batch; a step ahead of the product; an epilogue.
  Problem summed = problem_of(40, 72, 96, DType::bf16);
  summed.epilogue.emplace();
  summed.epilogue->expression = parse_epilogue("d = acc - a_sum[m]*z[n]; r = 2*a_sum[m]");
  Problem batch = problem_of(33, 20, 17, DType::f32);
  batch.batch = 3;
  Problem fused = problem_of(70, 72, 64, DType::bf16);
  fused.epilogue.emplace();
  fused.epilogue->expression =
      parse_epilogue("y := gelu(acc*s + bias[n]); d = y + beta*c; r = row_sum[m](y)");
  fused.epilogue->inputs = {{}, {}};
  fused = completed(fused);
  const int s = find_input(fused.epilogue->expression, "s");
  fused.epilogue->inputs[static_cast<size_t>(s)].by_value = true;
  Exported exported({with_range(problem_of(300, 128, 256, DType::bf16), 1),
                     problem_of(32, 64, 8192, DType::f16), batch, summed, fused,
                     parse_problem("M=20 N=48 K=64 A=bf16 B=u4:col scale_a=f32:block1x32 "
                                   "scale_b=f16:col:block1x32 zero_b=u8:col:block1x32"),
                     parse_problem("M=70 N=136 K=256 A=e4m3 B=e4m3:col scale_a=f32:col:block1xall "
                                   "scale_b=f32:col:block128x128 D=f32")},
                    {.name = "products", .targets = {{.arch = parse_arch("sm_90a")}}});

  const BundleProduct& range = exported.bundle().product(0, 0);
  CHECK(range.choices.size() > 1);
  for (const Index m : {1, 17, 64, 300}) exported.check(0, m, 0.5, 0);
  CHECK(exported.target == "sm_90a");
  CHECK(exported.bundle().product(0, 1).workspace_bytes > 0);
  exported.check(1, 32, 1, 0.5);
  exported.check(2, 33, 2, 0.25);
  CHECK(exported.bundle().product(0, 3).kernels[0].steps.size() == 2);
  exported.check(3, 40, 1, 0);
  exported.check(4, 70, 1, 0.5);
  exported.check(4, 5, 1, 0);  // M may be less than what was planned for
  exported.check(5, 20, 1, 0.5);
  exported.check(6, 70, 1, 0.5);  // one scale in the epilogue, one in sums
}

TEST_CASE("groups are exported, and the launcher takes their list", "[bundle][groups][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  const std::string types = " A=bf16:row B=bf16:col D=bf16:row ";
  Exported exported(
      {parse_problem("M=300 N=72 K=64 batch=4 groups=rows:i64" + types +
                     "epilogue=\"w[m]*relu(acc + bias[batch,n])\""),
       parse_problem("M=40 N=300 K=64 batch=3 groups=cols" + types),
       parse_problem("M=40 N=72 K=300 batch=3 groups=k" + types),
       parse_problem("M=70 N=72 K=64 batch=3 groups=masked_rows" + types),
       parse_problem("M=90 N=40 K=64 batch=3 groups=rows" + types + "epilogue=silu(gate)*acc"),
       parse_problem("M=8 N=72 K=64 batch=3 groups=rows:by_row" + types)},
      {.name = "groups", .targets = {{.arch = parse_arch("sm_90a")}}});
  const auto is_one = [](std::byte byte) { return byte == std::byte{1}; };
  exported.check(0, 300, 1, 0, "h200", {0, 130, 130, 250});
  exported.check(0, 200, 1, 0, "h200", {7, 7, 150, 200});  // M may be less, as ever
  exported.check(1, 40, 0.5, 0.25, "h200", {100, 101, 290});
  exported.check(2, 40, 1, 0.5, "h200", {0, 200, 300});
  exported.check(4, 90, 1, 0, "h200", {20, 20, 81});
  exported.check(5, 8, 1, 0.5, "h200", {2, 2, -1, 0, 0, 0, 1, -1});
  CHECK(std::ranges::all_of(exported.d_by(5, 8, {2, 2, 0, 0, 0, 2, 1, 1}), is_one));
  CHECK(exported.fault == "5");
  exported.check(3, 70, 1, 0, "h200", {70, 0, 33});
  // What is no group's stays; of a wrong list nothing is computed, and the launcher tells the
  // entry.
  const std::vector<std::byte> some = exported.d_by(3, 70, {1, 0, 0});
  CHECK(exported.fault == "-1");
  CHECK(std::count_if(some.begin(), some.begin() + 72 * 2, is_one) < 72);
  CHECK(std::all_of(some.begin() + 72 * 2, some.end(), is_one));
  CHECK(std::ranges::all_of(exported.d_by(3, 70, {70, 3, 71}), is_one));
  CHECK(exported.fault == "2");
}

TEST_CASE("groups with operands of their own are exported", "[bundle][groups][each][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  Exported exported({parse_problem("M=48 N=40 K=32 batch=3 beta=0 groups=each")},
                    {.name = "each", .targets = {{.arch = parse_arch("sm_90a")}}});
  const EachGroup first{.lda = 32, .ldb = 40, .ldd = 40, .m = 48, .n = 40, .k = 32},
      last{.d = 4 * 2048, .lda = 8, .ldb = 8, .ldd = 8, .m = 5, .n = 7, .k = 6};
  const std::vector<float> d = exported.d_of_groups<EachGroup>(0, 48, {first, {}, last});
  CHECK(exported.fault == "-1");
  CHECK(std::count(d.begin(), d.begin() + 48 * 40, 32.0F) == 48 * 40);
  CHECK(std::count(d.begin() + 48 * 40, d.end(), 6.0F) == 5 * 7);
  CHECK(std::count(d.begin() + 48 * 40, d.end(), 1.0F) == 4096 - 48 * 40 - 5 * 7);
  EachGroup wrong = last;
  wrong.ldb = 7;
  const std::vector<float> untouched = exported.d_of_groups<EachGroup>(0, 48, {first, {}, wrong});
  CHECK(exported.fault == "2");
  CHECK(std::count(untouched.begin(), untouched.end(), 1.0F) == 4096);
}

TEST_CASE("scaled groups with operands of their own are exported",
          "[bundle][groups][each][scaled][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  Exported exported(
      {parse_problem("M=48 N=40 K=32 batch=3 scale_b=f32:block1x8 beta=0 groups=each")},
      {.name = "scaled_each", .targets = {{.arch = parse_arch("sm_90a")}}});
  ScaledGroup first{{.lda = 32, .ldb = 40, .ldd = 40, .m = 48, .n = 40, .k = 32}},
      last{{.d = 4 * 2048, .lda = 8, .ldb = 8, .ldd = 8, .m = 5, .n = 7, .k = 6}};
  first.ld_scale_b = last.ld_scale_b = 40;
  const std::vector<float> d = exported.d_of_groups<ScaledGroup>(0, 48, {first, {}, last});
  CHECK(exported.fault == "-1");
  CHECK(std::count(d.begin(), d.begin() + 48 * 40, 64.0F) == 48 * 40);
  CHECK(std::count(d.begin() + 48 * 40, d.end(), 12.0F) == 5 * 7);
  last.scale_b = 2;
  const std::vector<float> untouched = exported.d_of_groups<ScaledGroup>(0, 48, {first, {}, last});
  CHECK(exported.fault == "2");
  CHECK(std::count(untouched.begin(), untouched.end(), 1.0F) == 4096);
}

TEST_CASE("tables of rows are exported, and the launcher takes them", "[bundle][rows][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  Exported exported({parse_problem("M=6 N=40 K=64 A=bf16:rows9 B=bf16:col D=bf16:rows8i64"),
                     parse_problem("M=6 N=40 K=64 batch=2 groups=rows A=bf16:rows9 B=bf16:col "
                                   "D=bf16 epilogue=\"w[m]*acc\"")},
                    {.name = "rows", .targets = {{.arch = parse_arch("sm_80")}}});
  exported.rows_a = {8, 0, -1, 3, 3, 5};
  exported.rows_d = {7, -1, 0, 1, 5, 3};
  exported.check(0, 6, 1, 0.5);
  exported.rows_d.clear();
  exported.check(1, 6, 1, 0, "h200", {2, 5});
}

TEST_CASE("a launcher encodes the tensor maps of Views", "[bundle][view][tma][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  // A convolution of steps of two behind its padding; blocks of rows, which a run may have fewer
  // of, and of which the first lies behind the address.
  Exported exported(
      {parse_problem("M=72 N=64 K=288 A=bf16:view[((8,9),(32,3,3)):((2@1,1@2),(1@0,1@1,1@2));"
                     "box=(32,16,9):(1,32,512);origin=(0,-1,-1);outside=zero] B=bf16:col D=bf16"),
       parse_problem("M=192 N=64 K=64 "
                     "A=bf16:view[((64,3),64):((1@0,1@1),1@2);box=(64,4,64):(64,8192,1);"
                     "origin=(0,1,0)] B=bf16:col D=bf16:view[((64,3),64):((64,8192),1)]")},
      {.name = "views", .targets = {{.arch = parse_arch("sm_90a")}}});
  const auto has_map = [&](size_t place, auto is_it) {
    const BundleStep& step = exported.bundle().product(0, place).kernels.front().steps.back();
    return std::ranges::any_of(step.head.parameters, [&](const KernelParameter& one) {
      const auto* map = std::get_if<MapOf>(&one.role);
      return map != nullptr && is_it(*map);
    });
  };
  CHECK(has_map(0, [](const MapOf& map) { return !map.steps.empty(); }));
  CHECK(has_map(1, [](const MapOf& map) { return map.offset_elems > 0; }));
  exported.check(0, 72, 1, 0.5);
  for (const Index m : {192, 100, 1}) exported.check(1, m, 0.5, 0);
}

TEST_CASE("a launcher takes the numbers of Views that runs say",
          "[bundle][view][run_time][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  Exported exported({parse_problem("M=24 N=40 K=32 A=f16:view[((8,3),32):((32,1024),1);"
                                   "numbers=run-time] B=f16 D=f16:view[((8,3),40):((40,640),1);"
                                   "numbers=run-time]"),
                     problem_of(48, 40, 64, DType::f16)},
                    {.name = "views", .targets = {{.arch = parse_arch("sm_80")}}});
  exported.check(0, 24, 1, 0);  // the planned ones
  exported.view_a = parse_view("((4,6),32):((3,4000),12);origin=(7);numbers=run-time");
  exported.view_d = parse_view("((2,12),40):((-1,2),24);origin=(1);numbers=run-time");
  exported.check(0, 24, 1, 0);
  CHECK(exported.refusal_of_view(0, 3, "((2,12),40):((1,1),24)")
            .find("views[3] must have a place of its own for each element of d") !=
        std::string::npos);
  CHECK(exported.refusal_of_view(0, 3, "((2,12),40):((-1,2),24)").find("origin = 0") !=
        std::string::npos);
  CHECK(
      exported.refusal_of_view(0, 3, "((2,11),40):((1,2),24)").find("must count 24 rows, not 22") !=
      std::string::npos);
  exported.view_a.reset(), exported.view_d.reset();
  exported.check(1, 48, 1, 0.5);  // beside a product without any
}

TEST_CASE("a device takes its own kernels, else those of its generation, else text",
          "[bundle][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  Exported exported({problem_of(48, 40, 64, DType::f16)}, {.name = "few"});
  for (const auto& [chip, target] : {std::pair<std::string, std::string>{"h200", "sm_90a"},
                                     {"a100", "sm_80"},
                                     {"l40s", "sm_80"},
                                     {"b200", "sm_90"}}) {
    exported.check(0, 48, 1, 0.5, chip);
    CHECK(exported.target == target);
  }
  const ProcessResult old = run_jute({"run", "--device", "t4", "--", exported.program(),
                                      exported.folder(), "0", "48", "1", "0", "."});
  CHECK(old.status == 9);
  CHECK(old.err.find("few: no kernels for a device of compute capability 7.5") !=
        std::string::npos);
}

TEST_CASE("text for later chips runs on each of them, whatever shared memory it has",
          "[bundle][nvrtc]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  const BundleOptions later{.name = "later",
                            .targets = {{.arch = parse_arch("sm_90"), .has_cubins = false}},
                            .config = parse_config("main_loop=warp_specialised tile=128x128x32")};
  Exported exported({parse_problem("M=128 N=128 K=256 A=f32")}, later);
  REQUIRE(exported.bundle().product(0, 0).refused.empty());
  for (const char* const chip : {"h200", "b200", "rtx5090"}) exported.check(0, 128, 1, 0.5, chip);
}

TEST_CASE("two bundles live in one program, and refuse in words", "[bundle][nvrtc][refusal]") {
  if (!has_nvrtc()) return skip("NVRTC is not installed");
  const TemporaryFolder folder;
  const std::vector<BundleTarget> target{{.arch = parse_arch("sm_80")}};
  for (const auto& [name, m] : {std::pair<std::string, Index>{"first", 16}, {"second", 24}})
    write_files(exported({problem_of(m, 16, 16, DType::f32)}, {.name = name, .targets = target}),
                folder.path() / name);
  const std::string program = compiled(folder, "two_bundles.c", {"first", "second"});
  const ProcessResult result = run_jute({"run", "--device", "a100", "-q", "--", program,
                                         folder.file("first"), folder.file("second")});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out ==
        "first: a must have an address\n"
        "first: a = 0x8 must be a multiple of 16 bytes\n"
        "first: k = 17 must be 16, which the kernel holds as a literal\n"
        "first: problem = 7 must be 0 to 0, of an open bundle\n"
        "first: no/such/folder/first.0.sm_80.ptx must be readable\n");
}

TEST_CASE("a bundle refuses what no launcher could be made of", "[bundle][refusal]") {
  const auto refused = [](const std::vector<Problem>& problems, const BundleOptions& options) {
    return refusal_of([&] { (void)exported(problems, options); });
  };
  const std::vector<Problem> one{problem_of(16, 16, 16, DType::f32)};
  CHECK(refused({}, {}).operand == "problems");
  CHECK(refused(one, {.name = "3d"}).operand == "name");
  CHECK(refused(one, {.targets = {}}).operand == "targets");
  const BundleTarget target{.arch = parse_arch("sm_80")};
  CHECK(refused(one, {.targets = {target, target}}).value == "sm_80");
  // What a chip cannot do is refused where its machine code was asked for.
  CHECK(refused({problem_of(16, 16, 16, DType::e4m3)}, {.targets = {target}}).code ==
        ErrorCode::illegal_problem);
}

TEST_CASE("counts become lists whose operands stand before their operation", "[bundle]") {
  const auto text = [](const char* count) {
    std::string all;
    for (const bundle::CountNode& node : bundle::nodes_of(Count(count)))
      all += (all.empty() ? "" : " ") + (node.number == "0" ? node.what : node.number);
    return all;
  };
  CHECK(text("ceil_div(m,128)*batch") == "V_M INT64_C(128) N_CEIL_DIV V_BATCH N_MULTIPLY");
  CHECK(text("m-(n+k*2)") == "V_M V_N V_K INT64_C(2) N_MULTIPLY N_ADD N_SUBTRACT");
  CHECK(text("max(lda,-3)") == "V_STRIDES + 0 INT64_C(-3) N_MAX");
  CHECK(text("copied_a*batch_stride_b") == "1 V_STRIDES + 3 N_MULTIPLY");
}
