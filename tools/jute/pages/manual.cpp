// The words of manual and reference on a command, and the manual's pages for man.
#include "pages/manual.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>

#include "pages/facts.hpp"

namespace jute::command {

std::string heading_of(const Option& option) {
  const bool has_type = !option.is_flag() && option.is_named();
  return joined(option.names, ", ") + (has_type ? " " + option.type_name : "");
}

std::string limits_of(const Option& option) {
  std::vector<std::string> parts;
  if (const auto* words = std::get_if<Words>(&option.allowed))
    parts.push_back(joined(*words, ", "));
  if (const auto* range = std::get_if<Range>(&option.allowed))
    parts.push_back(std::to_string(range->least) + " to " + std::to_string(range->most));
  if (std::holds_alternative<NonNegative>(option.allowed)) parts.emplace_back("0 or more");
  if (std::holds_alternative<Limit>(option.allowed)) parts.emplace_back("1 or more");
  if (!option.default_text.empty()) parts.push_back("default " + option.default_text);
  if (!option.needs.empty()) parts.push_back("with " + joined(option.needs, " or "));
  if (!option.company.empty()) parts.push_back("with nothing but " + joined(option.company, ", "));
  if (!option.excludes.empty()) parts.push_back("not with " + joined(option.excludes, ", "));
  return joined(parts, "; ");
}

std::vector<std::pair<std::string, std::vector<const Option*>>> grouped(
    const std::vector<const Option*>& options) {
  std::vector<std::pair<std::string, std::vector<const Option*>>> groups{{"", {}}};
  for (const Option* option : options) {
    const auto same = [&](const auto& group) { return group.first == option->group; };
    auto found = std::ranges::find_if(groups, same);
    if (found == groups.end()) found = groups.insert(groups.end(), {option->group, {}});
    found->second.push_back(option);
  }
  return groups;
}

std::string synopsis_of(const PlacedCommand& at) {
  std::string text = at.line + (at.command.commands.empty() ? "" : " COMMAND") + " [OPTION]...";
  for (const Option* option : at.options) {
    if (option->is_named()) continue;
    const bool many = option->takes_many();
    const std::string word = option->names.front() + (many ? "..." : "");
    text += option->is_required ? " " + word : " [" + word + "]";
  }
  return text;
}

namespace {

/// Text as roff prints it: no request, no escape, no typographic dash.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '`')
      continue;
    else
      out += c;
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string dashed(std::string line) {
  std::ranges::replace(line, ' ', '-');
  return line;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string entry(const Option& option) {
  const std::string limits = limits_of(option);
  return ".TP\n.B " + roff(heading_of(option)) + "\n" + roff(option.description) +
         (limits.empty() ? "" : roff(" (" + limits + ")")) + "\n";
}

std::string entries(const PlacedCommand& at) {
  std::string text;
  for (const auto& [heading, options] : grouped(at.options)) {
    if (options.empty()) continue;
    text += heading.empty() ? ".SH OPTIONS\n" : ".SS " + roff(heading) + "\n";
    for (const Option* option : options) text += entry(*option);
  }
  return text;
}

/// Options that every command shares stand on the first page alone.
std::string shared_part() {
  std::string text = ".SH EXIT STATUS\n";
  for (const StatusFact& fact : status_facts())
    text +=
        ".TP\n.B " + std::to_string(fact.status) + "\n" + roff(std::string(fact.meaning)) + "\n";
  text += ".SH ENVIRONMENT\n";
  for (const VariableFact& fact : variable_facts())
    text += ".TP\n.B " + std::string(fact.name) + "\n" + roff(std::string(fact.meaning)) + "\n";
  return text;
}

std::string see_also(const PlacedCommand& at, const std::vector<PlacedCommand>& all) {
  std::vector<std::string> pages;
  for (const PlacedCommand& other : all) {
    const bool is_below = std::ranges::any_of(
        at.command.commands, [&](const Command& below) { return &below == &other.command; });
    const bool is_above = std::ranges::any_of(
        other.command.commands, [&](const Command& below) { return &below == &at.command; });
    if (is_below || is_above) pages.push_back(".BR " + roff(dashed(other.line)) + " (1)");
  }
  return pages.empty() ? "" : ".SH SEE ALSO\n" + joined(pages, ",\n") + "\n";
}

}  // namespace

std::vector<NamedText> man_pages(const Command& root, const std::string& version) {
  std::vector<NamedText> pages;
  const std::vector<PlacedCommand> all = all_commands(root);
  for (const PlacedCommand& at : all) {
    const std::string name = dashed(at.line);
    std::string text = ".TH " + upper(roff(name)) + " 1 \"\" \"jute " + version + "\" \"jute\"\n";
    text += ".SH NAME\n" + roff(name) + " \\- " + roff(at.command.description) + "\n";
    text += ".SH SYNOPSIS\n.B " + roff(synopsis_of(at)) + "\n" + entries(at);
    text += ".SH EXAMPLE\n.nf\n" + roff(at.command.example) + "\n.fi\n";
    if (&at.command == &root) text += shared_part();
    pages.emplace_back(name + ".1", text + see_also(at, all));
  }
  return pages;
}

}  // namespace jute::command
