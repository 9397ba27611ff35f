// Mending a line until its command judges it right.
#include "command/way_out.hpp"

#include <algorithm>
#include <iostream>

#include "command/command_line.hpp"
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

  explicit JudgedLine(const std::vector<std::string>& words)
      : jute(jute_command(common)), request(parse(jute, "jute", words)) {
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
  explicit Mending(const Words& typed) : seen_{typed} {}

  /// The line to which edits for the mistake lead. Where several are taken, it is not known which
  /// was meant; one that is taken at once is rather than one that is mended further.
  std::optional<Words> follow(const Words& line, const Error& mistake) {
    CommonOptions common;
    const Command jute = jute_command(common);
    const Reading reading = read_line(jute, line);
    std::vector<Words> taken, mended;
    for (const Edit& edit : edits_for(line, reading, mistake)) {
      Words next = edited(line, edit);
      if (std::ranges::find(seen_, next) != seen_.end() || seen_.size() > kMostJudged) continue;
      if (seen_.size() > 1 && changes_problem(reading, edit, mistake)) continue;
      seen_.push_back(next);
      const JudgedLine judged(next);
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
  std::vector<Words> seen_;
};

}  // namespace

std::optional<Words> way_out(const Words& words, const Error& error) {
  return Mending(words).follow(words, error);
}

}  // namespace jute::command
