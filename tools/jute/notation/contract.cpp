// `jute contract`: products of arrays by the letters of einsum.
#include <jute/plan/notation/contraction.hpp>
#include <jute/plan/notation/contraction_modes.hpp>
#include <jute/plan/notation/contraction_order.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "command/exit_status.hpp"
#include "files/array_file.hpp"
#include "notation/products.hpp"
#include "options/notation_options.hpp"
#include "product/gemm_data.hpp"

namespace jute::command {
namespace {

using Row = std::array<std::string, 6>;

/// A stride; nothing where the array has none of the letters.
std::string stride_text(Index stride, bool is_there) {
  return is_there ? std::to_string(stride) : "-";
}

Row row_of(const ContractionMode& mode) {
  const LetterRole role = mode.role;
  return {std::string(name(role)),
          mode.letters,
          std::to_string(mode.extent),
          stride_text(mode.stride_a, role != LetterRole::n),
          stride_text(mode.stride_b, role != LetterRole::m),
          stride_text(mode.stride_d, role != LetterRole::k)};
}

std::string operand_text(const Subscripts& subscripts, std::size_t operand) {
  return operand < subscripts.operands.size() ? subscripts.operands[operand] : "1";
}

/// A row a mode: what it is to the product, its letters, how long it is, and how far apart its
/// neighbours lie in each array.
std::string letters_table(const Subscripts& subscripts, const ContractionModes& modes) {
  std::vector<Row> rows{{"mode", "letters", "extent", "A " + operand_text(subscripts, modes.a),
                         "B " + operand_text(subscripts, modes.b), "D " + subscripts.result}};
  for (const ContractionMode& mode : modes.modes) rows.push_back(row_of(mode));
  std::array<std::size_t, 6> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (i < 2 ? row[i] + gap : gap + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

struct ContractOptions {
  ProductOptions product;
  std::string text, a, b, strides_a, strides_b, extents;
  std::vector<std::string> more;
  bool draw = false;
};

/// An operand, or the result of an earlier product.
struct HeldArray {
  std::vector<std::byte> bytes;
  StridedArray lies;
  DType type = DType::f32;
  std::optional<ComputedOperand> computed{};  ///< of a result, with --verify
};

std::vector<std::string> files_of(const ContractOptions& options) {
  std::vector<std::string> files{options.a};
  if (!options.b.empty()) files.push_back(options.b);
  files.insert(files.end(), options.more.begin(), options.more.end());
  return files;
}

/// Files as the options say that they lie.
enum class Contents : bool { no, yes };
std::vector<ArrayFile> read_files(const ContractOptions& options, const Subscripts& subscripts,
                                  Contents elements) {
  if (options.a.empty()) throw UsageError("--a", "it must be given, for example --a A.npy");
  std::vector<ArrayFile> files;
  for (const std::string& path : files_of(options))
    files.push_back(elements == Contents::yes ? read_array(path) : read_array_header(path));
  if (files.size() != subscripts.operands.size())
    throw UsageError(
        files.size() < subscripts.operands.size() && files.size() == 1 ? "--b" : "--operand",
        "there must be a file for each of the " + std::to_string(subscripts.operands.size()) +
            " operands of " + to_string(subscripts));
  if (!options.extents.empty() && options.strides_a.empty() && options.strides_b.empty())
    throw UsageError("--extents", "it must be left out: files say how long their axes are");
  const std::vector<LetterCount> counts = letter_counts(options.extents);
  const std::pair<const char*, const std::string*> others[] = {{"--strides-a", &options.strides_a},
                                                               {"--strides-b", &options.strides_b}};
  for (std::size_t i = 0; i < 2; ++i) {
    if (others[i].second->empty()) continue;
    if (i >= files.size()) throw UsageError(others[i].first, "it needs --b");
    const Subscripts one{{subscripts.operands[i]}, ""};
    const auto extents =
        counts.empty() ? files[i].lies.extents : packed_operands(one, counts).front().extents;
    lay_otherwise(files[i], others[i].first, *others[i].second, extents);
  }
  return files;
}

/// The operands of a product, as its problem's A and B; a lone one is multiplied with a 1.
GemmData data_of(const Contraction& made, const std::vector<const HeldArray*>& operands) {
  GemmData data;
  data.problem = made.problem;
  const auto bytes = [&](std::size_t operand, DType type) {
    return operand < operands.size() ? operands[operand]->bytes
                                     : encode(type, std::vector<double>{1.0});
  };
  const auto computed = [&](std::size_t operand) {
    const bool is_one = operand >= operands.size();
    return is_one || !operands[operand]->computed ? nullptr : &*operands[operand]->computed;
  };
  data.memory[TensorRole::a] = bytes(made.modes.a, made.problem.a.type);
  data.memory[TensorRole::b] = bytes(made.modes.b, made.problem.b.type);
  data.computed_a = computed(made.modes.a);
  data.computed_b = computed(made.modes.b);
  return data;
}

std::vector<StridedArray> arrays_of(const std::vector<const HeldArray*>& operands) {
  std::vector<StridedArray> arrays;
  for (const HeldArray* operand : operands) arrays.push_back(operand->lies);
  return arrays;
}

/// Which step of a chain it is. The last has the epilogue and the result's type; what others make
/// is multiplied again, in the type of their sums.
enum class ChainPlace : std::uint8_t { between, last };

/// The options of a step. Its operands have the types that were asked for, or those of sums.
ProductOptions options_of_step(const ProductOptions& options, ChainPlace place,
                               const AskedTypes& types, DType result) {
  ProductOptions step = options;
  ProblemOptions& problem = step.problem;
  std::map<std::string_view, std::string>& said = problem.said.words;
  for (const char* word : {"type", "type_a", "type_b"}) said.erase(word);
  if (place == ChainPlace::between) {
    for (const char* word : {"epilogue", "gate", "quantise_d", "round_d", "out_type"})
      said.erase(word);
    problem.input_types = problem.output_types = step.inputs = {};
    said["out_type"] = name(type_between(product_like(step, types)));
  } else if (problem.said["out_type"].empty()) {
    said["out_type"] = name(result);
  }
  return step;
}

HeldArray multiplied(Products& products, const ProductOptions& product, ChainPlace place,
                     const ContractionStep& step, const std::vector<const HeldArray*>& operands,
                     std::vector<Conversion>& conversions) {
  const Problem like = product_like(product, {operands.front()->type, operands.back()->type});
  GemmData data = data_of(contraction(step.subscripts, arrays_of(operands), like), operands);
  data.conversions = std::exchange(conversions, {});
  data.is_multiplied_again = place == ChainPlace::between;
  finish_problem(data, product);
  if (place == ChainPlace::last) products.require_results_of(data.problem);
  HeldArray result{products.run(data), {step.extents, {}}, data.problem.d.type};
  if (product.verify && place == ChainPlace::between) result.computed = products.computed();
  return result;
}

std::vector<HeldArray> operands_of(std::vector<ArrayFile>& files, const ContractOptions& options,
                                   std::vector<Conversion>& conversions) {
  const AskedTypes asked = asked_types(options.product.problem);
  GemmData noted;
  std::vector<HeldArray> operands;
  for (ArrayFile& file : files) {
    const DType type =
        take_type(file.array, file.name, operands.empty() ? asked.a : asked.b, noted);
    operands.push_back({std::move(file.array.bytes), std::move(file.lies), type});
  }
  conversions = std::move(noted.conversions);
  return operands;
}

/// Every product's letters, and where they lie.
int draw_letters(const ContractOptions& options, const Session& session) {
  const Subscripts subscripts = parse_subscripts(options.text);
  std::vector<StridedArray> arrays;
  const bool has_files = !options.b.empty() || !options.more.empty() ||
                         !options.strides_a.empty() || !options.strides_b.empty();
  if (options.a.empty() && !has_files)
    arrays = packed_operands(subscripts, letter_counts(options.extents));
  else
    for (ArrayFile& file : read_files(options, subscripts, Contents::no))
      arrays.push_back(std::move(file.lies));
  const std::size_t operands = arrays.size();
  for (const ContractionStep& step : contraction_order(subscripts, arrays)) {
    std::vector<StridedArray> pair;
    for (const std::size_t operand : step.operands) pair.push_back(arrays[operand]);
    session.out << (arrays.size() == operands ? "" : "\n") << to_string(step.subscripts) << "\n"
                << letters_table(step.subscripts, contraction_modes(step.subscripts, pair));
    arrays.push_back({step.extents, {}});
  }
  return kDone;
}

int run_contract(const ContractOptions& options, const Session& session) {
  if (options.draw) return draw_letters(options, session);
  const Subscripts subscripts = parse_subscripts(options.text);
  std::vector<ArrayFile> files = read_files(options, subscripts, Contents::yes);
  std::vector<StridedArray> arrays;
  for (const ArrayFile& file : files) arrays.push_back(file.lies);
  const std::vector<ContractionStep> steps = contraction_order(subscripts, arrays);
  std::vector<Conversion> conversions;
  std::vector<HeldArray> operands = operands_of(files, options, conversions);
  const AskedTypes first{operands.front().type, operands.back().type};
  const DType result_type = product_like(options.product, first).d.type;
  Products products(options.product, session);
  for (const ContractionStep& step : steps) {
    std::vector<const HeldArray*> pair;
    for (const std::size_t operand : step.operands) pair.push_back(&operands[operand]);
    const ChainPlace place = &step == &steps.back() ? ChainPlace::last : ChainPlace::between;
    const ProductOptions product = options_of_step(
        options.product, place, {pair.front()->type, pair.back()->type}, result_type);
    operands.push_back(multiplied(products, product, place, step, pair, conversions));
  }
  HeldArray& result = operands.back();
  return products.deliver({.descr = std::string(npy_descr(result.type)),
                           .fortran_order = false,
                           .shape = result.lies.extents,
                           .bytes = std::move(result.bytes)});
}

}  // namespace

void add_contract(Command& jute) {
  auto options = std::make_shared<ContractOptions>();
  Command& sub =
      jute.add("contract", "Multiply arrays by einsum's letters",
               "jute contract 'abk,kcd->acdb' --draw --extents a=64,b=64,k=1024,c=64,d=32");
  sub.option("TEXT", &options->text, "Letters of each operand and of the result: \"ij,jk->ik\"")
      .required();
  sub.option("--a A.npy", &options->a, "The first operand, an axis a letter").takes(Strays::word);
  sub.option("--b B.npy", &options->b, "The second one").takes(Strays::word);
  sub.option("--operand X.npy", &options->more, "Further ones, in order");
  sub.option("--strides-a INT,…", &options->strides_a,
             "Elements between neighbours along each letter of a, where not the file's own");
  sub.option("--strides-b INT,…", &options->strides_b, "Likewise of b");
  sub.option("--extents a=N,…", &options->extents,
             "Of letters: with --strides-a and --strides-b, and for --draw without files");
  sub.option("--draw", &options->draw, "Show which letter lies where, and multiply nothing")
      .with_nothing_but({"--a", "--b", "--operand", "--strides-a", "--strides-b", "--extents",
                         "--color", "--quiet"});
  add_product_flags(sub, options->product);
  sub.run = [options](const Session& session) { return run_contract(*options, session); };
  sub.judge = [options](const Session& session) {
    if (options->draw)
      return judged_by([&](const Session& s) { return draw_letters(*options, s); })(session);
    const Subscripts subscripts = parse_subscripts(options->text);
    for (const std::string& file : files_of(*options))
      if (!file.empty() && !is_regular_file(file)) return;
    (void)read_files(*options, subscripts, Contents::no);
  };
}

}  // namespace jute::command
