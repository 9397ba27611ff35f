// Writes a finding as one line, and reads it.
#include <jute/base/error.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emulator/finding_line.hpp>

#include <vector>

namespace jute {
namespace {

// A finding has code, count, message; each party behind it kernel, block, thread, line, source,
// text.
constexpr size_t kFindingFields = 3;
constexpr size_t kPartyFields = 8;

void append(std::string& line, std::string_view text) {
  if (!line.empty()) line += '\t';
  for (const char c : text) {
    if (c == '\t')
      line += "\\t";
    else if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_mark = text[i] == '\\' && i + 1 < text.size();
    const char c = is_mark ? text[++i] : text[i];
    plain += !is_mark ? c : c == 't' ? '\t' : c == 'n' ? '\n' : c;
  }
  return plain;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    fields.push_back(unescaped(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

[[noreturn]] void refuse(std::string_view line) {
  jute::refuse(ErrorCode::bad_file, "finding", std::string(line.substr(0, 80)),
               "a line must hold a code, a count, a message and parties");
}

template <class Number>
Number number_of(const std::string& text, std::string_view line) {
  const auto number = parsed_number<Number>(text);
  if (!number) refuse(line);
  return *number;
}

}  // namespace

std::string to_line(const Finding& finding) {
  std::string line;
  append(line, finding.code);
  append(line, std::to_string(finding.count));
  append(line, finding.message);
  for (const Party& party : finding.parties) {
    append(line, party.kernel);
    for (const std::int64_t place : party.block) append(line, std::to_string(place));
    append(line, std::to_string(party.thread));
    append(line, std::to_string(party.ptx_line));
    append(line, party.source);
    append(line, party.text);
  }
  return line;
}

Finding parse_finding(std::string_view line) {
  const std::vector<std::string> fields = fields_of(line);
  if (fields.size() < kFindingFields || (fields.size() - kFindingFields) % kPartyFields != 0 ||
      fields[0].empty())
    refuse(line);
  Finding finding;
  finding.code = fields[0];
  finding.count = number_of<Index>(fields[1], line);
  finding.message = fields[2];
  for (size_t i = kFindingFields; i < fields.size(); i += kPartyFields) {
    Party party;
    party.kernel = fields[i];
    for (size_t axis = 0; axis < 3; ++axis)
      party.block[axis] = number_of<std::int64_t>(fields[i + 1 + axis], line);
    party.thread = number_of<int>(fields[i + 4], line);
    party.ptx_line = number_of<int>(fields[i + 5], line);
    party.source = fields[i + 6];
    party.text = fields[i + 7];
    finding.parties.push_back(std::move(party));
  }
  return finding;
}

}  // namespace jute
