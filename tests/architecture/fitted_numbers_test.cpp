// Numbers of planning's models outside the two tables: they become fewer, never more.
#include <cmath>
#include <regex>
#include <set>

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

/// 0, a half, a power of two, a unit: nobody fits these.
bool says_itself(double value) {
  static const std::set<double> kUnits{0, 0.5, 1e3, 1e6, 1e9};
  int exponent = 0;
  return kUnits.contains(value) || (value >= 1 && std::frexp(value, &exponent) == 0.5);
}

int numbers_of(const SourceFile& file) {
  static const std::regex kNumber("(^|[^A-Za-z0-9_.])([0-9][0-9']*[.]?[0-9]*(e[-+]?[0-9]+)?)");
  int count = 0;
  for (const std::string& line : file.lines) {
    const std::string code = code_of_line(line);
    for (std::sregex_iterator found(code.begin(), code.end(), kNumber), end; found != end;
         ++found) {
      std::string text = (*found)[2].str();
      std::erase(text, '\'');
      count += says_itself(std::stod(text)) ? 0 : 1;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("numbers of models outside the tables become no more", "[architecture]") {
  // Widths of tiles are among them. Of kernels that stage operands by mma.sync or threads none is
  // fitted but in the table; the models of wgmma's, straight, dot-product and line kernels have
  // theirs still. Who takes some away lowers the number.
  constexpr int kMostOfCost = 308, kMostOfShapes = 77;
  const std::string table = "src/plan/cost/coefficients.cpp";
  int of_cost = 0, of_shapes = 0;
  for (const SourceFile& file : source_files("src/plan/cost"))
    if (file.path != table) of_cost += numbers_of(file);
  for (const SourceFile& file : source_files("src/plan/shapes")) of_shapes += numbers_of(file);
  CHECK(of_cost <= kMostOfCost);
  CHECK(of_shapes <= kMostOfShapes);
  // The law has none of its own but names: 128 sums are a row, and 256 of them pass meanwhile.
  for (const SourceFile& file : source_files("src/plan/cost"))
    if (file.path == "src/plan/cost/law.cpp") CHECK(numbers_of(file) <= 1);
}

TEST_CASE("a number is what digits say, not what names hold", "[architecture]") {
  SourceFile file;
  file.lines = {"#include <a17.hpp>", "int x17 = 3;  // 5 of 7", "f(\"9 11\", 1'000, 0.5, 64);",
                "double y = 1.25e-3 + z.w3 * 0.75;"};
  CHECK(numbers_of(file) == 3);
}

}  // namespace jute::test
