// Lines with other programs' words, in words of this one.
#include "tree/foreign_words.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <sstream>
#include <string_view>

#include "tree/suggestion.hpp"

namespace jute::command {
namespace {

enum class Takes : std::uint8_t {
  nothing,
  value,     ///< behind an equals sign, or as the next word unless it begins with a dash
  word,      ///< behind an equals sign, or as the next word
  attached,  ///< behind an equals sign
};

struct ForeignWord {
  std::string_view said;
  std::string_view meant;
  Takes takes = Takes::value;
};
constexpr std::array kForeignWords{
#include "tree/foreign_words.inc"
};

/// One extent of what is a single value here.
struct ForeignPart {
  std::string_view said;
  std::string_view option;
  size_t place = 0, count = 0;
};
// clang-format off
constexpr std::array kForeignParts{
    ForeignPart{"blockm", "--tile", 0, 3},     ForeignPart{"blockn", "--tile", 1, 3},     ForeignPart{"blockk", "--tile", 2, 3},
    ForeignPart{"blocksizem", "--tile", 0, 3}, ForeignPart{"blocksizen", "--tile", 1, 3}, ForeignPart{"blocksizek", "--tile", 2, 3},
    ForeignPart{"ctam", "--tile", 0, 3},       ForeignPart{"ctan", "--tile", 1, 3},       ForeignPart{"ctak", "--tile", 2, 3},
    ForeignPart{"tilem", "--tile", 0, 3},      ForeignPart{"tilen", "--tile", 1, 3},      ForeignPart{"tilek", "--tile", 2, 3},
    ForeignPart{"bm", "--tile", 0, 3},         ForeignPart{"bn", "--tile", 1, 3},         ForeignPart{"bk", "--tile", 2, 3},
    ForeignPart{"clusterm", "--cluster", 0, 2}, ForeignPart{"clustern", "--cluster", 1, 2},
};

/// Commands of other programs.
constexpr std::pair<std::string_view, std::string_view> kForeignCommands[] = {
    {"compile", "cubin"},     {"build", "cubin"},       {"assemble", "cubin"},   {"nvcc", "cubin"},
    {"asm", "sass"},          {"disasm", "sass"},       {"disassemble", "sass"}, {"nvdisasm", "sass"},
    {"cuobjdump", "sass"},    {"emit", "source"},       {"generate", "source"},  {"codegen", "source"},
    {"cuda", "source"},       {"code", "source"},       {"matmul", "gemm"},
    {"mm", "gemm"},           {"bmm", "gemm"},          {"addmm", "gemm"},       {"dot", "gemm"},
    {"multiply", "gemm"},     {"profile", "emulate"},   {"ncu", "emulate"},      {"memcheck", "emulate"},
    {"racecheck", "emulate"}, {"sanitize", "emulate"},  {"simulate", "emulate"}, {"sim", "emulate"},
    {"interpret", "emulate"}, {"debug", "emulate"},     {"launch", "emulate"},   {"benchmark", "bench"},
    {"race", "bench"},        {"perf", "bench"},        {"time", "bench"},       {"autotune", "tune"},
    {"optimize", "tune"},     {"visualize", "draw"},    {"viz", "draw"},         {"plot", "draw"},
    {"render", "draw"},       {"picture", "draw"},      {"svg", "draw"},         {"latex", "draw"},
    {"printlatex", "draw"},   {"show", "atom show"},    {"print", "eval"},       {"calc", "eval"},
    {"compute", "eval"},      {"repl", "eval"},         {"describe", "explain"}, {"analyze", "explain"},
    {"list", "atom list"},    {"ls", "atom list"},      {"instructions", "atom list"},
    {"verify", "atom verify"}, {"prove", "atom verify"}, {"info", "doctor"},      {"check", "doctor"},
    {"env", "doctor"},        {"diagnose", "doctor"},   {"devices", "doctor"},   {"clean", "cache clear"},
    {"clear", "cache clear"}, {"purge", "cache clear"}, {"fuse", "epilogue"},    {"page", "view"},
    {"choose", "plan"},       {"heuristic", "plan"},    {"heuristics", "plan"},
    {"version", "--version"}, {"ls", "cache list"},     {"dir", "cache path"},   {"where", "cache path"},
    {"print", "atom show"},   {"info", "atom show"},    {"check", "cache verify"},
};
// clang-format on

/// As tables have words: small letters, without dashes and '_'.
std::string folded(std::string_view word) {
  std::string text;
  for (const char c : word)
    if (c != '-' && c != '_')
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_said(const ForeignWord& row, const std::string& option) {
  if (!row.said.ends_with('*')) return folded(option) == row.said;
  const std::string_view begin = row.said.substr(0, row.said.size() - 1);
  return option.starts_with(begin);
}

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (separators.find(c) != std::string_view::npos)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool has_option(const PlacedCommand& command, const std::string& name) {
  return std::ranges::any_of(command.options, [&](const Option* option) {
    return std::ranges::find(option->names, name) != option->names.end();
  });
}

bool has_positional(const PlacedCommand& command) {
  return std::ranges::any_of(command.options, [](const Option* option) {
    return !option->names.front().starts_with('-');
  });
}

/// An option of a line, and what belongs to it.
struct Given {
  size_t at = 0, words = 1;
  std::optional<std::string> value;
};

std::optional<Given> given(const Words& line, const std::string& option, Takes takes) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i].starts_with(option + "=")) return Given{i, 1, line[i].substr(option.size() + 1)};
    if (line[i] != option) continue;
    const bool has_next =
        i + 1 < line.size() && (takes == Takes::word || !line[i + 1].starts_with('-'));
    if ((takes == Takes::value || takes == Takes::word) && has_next)
      return Given{i, 2, line[i + 1]};
    return Given{i, 1, std::nullopt};
  }
  return std::nullopt;
}

void replace_all(std::string& text, std::string_view hole, const std::string& value) {
  if (const size_t at = text.find(hole); at != std::string::npos)
    text.replace(at, hole.size(), value);
}

/// The words of a row for a value; a pair that lacks the value, or whose option the command has
/// not, is left out. Nothing where no word is left of a row that means something.
std::optional<Words> filled(std::string_view meant, const Given& given, const std::string& word,
                            const PlacedCommand& command) {
  const Words extents = parts_of(given.value.value_or(""), "x,*");
  Words result;
  std::istringstream text{std::string(meant)};
  std::string part, option;
  while (text >> part) {
    if (part.starts_with("--")) {
      option = part;
      if (has_option(command, option)) result.push_back(option);
      continue;
    }
    const bool is_kept = option.empty() || has_option(command, option);
    bool is_whole = given.value || part.find("{}") == std::string::npos;
    for (size_t i = 0; i < 3; ++i) {
      const std::string hole = "{" + std::to_string(i) + "}";
      if (part.find(hole) == std::string::npos) continue;
      is_whole = extents.size() == 3;
      if (is_whole) replace_all(part, hole, extents[i]);
    }
    if (is_kept && !is_whole) return std::nullopt;
    replace_all(part, "{}", given.value.value_or(""));
    replace_all(part, "{word}", word);
    if (is_kept) result.push_back(part);
  }
  return result;
}

/// Does the command take what the row means, and has it not been told?
bool is_row_for(const ForeignWord& row, const Words& line, const PlacedCommand& command) {
  if (row.meant.empty()) return true;
  const std::string first(row.meant.substr(0, row.meant.find(' ')));
  if (!first.starts_with("--")) return has_positional(command);
  return has_option(command, first) && (first == "--nvrtc" || !is_given(line, first));
}

/// The extents of one value that stand in the line as several.
std::optional<Translation> gathered(Words line, const ForeignPart& part,
                                    const PlacedCommand& command) {
  const std::string option(part.option);
  if (!has_option(command, option) || is_given(line, option)) return std::nullopt;
  Words extents(part.count);
  size_t first = line.size();
  for (size_t i = 0; i < line.size();) {
    const std::string name = line[i].substr(0, line[i].find('='));
    const auto row = std::ranges::find_if(kForeignParts, [&](const ForeignPart& other) {
      return other.option == part.option && name.starts_with('-') && folded(name) == other.said;
    });
    if (row == kForeignParts.end()) {
      ++i;
      continue;
    }
    const auto found =
        given(Words(line.begin() + static_cast<std::ptrdiff_t>(i), line.end()), name, Takes::value);
    extents[row->place] = found->value.value_or("");
    first = std::min(first, i);
    const auto at = line.begin() + static_cast<std::ptrdiff_t>(i);
    line.erase(at, at + static_cast<std::ptrdiff_t>(found->words));
  }
  if (std::ranges::find(extents, "") != extents.end()) return std::nullopt;
  const Words words{option, joined(extents, "x")};
  line.insert(line.begin() + static_cast<std::ptrdiff_t>(first), words.begin(), words.end());
  return Translation{std::move(line), option};
}

/// The commands for a word that stands behind `command` and is none of its own; empty: none.
Words commands_for(const std::string& word, const PlacedCommand& command) {
  const bool is_root = command.line == command.command.name;
  const auto below = [&](std::string_view meant) {
    Words words = parts_of(meant, " ");
    if (is_root) return words;
    const bool is_of_it = words.size() > 1 && words.front() == command.command.name;
    return is_of_it ? Words(words.begin() + 1, words.end()) : Words();
  };
  for (const auto& [said, meant] : kForeignCommands)
    if (folded(word) == said)
      if (Words words = below(meant); !words.empty()) return words;
  const std::string suffix = word.substr(std::min(word.rfind('.'), word.size()));
  std::string_view meant;
  const Catalogue catalogue;
  if (suffix == ".ptx" || suffix == ".cu")
    meant = "emulate";
  else if (word.find_first_of("(:") != std::string::npos)
    meant = "eval";
  else if (catalogue.try_mma(word) || catalogue.try_copy(word))
    meant = "atom show";
  if (meant.empty()) return {};
  Words words = below(meant);
  if (!words.empty()) words.push_back(word);
  return words;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
}

/// Three numbers, or their product as it is written: 64x64x64.
std::optional<Words> as_extents(const Words& strays) {
  Words extents = strays.size() == 1 ? parts_of(strays.front(), "x") : strays;
  if (extents.size() != 3 || !std::ranges::all_of(extents, is_number)) return std::nullopt;
  return extents;
}

}  // namespace

std::optional<Translation> translated_option(Words line, const std::string& option,
                                             const PlacedCommand& command) {
  for (const ForeignPart& part : kForeignParts)
    if (folded(option) == part.said) return gathered(std::move(line), part, command);
  for (const ForeignWord& row : kForeignWords) {
    if (!is_said(row, option) || !is_row_for(row, line, command)) continue;
    const auto found = given(line, option, row.takes);
    if (!found) return std::nullopt;
    const auto words = filled(row.meant, *found, line[found->at], command);
    if (!words) return std::nullopt;
    const auto at = line.begin() + static_cast<std::ptrdiff_t>(found->at);
    const auto behind = line.erase(at, at + static_cast<std::ptrdiff_t>(found->words));
    line.insert(behind, words->begin(), words->end());
    const bool is_option = !words->empty() && words->front().starts_with("--");
    return Translation{std::move(line), is_option ? words->front() : ""};
  }
  return std::nullopt;
}

std::optional<Translation> translated_command(Words line, const std::string& word,
                                              const PlacedCommand& command) {
  const auto at = std::ranges::find(line, word);
  const Words words = commands_for(word, command);
  if (at == line.end() || words.empty()) return std::nullopt;
  line.insert(line.erase(at), words.begin(), words.end());
  const bool has_word = words.back() == word;
  return Translation{std::move(line),
                     joined(std::span(words.data(), words.size() - (has_word ? 1 : 0)), " ")};
}

std::optional<Words> named_strays(Words line, const std::string& strays,
                                  const PlacedCommand& command) {
  const Words words = parts_of(strays, " ");
  const auto extents = as_extents(words);
  if (!extents && std::ranges::any_of(words, is_number)) return std::nullopt;
  std::vector<std::string> names;
  for (const Option* option : command.options) {
    const bool is_meant =
        extents ? option->strays == Strays::extent : option->strays == Strays::word;
    if (is_meant && !is_given(line, option->names.back())) names.push_back(option->names.back());
  }
  const Words& values = extents ? *extents : words;
  if (names.size() < values.size()) return std::nullopt;
  for (const std::string& word : words) {
    const auto at = std::find(line.rbegin(), line.rend(), word);
    if (at == line.rend()) return std::nullopt;
    line.erase(std::next(at).base());
  }
  for (size_t i = 0; i < values.size(); ++i) line.insert(line.end(), {names[i], values[i]});
  return line;
}

bool takes_strays(const PlacedCommand& command, const std::string& strays) {
  const bool are_numbers = std::ranges::all_of(parts_of(strays, " x"), is_number);
  return std::ranges::any_of(command.options, [&](const Option* option) {
    return option->strays == (are_numbers ? Strays::extent : Strays::word);
  });
}

}  // namespace jute::command
