// Atoms, tilings and descriptors as expressions, against the recorded results of CuTe C++.
#include "expr/json_lines.hpp"

#include <jute/expr/eval.hpp>

#include <string>

using namespace jute;
using jute::test::json_lines;
using Json = nlohmann::json;

namespace {

std::string text(const Json& line, const char* key) {
  const Json& value = line[key];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  std::string expression = function;
  for (const std::string& argument : arguments) {
    expression += expression.size() == function.size() ? '(' : ',';
    expression += argument;
  }
  return expression += ')';
}

std::string tiled(const Json& line) {
  const std::string kind = line["kind"];
  if (kind == "tiled_copy")
    return call(kind,
                {line["copy_atom"], line["value_type"], line["thr_layout"], line["val_layout"]});
  const std::string mma = call("tiled_mma", {line["atom"], line["atom_layout"], line["perm"]});
  return kind == "tiled_mma" ? mma : call(kind, {line["copy_atom"], line["value_type"], mma});
}

std::string tiling_of(const Json& line) {
  std::vector<std::string> arguments{tiled(line)};
  const std::string query = line["query"];
  if (query.starts_with("retile_")) {
    arguments.push_back(line["result"]["fragment"]);
    return call(query, arguments);
  }
  for (const char* key : {"tensor", "thread"})
    if (line.contains(key)) arguments.push_back(text(line, key));
  return call(query, arguments);
}

std::string wanted(const Json& line) {
  const Json& result = line["result"];
  if (!result.is_object()) return text(line, "result");
  if (result.contains("retiled")) return result["retiled"];
  return call("", {text(result, "layout"), text(result, "offset")});
}

std::string moved_swizzle(const Json& line) {
  if (line.contains("smem_layout_swizzled")) {
    const std::string swizzled = line["smem_layout_swizzled"];
    const auto end = swizzled.find("o0o");
    return end == std::string::npos ? "" : swizzled.substr(0, end + 3);
  }
  if (line["swizzle"].is_null()) return "";
  int bits = 0, base = 0, shift = 0;
  const std::string bytes = line["swizzle"];
  REQUIRE(std::sscanf(bytes.c_str(), "Sw<%d,%d,%d>", &bits, &base, &shift) == 3);
  for (int width = line["bits"]; width > 8; width /= 2) --base;
  const auto number = [](int value) { return std::to_string(value); };
  return "Sw<" + number(bits) + "," + number(base) + "," + number(shift) + ">o0o";
}

}  // namespace

TEST_CASE("tiled atoms are expressions", "[expr][atom][golden]") {
  for (const Json& line : json_lines("tiled.jsonl")) {
    const std::string expression = tiling_of(line);
    const LineResult result = eval_line(expression);
    INFO(expression);
    CHECK(result.text == wanted(line));
  }
}

TEST_CASE("descriptors are expressions", "[expr][atom][golden]") {
  for (const Json& line : json_lines("gmma_desc.jsonl")) {
    if (line.value("ptr", "") == "gmem") continue;
    const bool valid = line["valid"];
    std::string layout = moved_swizzle(line);
    layout += text(line, line.contains("block_layout") ? "block_layout" : "layout");
    std::vector<std::string> arguments{layout, line["major"], line["type"]};
    if (valid) arguments.emplace_back("1024");
    const std::string expression = call("gmma_desc", arguments);
    const LineResult result = eval_line(expression);
    INFO(expression);
    CHECK(result.ok == valid);
    if (valid) CHECK(result.text == line["desc_0x400"].get<std::string>());
  }
}

TEST_CASE("atoms answer for their layouts", "[expr][atom][golden]") {
  for (const Json& line : json_lines("mma_atoms.jsonl")) {
    if (line.contains("upstream_defect")) continue;
    const std::string name = line["name"];
    INFO(name);
    CHECK(eval_line("shape_mnk(" + name + ")").text == line["shape_mnk"].get<std::string>());
    CHECK(eval_line("thr_id(" + name + ")").text == line["thr_id"].get<std::string>());
    CHECK(eval_line("layout_a(mma_atom(" + name + "))").text ==
          line["a_layout"].get<std::string>());
    CHECK(eval_line("layout_b(" + name + ")").text == line["b_layout"].get<std::string>());
    CHECK(eval_line("layout_c(" + name + ")").text == line["c_layout"].get<std::string>());
  }
  for (const Json& line : json_lines("copy_atoms.jsonl")) {
    const std::string name = line["name"];
    INFO(name);
    CHECK(eval_line("thr_id(" + name + ")").text == line["thr_id"].get<std::string>());
    CHECK(eval_line("layout_src(copy_atom(" + name + "))").text ==
          line["src_layout"].get<std::string>());
    CHECK(eval_line("layout_dst(" + name + ")").text == line["dst_layout"].get<std::string>());
    CHECK(eval_line("layout_ref(" + name + ")").text == line["ref_layout"].get<std::string>());
  }
}

TEST_CASE("a printed atom is read back", "[expr][atom][law]") {
  for (const char* expression :
       {"mma_atom(SM80_16x8x16_F32F16F16F32_TN)", "copy_atom(SM75_U32x4_LDSM_N)",
        "tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1):(1,2,4),(32,(8,2,2):(1,16,8),_))",
        "tiled_copy(UniversalCopy<uint128_t>,f16,((4,32),8):((256,1),32),(32,32))"}) {
    INFO(expression);
    CHECK(to_string(eval(expression)) == expression);
    CHECK(eval(to_string(eval(expression))) == eval(expression));
  }
}

TEST_CASE("where other libraries differ in tiled atoms, the answer is CuTe's",
          "[expr][atom][golden]") {
  for (const Json& line : json_lines("divergences.jsonl")) {
    if (line["op"] != "layoutC_TV") continue;
    const std::string expression =
        call("layoutC_TV", {call("tiled_mma", line["args"].get<std::vector<std::string>>())});
    INFO(expression);
    const LineResult result = eval_line(expression);
    if (line["property_ok"] == true) REQUIRE(result.ok);
    if (result.ok) CHECK(result.text == line["cute"].get<std::string>());
  }
}
