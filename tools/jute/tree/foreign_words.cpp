// Words of other programs, and misspelled ones, in words of this one.
#include "tree/foreign_words.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <string_view>

#include "tree/option_value.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

// Words are compared in small letters, without dashes and '_'; with a '*' they are beginnings. A
// meaning says the same in options that the command must have, all of them: "{}" is the value,
// "{0}" an extent of it, "{name}" what was said, "{said}" the value or else the name, "{word}" the
// same as it was typed. Without a value it takes none: with one, it is only told what is near.
struct ForeignWord {
  std::string_view said, meant, or_else{};
};
/// Means a word for which jute has none, whatever is like it; what is so anyway is left out.
constexpr std::string_view kNothing = "-", kLeftOut = " ";
// clang-format off
/// Commands; the first of that name that there is.
constexpr ForeignWord kForeignCommands[] = {
    {"compile build", "cubin"},
    {"disasm",        "sass"},
    {"codegen emit",  "source"},
    {"matmul mm",     "gemm"},
    {"einsum",        "contract"},
    {"plot render",   "draw"},
    {"print calc",    "eval"},
    {"print",         "show"},
    {"describe",      "explain"},
    {"ls",            "list"},
    {"info",          "doctor"},
};
constexpr ForeignWord kForeignOptions[] = {
    // the problem: CUTLASS's profiler, cuBLAS, torch
    {"mnk shape problemsize",                   "--m {0} --n {1} --k {2}"},
    {"rows",                                    "--m {}"},
    {"computetype",                             "--acc {}"},
    {"fp16 half bf16 fp32 tf32 fp64 int8",      "--type {name}"},
    {"transa",                                  "--transpose-a", "--order-a col"},
    {"transb",                                  "--transpose-b", "--order-b col"},
    {"bias",                                    "--epilogue acc+bias[n] --input bias={}"},
    {"activation act relu gelu silu",           "--epilogue {said}(acc)"},
    {"channelslast",                            kLeftOut},
    {"offs",                                    "--ends {}"},
    {"numexperts",                              "--count {}"},
    {"np nprocpernode",                         "--mesh tp={}", "--count {}"},
    {"groupsize",                               "--block-b 1x{}", "--block-a 1x{}"},
    {"zeropoint",                               "--zero-b {}", "--zero-a {}"},
    // the kernel: CUTLASS, Triton
    {"threadblockshape",                        "--tile {}"},
    {"blocksize* blockm blockn blockk",         "--tile"},
    {"groupsizem",                              "--raster {}"},
    {"instruction",                             "--mma {}"},
    {"numwarps warps",                          kNothing},
    // the chip: nvcc
    {"gpu chip device",                         "--device-preset {}", "--arch {}"},
    {"gpuarchitecture target sm computecapability", "--arch {}"},
    {"backend",                                 "--device {}"},
    {"-I* -D* usefastmath std maxrregcount fmad", "--nvrtc {word}"},
    // a run: compute-sanitizer, ncu, torchrun
    {"iterations iters",                        "--repeat {}"},
    {"validate",                                "--verify"},
    {"tool",                                    "--check {}"},
    {"out save",                                "--output {}"},
    {"silent",                                  "--quiet"},
    {"e expr layout",                           "{}"},
    {"vs with",                                 "--beside {}"},
};
// clang-format on

/// As the tables have words: small letters, without dashes and '_'.
std::string folded(std::string_view word) {
  std::string text = lower_case(std::string(word));
  std::erase_if(text, [](char c) { return c == '-' || c == '_'; });
  return text;
}

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

bool is_said(const ForeignWord& row, const std::string& name) {
  return std::ranges::any_of(words_in(row.said), [&](std::string word) {
    if (!word.ends_with('*')) return folded(name) == word;
    word.pop_back();
    return name.starts_with(word) || folded(name).starts_with(word);
  });
}

/// Has a name a word, or the beginning of one, for each of the other's?
bool has_words_of(const Words& words, const Words& others) {
  return std::ranges::all_of(others, [&](const std::string& other) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return word.starts_with(other) || other.starts_with(word);
    });
  });
}

/// How many letters two names have in common at their beginning and their end.
size_t common_letters(const std::string& a, const std::string& b) {
  const auto first = std::ranges::mismatch(a, b);
  const auto begin = static_cast<size_t>(first.in1 - a.begin());
  const size_t most = std::min(a.size(), b.size()) - begin;
  size_t end = 0;
  while (end < most && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return begin + end;
}

/// Is a name so near another that what it stands for was meant, not only one that is like it?
bool is_close(std::string name, std::string other) {
  std::ranges::replace(name, '_', '-');
  std::string a = folded(name), b = folded(other);
  constexpr size_t kLong = 8, kShort = 4;
  const size_t letters = std::max(a.size(), b.size());
  const size_t most = letters >= kLong ? 2 : letters >= kShort ? 1 : 0;
  if (a.starts_with(b) || b.starts_with(a)) return true;
  if (b.size() >= kShort && a.ends_with(b)) return true;
  if (common_letters(a, b) + most >= letters) return true;
  const Words words = words_in(without_dashes(name), '-'),
              others = words_in(without_dashes(other), '-');
  if (has_words_of(words, others) || has_words_of(others, words)) return true;
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

/// The nearest name, if it is close; the first and the last, where several are equally near.
Words nearest_names(const std::string& name, Words names) {
  const auto first = nearest_name(name, names);
  std::ranges::reverse(names);
  const auto last = nearest_name(name, names);
  if (!first || !is_close(name, *first)) return {};
  return first == last ? Words{*first} : Words{*first, *last};
}

bool is_option(std::string_view word) { return word.starts_with('-'); }

bool has_positional(const PlacedCommand& command) {
  return std::ranges::any_of(command.options,
                             [](const Option* option) { return !option->is_named(); });
}

/// A value that stands as a word of its own behind what takes none: an argument of the command.
std::optional<Words> beside_value(Words words, const Said& unknown, const Reading& line) {
  if (!unknown.value) return words;
  if (unknown.words != 2 || !has_positional(line.command)) return std::nullopt;
  words.push_back(*unknown.value);
  return words;
}

/// A row's words with what was said in their holes.
std::optional<Words> filled(std::string_view meant, const Said& unknown, const Reading& line) {
  struct Hole {
    std::string_view mark;
    std::string with;
    bool takes_value = true;
  };
  const std::string value = unknown.value.value_or("");
  const bool is_one = unknown.words == 1;
  const std::string whole = is_one && unknown.value ? unknown.typed + "=" + value : unknown.typed;
  const std::string name = folded(unknown.name);
  std::vector<Hole> holes{{"{}", value},
                          {"{word}", whole, is_one},
                          {"{name}", name, false},
                          {"{said}", value.empty() ? name : value, !value.empty()}};
  std::string extents = value;
  std::ranges::replace(extents, 'x', ',');
  if (const Words parts = words_in(extents, ','); parts.size() == 3)
    holes.insert(holes.end(), {{"{0}", parts[0]}, {"{1}", parts[1]}, {"{2}", parts[2]}});
  Words words = words_in(meant);
  bool takes_value = false;
  for (std::string& word : words) {
    for (const Hole& hole : holes)
      if (const size_t at = word.find(hole.mark); at != std::string::npos) {
        word.replace(at, hole.mark.size(), hole.with);
        takes_value |= hole.takes_value;
      }
    if (word == "{0}") return std::nullopt;
  }
  if (!takes_value) return beside_value(std::move(words), unknown, line);
  if (!unknown.value && meant.find("{word}") == std::string_view::npos) return std::nullopt;
  return words;
}

/// The table's meanings of the word, in options that the command takes and was not told.
std::vector<Meaning> of_table(const Said& unknown, const Reading& line) {
  std::vector<Meaning> list;
  for (const ForeignWord& row : kForeignOptions) {
    if (!is_said(row, unknown.name)) continue;
    if (row.meant == kNothing) return {Meaning{}};
    for (const std::string_view meant : {row.meant, row.or_else}) {
      if (meant.empty()) continue;
      Words options = words_in(meant);
      std::erase_if(options, [](const std::string& word) { return !is_option(word); });
      const bool is_taken = std::ranges::all_of(
          options, [&](const std::string& option) { return line.command.find(option); });
      if (is_taken && (!meant.starts_with('{') || has_positional(line.command)))
        list.push_back({options.empty() ? "" : options.front(), filled(meant, unknown, line)});
    }
  }
  return list;
}

/// A flag that is a word of an option here, --cpu for --device emulator, or says no to one:
/// --no-color for --color never.
std::vector<Meaning> of_values(const Said& unknown, const Reading& line) {
  std::vector<Meaning> list;
  const std::string name(without_dashes(unknown.name)), letters = folded(name);
  if (name.size() == 1) return list;  // letters are options
  for (const Option* option : line.command.options) {
    const bool is_denied = letters == "no" + folded(spoken_name(*option));
    if (const auto word = word_meant(*option, is_denied ? "no" : name))
      list.push_back(
          {spoken_name(*option), beside_value({spoken_name(*option), *word}, unknown, line)});
  }
  return list;
}

/// The option whose description begins with that word: --cols for --n, "Columns of B and D".
std::vector<Meaning> of_descriptions(const Said& unknown, const Reading& line) {
  constexpr size_t kFewest = 3;
  std::string stem = folded(unknown.name);
  if (stem.ends_with('s')) stem.pop_back();
  if (stem.size() < kFewest || !unknown.value) return {};
  for (const Option* option : line.command.options) {
    std::string about = option->description;
    std::erase(about, ' ');
    if (option->is_named() && !option->is_flag() && folded(about).starts_with(stem))
      return {{spoken_name(*option), Words{spoken_name(*option), *unknown.value}}};
  }
  return {};
}

/// The options of that letter, or of the same in the other case; of longer names the argument that
/// is called so, or the nearest, compared without their dashes, which are no likeness.
std::vector<std::string> nearest_options(std::string_view name, const PlacedCommand& command) {
  std::vector<std::string> names{"--help", "--help-all"}, same, likely;
  if (command.line == command.command.name) names.emplace_back("--version");
  for (const Option* option : command.options)
    for (const std::string& known : option->names)
      if (is_option(known)) names.push_back(known);
  if (name.size() == 1) {
    for (const std::string& known : names) {
      if (without_dashes(known) == name) same.push_back(known);
      if (folded(known) == folded(name)) likely.push_back(known);
    }
    return same.empty() ? likely : same;
  }
  for (const Option* option : command.options) {
    if (!option->is_named() && folded(option->names.front()) == folded(name))
      return {option->names.front()};
    for (const std::string& other : option->also)
      if (folded(other) == folded(name)) return {spoken_name(*option)};
  }
  std::erase_if(names, [](const std::string& known) { return !known.starts_with("--"); });
  for (std::string& known : names) known.erase(0, 2);
  constexpr std::string_view kNumber = "num";
  likely = nearest_names(std::string(name), names);
  if (likely.empty() && folded(name).starts_with(kNumber))
    likely = nearest_names(folded(name).substr(kNumber.size()), names);
  for (std::string& known : likely) known.insert(0, "--");
  return likely;
}

/// The words behind a command that lead to one below it of that name; none where there is none.
Words words_to(std::string_view name, const Command& above) {
  for (const PlacedCommand& placed : all_commands(above)) {
    if (placed.command.name != name || &placed.command == &above) continue;
    Words words = words_in(placed.line);
    words.erase(words.begin());
    return words;
  }
  return {};
}

/// The command that takes such a word as an argument.
std::string_view command_of_argument(const std::string& word) {
  const Catalogue catalogue;
  if (word.ends_with(".ptx") || word.ends_with(".cu")) return "emulate";
  if (word.find_first_of("(:") != std::string::npos) return "eval";
  return catalogue.try_mma(word) || catalogue.try_copy(word) ? "show" : "";
}

}  // namespace

std::vector<Meaning> meanings(const Said& unknown, const Reading& line) {
  if (auto list = of_table(unknown, line); !list.empty()) return list;
  if (auto list = of_values(unknown, line); !list.empty()) return list;
  // A letter of another command's is a letter; a longer name is none that is misspelled.
  const bool is_elsewhere = unknown.typed.size() > 2 && !line.elsewhere(unknown.typed).empty();
  std::vector<Meaning> list;
  if (is_elsewhere) return of_descriptions(unknown, line);
  const std::string value = unknown.value.value_or("");
  for (const std::string& name : nearest_options(without_dashes(unknown.name), line.command)) {
    if (is_option(name) && unknown.words == 2)
      list.push_back({name, Words{name, value}});
    else if (is_option(name))
      list.push_back({name, Words{unknown.value ? name + "=" + value : name}});
    else if (unknown.value)
      list.push_back({"", Words{value}});
  }
  return list.empty() ? of_descriptions(unknown, line) : list;
}

std::vector<Meaning> command_meanings(const std::string& word, const PlacedCommand& above) {
  if (folded(word) == "version" && above.line == above.command.name)
    return {{"--version", Words{"--version"}}};
  for (const ForeignWord& row : kForeignCommands)
    if (const Words words = words_to(row.meant, above.command);
        !words.empty() && is_said(row, word))
      return {{joined(words, " "), words}};
  if (const Words words = words_to(word, above.command); !words.empty())
    return {{joined(words, " "), words}};
  if (Words words = words_to(command_of_argument(word), above.command); !words.empty()) {
    const std::string nearest = joined(words, " ");
    words.push_back(word);
    return {{nearest, words}};
  }
  std::vector<std::string> names;
  for (const Command& command : above.command.commands) names.push_back(command.name);
  std::vector<Meaning> list;
  for (const std::string& name : nearest_names(word, names)) list.push_back({name, Words{name}});
  return list;
}

}  // namespace jute::command
