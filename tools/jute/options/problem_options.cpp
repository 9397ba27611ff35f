// Problem flags: from text to Problem, Config and DeviceInfo.
#include "options/problem_options.hpp"

#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

#include "files/files.hpp"
#include "options/mesh_options.hpp"
#include "options/notation_options.hpp"
#include "options/read_flag.hpp"

namespace jute::command {
namespace {

DType read_type(const std::string& flag, const std::string& text) {
  return read_flag(flag, text, [](const std::string& name) { return parse_dtype(name); });
}

/// Of words that problems have.
std::vector<WordGroup> all_groups() {
  using About = WordGroup;
  return {About::extents,  About::types,  About::memory, About::scales,
          About::epilogue, About::groups, About::rows};
}

/// The flags that --problem stands for.
Words said_by_text() {
  Words flags = flags_of(all_groups());
  for (const char* flag : {"--input-type", "--output-type", "--contract", "--extents", "--conv",
                           "--gradient", "--part"})
    flags.emplace_back(flag);
  return flags;
}

/// The flags that letters, and shapes of images, stand for.
Words said_by_notation() {
  using About = WordGroup;
  Words flags = flags_of({About::extents, About::memory, About::groups, About::rows});
  std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("--align"); });
  flags.push_back(flag_of("gate"));
  return flags;
}

}  // namespace

void add_chip_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Problem"};
  Words arches, chips;
  for (const Arch arch : known_arches()) arches.push_back(to_string(arch));
  for (const DeviceInfo& chip : device_presets()) chips.push_back(chip.name);
  group.option("--arch", &options.arch, "Architecture: sm_90a, sm_80, …").offers(arches);
  group
      .option("--device-preset", &options.preset,
              "Chip to plan for: h200, a100, l40s, …, or its file")
      .offers(chips);
}

void add_type_flags(Command& command, ProblemOptions& options) {
  add_word_flags(command, options.said, WordGroup::types);
}

void add_problem_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Problem"};
  group
      .option("--problem", &options.text,
              "All of it in words: \"M=48 N=40 K=32 A=bf16:row\", as jute plan prints it")
      .usual()
      .without(said_by_text())
      .says = said_of_ranks;
  group
      .option("--contract TEXT", &options.contract,
              "The product that einsum's letters say: \"abk,kcd->acdb\", with --extents")
      .without(said_by_notation());
  group.option("--extents a=N,…", &options.extents, "Of --contract's letters: a=64,b=64,k=1024");
  group
      .option("--conv TEXT", &options.conv,
              "A convolution: \"x=32x56x56x64 w=256x3x3 stride=2 padding=1\"")
      .without(said_by_notation());
  group.option("--gradient", &options.gradient, "Of --conv: dx or dw instead of y")
      .one_of({"x", "w"});
  group
      .option("--part", &options.part,
              "Of --gradient x with strides: which of its problems, one for each remainder")
      .non_negative();
  add_word_flags(command, options.said, WordGroup::extents);
  add_type_flags(command, options);
  add_chip_flags(command, options);
  add_word_flags(command, options.said, WordGroup::memory);
  add_word_flags(command, options.said, WordGroup::scales);
  add_epilogue_flags(command, options);
  add_word_flags(command, options.said, WordGroup::groups);
  add_word_flags(command, options.said, WordGroup::rows);
}

void add_choice_flags(Command& command, ProblemOptions& options) {
  const OptionGroup group{command, "Choices"};
  group.option("--batch-invariant", &options.batch_invariant,
               "Sum every row in one order and arithmetic, whatever M is");
  add_word_flags(command, options.choices, WordGroup::choices);
  const auto widths = std::ranges::find_if(
      command.options, [](const Option& one) { return one.has_name("--widths"); });
  if (command.find("--problem") == nullptr)
    command.options.erase(widths);
  else if (command.find("--m-range") != nullptr)
    widths->with({"--m-range", "--problem"});
}

std::optional<MRange> m_range_of(const ProblemOptions& options) {
  if (!options.text.empty()) return problem_of(options).m_range;
  const std::string& range = options.said["m_range"];
  if (range.empty()) return std::nullopt;
  return read_flag("--m-range", range, parse_m_range);
}

bool is_whole_range(const ProblemOptions& options) {
  if (options.text.empty()) return !options.said["m_range"].empty() && options.said["M"].empty();
  const std::vector<Problem> parts = parse_parts(options.text);
  const Problem& problem = parts.front();
  return parts.size() == 1 && problem.m_range && problem.m == problem.m_range->last;
}

std::optional<EpilogueExpression> epilogue_of(const ProblemOptions& options) {
  if (const std::string& text = options.said["epilogue"]; !text.empty()) return read_epilogue(text);
  if (options.text.empty()) return std::nullopt;
  const Problem problem = problem_of(options);
  return problem.epilogue ? std::optional(problem.epilogue->expression) : std::nullopt;
}

AskedTypes asked_types(const ProblemOptions& options) {
  const auto read = [](const std::string& flag, const std::string& text) -> std::optional<DType> {
    if (text.empty()) return std::nullopt;
    return read_type(flag, text);
  };
  const auto both = read("--type", options.said["type"]),
             a = read("--type-a", options.said["type_a"]),
             b = read("--type-b", options.said["type_b"]);
  // A type that is only stored, 4 bits, says nothing of the other operand.
  const auto usual_by = [&](const std::optional<DType>& other) {
    if (both) return both;
    return other && is_stored_only(*other) ? std::nullopt : other;
  };
  return {a ? a : usual_by(b), b ? b : usual_by(a)};
}

/// Other programs say `row` and `col` with this word.
View read_layout(const std::string& flag, const std::string& text) {
  if (std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    const std::string order = flag == "--layout-d" ? "--order-c" : "--order-" + flag.substr(9);
    refuse_usage(flag, text,
                 "it must be a layout, as (64,32):(32,1); whether rows "
                 "or columns are contiguous " +
                     order + " says",
                 order);
  }
  return read_flag(flag, text, [](const std::string& layout) { return parse_view(layout); });
}

namespace {

/// Names of files where none hold the operands, and flags that say one thing twice.
void check_flags(const SaidFlags& said) {
  for (const TensorRole role : kAllTensors)
    if (is_of_blocks(role) && names_file(said[name(role)]))
      refuse_usage(flag_of(name(role)), said[name(role)],
                   "it must be a type where no files hold the operands: their numbers are in none "
                   "either",
                   "f32");
  for (const char* table : {"rows_a", "rows_d"})
    if (names_file(said[table]))
      throw UsageError(flag_of(table),
                       "it must say how many rows memory has where no file holds the operands, for "
                       "example " +
                           flag_of(table) + " 4096");
  for (const char* layout : {"layout_a", "layout_b", "layout_c", "layout_d"})
    if (!said[layout].empty()) (void)read_layout(flag_of(layout), said[layout]);
  for (const auto& [layout, order] :
       {std::pair{"layout_a", "order_a"}, std::pair{"layout_b", "order_b"}})
    if (!said[layout].empty() && !said[order].empty())
      throw UsageError(flag_of(order),
                       "it must stand without " + flag_of(layout) + ", which says it too");
}

void check_extents(const ProblemOptions& options, const std::optional<Groups>& groups) {
  const SaidFlags& said = options.said;
  const std::string_view bounded = said["bound"].empty() || !groups ? "" : cut_word(groups->kind);
  for (const char* extent : {"M", "N", "K"}) {
    const bool is_said = !said[extent].empty();
    if (extent == bounded && is_said)
      throw UsageError(flag_of(extent), "it must be left out: --bound says it of all groups");
    const bool is_range = extent == std::string_view("M") && !said["m_range"].empty();
    if (extent != bounded && !is_said && !is_range)
      throw UsageError(flag_of(extent),
                       "it must be given, for example " + flag_of(extent) + " 256");
  }
}

}  // namespace

bool names_file(const std::string& word) {
  return word.ends_with(".npy") || word.find('/') != std::string::npos;
}

Problem said_problem(const ProblemOptions& options, const std::vector<WordGroup>& groups,
                     std::vector<SaidWord> facts, const AskedTypes& usual) {
  const AskedTypes asked = asked_types(options);
  const DType a = asked.a.value_or(usual.a.value_or(DType::f32));
  const DType like_a = is_stored_only(a) ? DType::f32 : a;
  const DType b = asked.b.value_or(usual.b.value_or(like_a));
  for (const auto& [word, type] : {std::pair{"type_a", a}, std::pair{"type_b", b}})
    if (std::ranges::find(facts, word, &SaidWord::name) == facts.end())
      facts.push_back({word, std::string(name(type))});
  std::vector<SaidWord> words = words_of(options.said, groups, std::move(facts));
  std::erase_if(words, [](const SaidWord& word) { return word.name == "type"; });
  const bool has_epilogue = std::ranges::find(groups, WordGroup::epilogue) != groups.end();
  return has_epilogue ? with_named(std::move(words), options) : problem_of_flags(words);
}

Problem typed_problem(const ProblemOptions& options, const AskedTypes& usual) {
  return said_problem(options, {WordGroup::types, WordGroup::memory, WordGroup::scales},
                      {{"M", "0"}, {"N", "0"}, {"K", "0"}}, usual);
}

Problem problem_of(const ProblemOptions& options) {
  if (!options.text.empty()) return parse_problem(options.text);
  check_flags(options.said);
  if (is_notation(options)) {
    Problem problem = notation_problem(options, typed_problem(options));
    add_epilogue(problem, options);
    return problem;
  }
  const std::optional<Groups> groups = checked_groups(options.said, options.lists);
  check_extents(options, groups);
  std::vector<SaidWord> facts;
  if (groups) facts.push_back({"groups", to_string(*groups)});
  return said_problem(options, all_groups(), std::move(facts));
}

Config config_of(const ProblemOptions& options) {
  Config config;
  for (const Keyword& word : words_of_choices())
    if (const std::string& said = options.choices[word.name]; !said.empty())
      read_flag(std::string(word.flag), said,
                [&](const std::string& value) { choose(config, word.name, value); });
  if (config.widths && !options.text.empty() && !parse_parts(options.text).front().m_range)
    throw UsageError("--widths", "it needs a range of M, as M=1:64 is one");
  return config;
}

Config config_for(const ProblemOptions& options, const Problem& problem, const DeviceInfo& chip,
                  const Catalogue& catalogue) {
  const Config config = config_of(options);
  return options.batch_invariant ? batch_invariant(problem, chip, config, catalogue).config
                                 : config;
}

std::optional<DeviceInfo> chip_in_place(const ProblemOptions& options, const Settings& settings) {
  if (options.preset.empty()) return std::nullopt;
  return chip_of(options, settings);
}

DeviceInfo chip_of(const ProblemOptions& options, const Settings& settings) {
  const std::string& arch = options.arch.empty() ? settings.arch : options.arch;
  const std::string flag = options.arch.empty() ? "JUTE_ARCH" : "--arch";
  const auto parsed = [&] {
    return read_flag(flag, arch, [](const std::string& text) { return parse_arch(text); });
  };
  if (options.preset.empty()) return arch.empty() ? device_preset("h200") : preset_for(parsed());
  DeviceInfo chip = named_chip(options.preset);
  if (options.arch.empty()) return chip;
  // The chip's code for another target: an H200 that runs plain sm_80 code.
  const Arch target = parsed();
  if (!provides(chip.arch, target))
    refuse(ErrorCode::illegal_config, flag, to_string(target),
           "the chip must run it: " + chip.name + " is " + to_string(chip.arch),
           to_string(chip.arch));
  chip.arch = target;
  return chip;
}

DeviceInfo named_chip(const std::string& name) {
  const bool is_file = name.find('/') != std::string::npos || name.ends_with(".txt");
  return is_file ? device_of_chip_text(read_text(name)) : device_preset(name);
}

}  // namespace jute::command
