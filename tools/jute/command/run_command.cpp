// Parses, runs one subcommand, turns every failure into a message and a status.
#include "command/run_command.hpp"

#include <jute/base/cause.hpp>
#include <jute/base/error.hpp>
#include <jute/bundle/bundle.hpp>
#include <jute/plan/ask/old_words.hpp>
#include <jute/version.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "tree/parser.hpp"
#include "tree/reading.hpp"
#include "tree/suggestion.hpp"

namespace jute::command {
namespace {

/// So many lines are judged: one has no more mistakes, or is beyond mending.
constexpr int kMostJudged = 16;

/// A command line and what its command says about it.
struct JudgedLine {
  CommonOptions common;
  Command jute;
  Request request;
  std::optional<Error> mistake;

  JudgedLine(MakeTree tree, const std::vector<std::string>& words)
      : jute(tree(common)), request(parse(jute, "jute", words)) {
    if (request.kind == Request::Kind::mistake) mistake = request.mistake;
    if (request.kind != Request::Kind::run) return;
    if (request.command->judge) judge();
  }

 private:
  void judge() {
    try {
      check_common(*request.command, common);
      request.command->judge({common, std::cout, std::cerr});
    } catch (const Exception& exception) {
      mistake = exception.error();
    } catch (const UsageError& error) {
      mistake = error.error();
    }
  }
};

/// Would what is computed become another, for the sake of words that were mended before?
bool changes_problem(const Reading& reading, const Edit& edit, const Error& mistake) {
  if (mistake.code == ErrorCode::syntax || mistake.code == ErrorCode::unknown_name) return false;
  return std::ranges::any_of(reading.said, [&](const Said& said) {
    const bool is_edited = said.at >= edit.at && said.at < edit.at + edit.words;
    return is_edited && said.option != nullptr && said.option->group == "Problem";
  });
}

/// Follows edits until nothing is refused.
class Mending {
 public:
  Mending(MakeTree tree, const Words& typed) : tree_(tree), seen_{typed} {}

  /// The line to which edits for the mistake lead. Where several are taken, it is not known which
  /// was meant; one that is taken at once is rather than one that is mended further.
  std::optional<Words> follow(const Words& line, const Error& mistake) {
    CommonOptions common;
    const Command jute = tree_(common);
    const Reading reading = read_line(jute, line);
    std::vector<Words> taken, mended;
    for (const Edit& edit : edits_for(line, reading, mistake)) {
      Words next = edited(line, edit);
      if (std::ranges::find(seen_, next) != seen_.end() || seen_.size() > kMostJudged) continue;
      if (seen_.size() > 1 && changes_problem(reading, edit, mistake)) continue;
      seen_.push_back(next);
      const JudgedLine judged(tree_, next);
      if (!keeps_the_rest(reading, read_line(judged.jute, next), edit)) continue;
      if (!judged.mistake)
        taken.push_back(std::move(next));
      else if (auto further = follow(next, *judged.mistake))
        mended.push_back(*std::move(further));
    }
    if (taken.empty()) taken = std::move(mended);
    return taken.size() == 1 ? std::optional(taken.front()) : std::nullopt;
  }

 private:
  MakeTree tree_;
  std::vector<Words> seen_;
};

/// The command line, for what is told when it goes wrong.
struct CommandLine {
  MakeTree tree;
  const std::vector<std::string>& typed;
  const std::vector<std::string>& words;  ///< what was typed in today's words
  bool json = false, quiet = false;
};

/// The line that says the same but for what was wrong in it: one word after the other replaced by
/// the nearest legal one, until the command, which judges its arguments without doing its work,
/// refuses none. Whatever else was typed is read there as it was. Nothing where there is no such
/// line, where several are as near, or where looking for it fails too.
std::string repaired(const CommandLine& line, const Error& error) {
  try {
    const auto words = Mending(line.tree, line.words).follow(line.words, error);
    return words ? "jute " + shell_line(*words) : std::string();
  } catch (const std::exception&) {
    return {};
  }
}

/// The command's example, where it has all of the line's words: an example in place of what
/// somebody typed would throw that away.
std::string example(const Command& command, const CommandLine& line) {
  std::vector<std::string> shown(1);
  for (const char c : command.example)
    if (c == ' ')
      shown.emplace_back();
    else
      shown.back() += c;
  const bool is_longer = std::ranges::all_of(line.words, [&](const std::string& word) {
    return std::ranges::find(shown, word) != shown.end();
  });
  return is_longer ? command.example : std::string();
}

int tell_usage(const Command& command, const Error& mistake, const CommandLine& line) {
  const std::string works = repaired(line, mistake);
  tell(std::cerr, mistake,
       {.code = "usage",
        .works = works.empty() ? example(command, line) : works,
        .json = line.json});
  return kBadInput;
}

int tell_refusal(const Error& error, const CommandLine& line) {
  tell(std::cerr, error,
       {.works = repaired(line, error), .detail = !line.quiet, .json = line.json});
  return exit_status(error.code);
}

int tell_memory(const CommandLine& line) {
  return tell_refusal({.code = ErrorCode::out_of_memory,
                       .operand = "host memory",
                       .violated_rules = {"the machine must have enough for this request"}},
                      line);
}

/// `status`, where standard output took everything.
int flushed(int status, const CommandLine& line) {
  std::cout.flush();
  if (std::cout) return status;
  return tell_refusal({.code = ErrorCode::unwritable,
                       .operand = "standard output",
                       .violated_rules = {"it must take all that is written"}},
                      line);
}

/// Did text not compile that the caller wrote? That is input.
bool is_of_templates(const Error& error, const Session& session) {
  return error.code == ErrorCode::compile_failed &&
         !session.templates_folder(session.settings()).empty();
}

std::string as_option(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

/// Where a name of before was read, in the line or in a file, what it is called now.
void tell_old_word(const CommandLine& line) {
  const OldWord* const word = old_word_read();
  if (word == nullptr || line.quiet || line.json) return;
  std::cerr << "jute: note: "
            << (word->choice.empty() ? std::string() : std::string(word->choice) + "=") << word->old
            << " is called " << word->now << " now\n";
}

/// The line in today's names of options and their words.
std::vector<std::string> in_todays_words(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  std::string before;
  for (std::string word : words) {
    const size_t equals = word.find('=');
    const std::string option = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals);
    for (const OldWord& one : old_words()) {
      const std::string old = "--" + std::string(one.choice.empty() ? one.old : one.choice);
      if (one.choice.empty() && option == old)
        word = "--" + as_option(today_of("", one.old)) + value;
      else if (!one.choice.empty() && before == old && word == one.old)
        word = today_of(one.choice, word);
      else if (!one.choice.empty() && option == old && value == "=" + std::string(one.old))
        word = option + "=" + std::string(today_of(one.choice, one.old));
    }
    before = word;
    result.push_back(std::move(word));
  }
  return result;
}

int run(const Command& command, const CommonOptions& common, const CommandLine& line) {
  const Session session{common, std::cout, std::cerr, line.typed};
  try {
    check_common(command, common);
    const int status = command.run(session);
    tell_old_word(line);
    return flushed(status, line);
  } catch (const Exception& exception) {
    std::cout.flush();
    const int status = tell_refusal(exception.error(), line);
    return is_of_templates(exception.error(), session) ? kBadInput : status;
  } catch (const UsageError& error) {
    return tell_usage(command, error.error(), line);
  }
}

/// The text of --version: for programs with the number that headers compare.
std::string version_text(bool is_json) {
  if (!is_json) return "jute " JUTE_VERSION_TEXT;
  return Json{{"name", "jute"},
              {"version", JUTE_VERSION_TEXT},
              {"number", JUTE_VERSION},
              {"bundle_version", kBundleVersion}}
      .text();
}

int parse_and_run(MakeTree tree, const std::vector<std::string>& typed,
                  const std::vector<std::string>& words) {
  CommonOptions common;
  const Command jute = tree(common);
  // A mistake ends the reading before a flag behind it is seen, and so does --version.
  const bool has_json = std::ranges::find(words, "--json") != words.end();
  const Request request = parse(jute, version_text(has_json), words);
  if (request.kind == Request::Kind::mistake)
    if (const std::vector<std::string> today = in_todays_words(words); today != words)
      return parse_and_run(tree, typed, today);
  const bool json = common.json || has_json;
  const CommandLine line{tree, typed, words, json, common.quiet};
  switch (request.kind) {
    case Request::Kind::run:
      return run(*request.command, common, line);
    case Request::Kind::print:
      std::cout << request.text;
      return flushed(kDone, line);
    case Request::Kind::mistake:
      break;
  }
  return tell_usage(*request.command, request.mistake, line);
}

/// No failure of a line leaves but as a message and a status.
int guarded(MakeTree tree, const std::vector<std::string>& words) {
  const CommandLine line{tree, words, words, std::ranges::find(words, "--json") != words.end()};
  try {
    return parse_and_run(tree, words, words);
  } catch (const std::bad_alloc&) {
    return tell_memory(line);
  } catch (const std::length_error&) {
    return tell_memory(line);
  } catch (const std::exception&) {
    return tell_refusal(current_error(), line);
  }
}

/// Where there is no memory left even to tell so.
int tell_without_memory() {
  static constexpr std::string_view kText =
      "jute: out_of_memory: host memory: the machine must have enough for this request\n";
  (void)!::write(STDERR_FILENO, kText.data(), kText.size());
  return kEnvironmentLacks;
}

/// Where a standard stream is closed, the next file to be opened would take its number, and what is
/// printed would go into that file.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);  // writing to it fails
}

}  // namespace

int run_command(int count, const char* const* arguments, MakeTree tree) {
  try {
    keep_standard_streams();
    std::ios::sync_with_stdio(false);
    return guarded(tree, {arguments + std::min(count, 1), arguments + count});
  } catch (const std::exception&) {
    return tell_without_memory();
  }
}

}  // namespace jute::command
