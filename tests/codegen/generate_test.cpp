// Whole sources: deterministic, header-free, named by what they hold.
#include <jute/codegen/generate.hpp>
#include <jute/emit/piece.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/notation/convolution.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;

namespace {

Source source_of(const Problem& problem, const std::string& preset, const Config& config = {}) {
  return generate(make_plan(problem, device_preset(preset), config)).back();
}

/// Problems whose kernels have little in common.
std::vector<Source> various_sources() {
  Problem unaligned = problem_of(300, 301, 303, {DType::bf16, DType::f32});
  unaligned.a.alignment_bytes = 2;
  Problem transposed = problem_of(300, 512, 512, {DType::f16, DType::f16});
  transposed.c.order = transposed.d.order = Order::col;
  std::vector<Source> all{
      source_of(problem_of(300, 512, 512), "h200"),
      source_of(problem_of(300, 512, 512, {DType::f64, DType::f64}), "a100"),
      source_of(problem_of(300, 512, 512, {DType::s8, DType::s32}, {Order::col, Order::row}), "t4"),
      source_of(problem_of(300, 512, 512, {DType::e4m3, DType::bf16}), "l40s"),
      source_of(transposed, "h100")};
  for (Source& source : generate(make_plan(unaligned, device_preset("a100"))))
    all.push_back(std::move(source));
  return all;
}

struct NamedKernel {
  const char* file;
  const char* preset;
  Problem problem;
  Config config = {};
};
/// Of so many rows by weights of 4 bits with a scale for 128 of k.
Problem weights(Index m) {
  return parse_problem("M=" + std::to_string(m) +
                       " N=4096 K=4096 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8 D=bf16 "
                       "alpha=1 beta=0");
}

std::vector<NamedKernel> named_kernels() {
  Problem bf16 = problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  bf16.alpha = Factor::one;
  bf16.beta = Factor::zero;
  Problem terms = problem_of(4096, 4096, 4096, {}, {Order::row, Order::col});
  terms.precision = Precision::tf32x3;
  return {{"f32_128x128x8_row_row.cu", "h200", problem_of(4096, 4096, 4096),
           parse_config("main_loop=register_staged")},
          {"f32_h200.cu", "h200", problem_of(4096, 4096, 4096)},
          {"bf16_4096_row_col.cu", "a100", bf16},
          {"s8_row_col_alpha_beta.cu", "h200",
           problem_of(4096, 4096, 4096, {DType::s8, DType::s32}, {Order::row, Order::col})},
          {"bf16_h200_cluster.cu", "h200",
           problem_of(4096, 4096, 4096, {DType::bf16, DType::bf16}, {Order::row, Order::col}),
           parse_config("main_loop=warp_specialised tile=128x256x64 cluster=2x1 stages=4 "
                        "raster_width=8 blocks=128 first_stages=after_barrier "
                        "release=after_main_loop")},
          {"bf16_straight.cu", "h200", problem_of(33, 77, 95, {DType::bf16, DType::bf16})},
          {"f16_t4.cu", "t4", problem_of(4096, 4096, 4096, {DType::f16, DType::f16})},
          {"f64_a100.cu", "a100", problem_of(4096, 4096, 4096, {DType::f64, DType::f64})},
          {"bf16_h200_slices.cu", "h200",
           problem_of(128, 256, 16384, {DType::bf16, DType::bf16}, {Order::row, Order::col})},
          {"e4m3_h200.cu", "h200",
           problem_of(4096, 4096, 4096, {DType::e4m3, DType::bf16}, {Order::row, Order::col})},
          {"f32_h200_terms.cu", "h200", terms, parse_config("tile=128x192x16 cluster=2x1")},
          {"bf16_groups_of_rows.cu", "h200",
           parse_problem("M=4096 N=2048 K=2048 batch=8 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 "
                         "groups=rows")},
          {"bf16_each.cu", "h200",
           parse_problem("M=512 N=512 K=512 batch=8 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 "
                         "groups=each")},
          {"u4_fragments.cu", "h200", weights(256), parse_config("main_loop=warp_specialised")},
          {"u4_straight.cu", "h200", weights(8)},
          {"bf16_convolution_by_boxes.cu", "h200",
           convolution(parse_convolution("x=8x56x56x64 w=64x3x3 padding=1"), bf16)}};
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The first line in which two texts differ, with its number.
std::string first_difference(const std::string& now, const std::string& golden) {
  std::istringstream new_lines(now), old_lines(golden);
  std::string new_line, old_line;
  for (int number = 1;; ++number) {
    const bool more = static_cast<bool>(std::getline(new_lines, new_line));
    const bool more_old = static_cast<bool>(std::getline(old_lines, old_line));
    if (!more && !more_old) return "none";
    if (!more) new_line = "(end)";
    if (!more_old) old_line = "(end)";
    if (new_line != old_line)
      return "line " + std::to_string(number) + "\n  golden: " + old_line +
             "\n  now:    " + new_line;
  }
}

}  // namespace

TEST_CASE("the same plan gives the same bytes", "[codegen][generate][law]") {
  const std::vector<Source> once = various_sources(), again = various_sources();
  CHECK(once == again);
}

TEST_CASE("a source has no header, no path, no time and no address in it", "[codegen][generate]") {
  // An address would be a hexadecimal number with more digits than any swizzle mask.
  const std::regex forbidden("#include|__DATE__|__TIME__|__FILE__|/home|/usr|/tmp|0x[0-9a-f]{9,}");
  for (const Source& source : various_sources()) {
    INFO(source.symbol);
    std::smatch found;
    const bool is_found = std::regex_search(source.text, found, forbidden);
    INFO((is_found ? found.str() : std::string("none")));
    CHECK(!is_found);
    for (const char* line_end : {" \n", "\t", "\r"})
      CHECK(source.text.find(line_end) == std::string::npos);
    CHECK(source.text.find("${") == std::string::npos);
    CHECK(source.text.find("$[") == std::string::npos);
  }
}

TEST_CASE("a symbol carries architecture, type, tile and a hash of the text",
          "[codegen][generate]") {
  const std::regex shape("jute_sm[0-9]+a?_[a-z0-9_]+_[0-9a-f]{8}");
  std::map<std::string, std::string> texts;
  for (const Source& source : various_sources()) {
    INFO(source.symbol);
    CHECK(std::regex_match(source.symbol, shape));
    CHECK(source.text.find("\n" + source.symbol + "(\n") != std::string::npos);
    const auto [earlier, is_new] = texts.emplace(source.symbol, source.text);
    CHECK((is_new || earlier->second == source.text));
  }
  const Source f32 = source_of(problem_of(3000, 4096, 512), "h200");
  CHECK(f32.symbol.starts_with("jute_sm90a_f32_128x128x32_s6_"));
  // Without its symbol the text has the hash that the symbol ends in.
  std::string anonymous = f32.text;
  anonymous.erase(anonymous.find(f32.symbol), f32.symbol.size());
  std::ostringstream hash;
  hash << std::hex << static_cast<std::uint32_t>(symbol_hash(anonymous));
  CHECK(f32.symbol.ends_with(hash.str()));
}

TEST_CASE("numbers of the run are not in the text, those of the kernel are",
          "[codegen][generate]") {
  const Source one = source_of(problem_of(8000, 512, 512, {DType::bf16, DType::bf16}), "a100");
  const Problem other = problem_of(7990, 512, 512, {DType::bf16, DType::bf16});
  CHECK(source_of(other, "a100") == one);
  CHECK(source_of(problem_of(8000, 512, 1024, {DType::bf16, DType::bf16}), "a100").symbol !=
        one.symbol);

  Config none;
  none.specialize = Specialize::none;
  none.main_loop = MainLoop::register_staged;
  CHECK(source_of(problem_of(300, 512, 512), "a100", none) ==
        source_of(problem_of(8, 1024, 2048), "a100", none));
  Config all;
  all.specialize = Specialize::all;
  const Source baked = source_of(problem_of(3000, 4096, 512), "a100", all);
  CHECK(baked.text.find("constexpr int m = 3000;") != std::string::npos);
  CHECK(to_string(baked.signature) ==
        "(pointer a, pointer b, pointer c, pointer d, f32 alpha, f32 beta)");
}

TEST_CASE("a signature lists the parameters of the kernel in its order", "[codegen][generate]") {
  for (const Source& source : various_sources()) {
    INFO(source.symbol);
    const size_t list = source.text.find(source.symbol + "(\n");
    size_t at = list;
    for (const Parameter& parameter : source.signature.parameters) {
      const size_t comma = source.text.find(" " + parameter.name + ",", at);
      const size_t last = source.text.find(" " + parameter.name + "\n)", at);
      INFO(parameter.name);
      REQUIRE(std::min(comma, last) != std::string::npos);
      at = std::min(comma, last);
    }
    CHECK(at < source.text.find("{\n", list));
  }
}

TEST_CASE("beta 0 leaves C out of the kernel", "[codegen][generate]") {
  Problem problem = problem_of(300, 512, 512);
  problem.beta = Factor::zero;
  const Source source = source_of(problem, "h200");
  for (const Parameter& parameter : source.signature.parameters) {
    CHECK(parameter.name != "c");
    CHECK(parameter.name != "beta");
  }
  CHECK(source.text.find("ElemC") == std::string::npos);
}

TEST_CASE("a template with an unknown hole is refused", "[codegen][generate][refusal]") {
  // A set without the frame has nothing to fill.
  const Plan plan = make_plan(problem_of(300, 512, 512), device_preset("h200"));
  const Error error = test::refusal_of([&] { return generate(plan, TemplateSet()); });
  CHECK(error.code == ErrorCode::illegal_template);
}

TEST_CASE("a kernel opens with a table of its parts, whose lines are right", "[codegen][text]") {
  for (const NamedKernel& kernel : named_kernels()) {
    std::istringstream text(source_of(kernel.problem, kernel.preset, kernel.config).text);
    INFO(kernel.file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    const auto table = std::ranges::find(lines, "// Lines:");
    REQUIRE(table != lines.end());
    int rows = 0;
    for (auto row = table + 1; row->starts_with("//   "); ++row, ++rows) {
      const auto line = static_cast<size_t>(std::stoi(row->substr(5)));
      INFO(*row);
      REQUIRE(line <= lines.size());
      const bool opens_a_part = lines[line - 1].starts_with("// convert/") ||
                                lines[line - 1].starts_with("// The block: ") ||
                                lines[line - 1].starts_with("// ---- ") ||
                                lines[line - 1].starts_with("// kernel/");
      CHECK(opens_a_part);
    }
    CHECK(rows == 8);
  }
}

TEST_CASE("a kernel's text adds no terms that are zero", "[codegen][text]") {
  static const std::regex kNothing(R"((^|[^\w.])0 \* [a-zA-Z])");
  for (const NamedKernel& kernel : named_kernels()) {
    INFO(kernel.file);
    std::istringstream text(source_of(kernel.problem, kernel.preset, kernel.config).text);
    for (std::string line; std::getline(text, line);) {
      INFO(line);
      CHECK_FALSE(std::regex_search(line, kNothing));
    }
  }
}

TEST_CASE("the comment at a kernel's head is made of its plan's fields", "[codegen][text]") {
  for (const NamedKernel& kernel : named_kernels()) {
    INFO(kernel.file);
    const Plan plan = make_plan(kernel.problem, device_preset(kernel.preset), kernel.config);
    const std::string text = generate(plan).back().text;
    const std::string head = text.substr(0, text.find("// Lines:"));
    CHECK(head.find('{') == std::string::npos);
    int told = 0;
    for (const Field& field : fields(plan.steps.back(), run_values(plan.problem)))
      if (const auto* list = std::get_if<FieldList>(&field.value);
          list != nullptr && (field.name == "smem" || field.name == "signals"))
        for (const Field& item : list->items) {
          INFO(to_string(item));
          CHECK(head.find(" " + to_string(item) + "\n") != std::string::npos);
          ++told;
        }
    CHECK(told > 0);
  }
}

TEST_CASE("kernels read as they were reviewed", "[codegen][generate][golden]") {
  for (const NamedKernel& kernel : named_kernels()) {
    const std::string path = std::string(JUTE_SOURCE_DIR) + "/tests/golden/kernels/" + kernel.file;
    const std::string now = source_of(kernel.problem, kernel.preset, kernel.config).text;
    if (std::getenv("JUTE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << now;
    const std::string golden = text_of(path);
    INFO(path
         << " differs from what is generated now, first in " << first_difference(now, golden)
         << "\nIf the new text is better, read it and take it over:"
            "\n  JUTE_UPDATE_GOLDEN=1 test_codegen '[golden]' && git diff tests/golden/kernels");
    CHECK((now == golden));
  }
}
