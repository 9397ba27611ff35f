// Numbers of planning's models stand in tables, or in named limits that say where they are from.
#include <cmath>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// The code of a line: no comment, no text in quotes, no directive.
std::string code_of_line(const std::string& line) {
  static const std::regex kQuoted("\"[^\"]*\"");
  const std::string code = line.substr(0, line.find("//"));
  const std::size_t first = code.find_first_not_of(' ');
  if (first != std::string::npos && code[first] == '#') return {};
  return std::regex_replace(code, kQuoted, "");
}

/// 0, a half, a power of two, a unit, a per cent: nobody fits these.
bool says_itself(double value) {
  static const std::set<double> kUnits{0, 0.5, 0.01, 100, 1e3, 1e6, 1e9};
  int exponent = 0;
  return kUnits.contains(value) || (value >= 1 && std::frexp(value, &exponent) == 0.5);
}

/// Does a comment say where numbers are from: a page of measurements, the hardware, a format?
bool names_source(const std::string& comment) {
  static const std::regex kSource("bench/results/[0-9-]+|[Hh]ardware: |of the format: ");
  return std::regex_search(comment, kSource);
}

std::string comment_of_line(const std::string& line) {
  const std::size_t at = line.find("//");
  return at == std::string::npos ? std::string() : line.substr(at);
}

/// Which lines declare named limits whose comments, ahead of them or behind them, name a source.
std::vector<bool> lines_with_source(const std::vector<std::string>& lines) {
  std::vector<bool> have(lines.size());
  std::string comments;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string code = code_of_line(lines[i]);
    if (code.find_first_not_of(' ') == std::string::npos) {
      const std::string comment = comment_of_line(lines[i]);
      comments = comment.empty() ? comment : comments + comment;
      continue;
    }
    std::size_t end = i;
    if (code.find("constexpr ") != std::string::npos)
      while (end + 1 < lines.size() && code_of_line(lines[end]).find(';') == std::string::npos)
        comments += comment_of_line(lines[end++]);
    comments += comment_of_line(lines[end]);
    const bool is_limit = code.find("constexpr ") != std::string::npos && names_source(comments);
    for (; i < end; ++i) have[i] = is_limit;
    have[end] = is_limit;
    comments.clear();
  }
  return have;
}

/// Is it how many are looked at or told, which changes no clocks?
bool is_count(const std::string& code) {
  static const std::regex kCount("constexpr (std::)?size_t ");
  return std::regex_search(code, kCount);
}

int numbers_of(const SourceFile& file) {
  static const std::regex kNumber(
      "(^|[^A-Za-z0-9_.])(<< )?([0-9][0-9']*[.]?[0-9]*(e[-+]?[0-9]+)?)");
  const std::vector<bool> have_source = lines_with_source(file.lines);
  int count = 0;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string code = code_of_line(file.lines[i]);
    if (have_source[i] || is_count(code)) continue;
    for (std::sregex_iterator found(code.begin(), code.end(), kNumber), end; found != end;
         ++found) {
      std::string text = (*found)[3].str();
      std::erase(text, '\'');
      const bool is_shift = (*found)[2].matched;
      if (is_shift || says_itself(std::stod(text))) continue;
      UNSCOPED_INFO(file.path << ": " << text << " in " << code);
      ++count;
    }
  }
  return count;
}

int coefficients_in(const std::string& path) {
  static const std::regex kValue("[=,{] *-?[0-9][0-9.]*(e[0-9]+)?");
  int count = 0;
  for (const SourceFile& file : source_files("src/plan/cost"))
    if (file.path == path)
      for (const std::string& line : file.lines) {
        const std::string code = code_of_line(line);
        count += static_cast<int>(
            std::distance(std::sregex_iterator(code.begin(), code.end(), kValue), {}));
      }
  return count;
}

}  // namespace

TEST_CASE("numbers that were fitted stand in the tables", "[architecture]") {
  // The law's, and those of the models of wgmma's kernels and of stored elements.
  const std::set<std::string> tables{"src/plan/cost/coefficients.cpp", "src/plan/cost/fitted.hpp"};
  int of_cost = 0, of_shapes = 0, of_choose = 0;
  for (const SourceFile& file : source_files("src/plan/cost")) {
    if (!tables.contains(file.path)) of_cost += numbers_of(file);
  }
  for (const SourceFile& file : source_files("src/plan/shapes")) of_shapes += numbers_of(file);
  for (const SourceFile& file : source_files("src/plan/choose")) of_choose += numbers_of(file);
  CHECK(of_cost == 0);
  CHECK(of_shapes == 0);
  CHECK(of_choose == 0);
}

TEST_CASE("coefficients become no more", "[architecture]") {
  CHECK(coefficients_in("src/plan/cost/coefficients.cpp") <= 198);
  CHECK(coefficients_in("src/plan/cost/fitted.hpp") <= 157);
}

TEST_CASE("a number is what digits say, not what names hold", "[architecture]") {
  SourceFile file;
  file.lines = {"#include <a17.hpp>", "int x17 = 3;  // 5 of 7", "f(\"9 11\", 1'000, 0.5, 64);",
                "double y = 1.25e-3 + z.w3 * 0.75 + (3 << 20);"};
  CHECK(numbers_of(file) == 4);
}

TEST_CASE("a named limit says where it is from", "[architecture]") {
  SourceFile file;
  file.lines = {"// bench/results/2026-11-27-x.md.",
                "constexpr int kA = 3,",
                "              kB = 5;",
                "constexpr int kC = 7;",
                "  constexpr int kD = 90;  // hardware: TMA",
                "// bench/results/2026-11-27-x.md.",
                "",
                "constexpr int kE = 9;",
                "// bench/results/2026-11-27-x.md.",
                "return 11;"};
  CHECK(numbers_of(file) == 3);  // 7, 9 and 11
}

}  // namespace jute::test
