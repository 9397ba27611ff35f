#pragma once
// The commands of jute as a tree of values: what a command line is held against, and what every
// description of the commands is made from.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/types.hpp>

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jute::command {

struct Session;

/// Arguments that are none, or do not go together. The error says which, and what would; its code
/// means nothing: what it is, is wrong usage.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(Error error);
  UsageError(const std::string& operand, const std::string& rule);
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

using jute::refuse;
/// throws  UsageError: one rule is broken; `nearest` is the nearest legal value, if one is near
[[noreturn]] void refuse_usage(std::string operand, std::string value, std::string rule,
                               std::optional<std::string> nearest = {});

/// Where the value of an argument is put; what may be typed follows from the type.
using Target = std::variant<bool*, int*, Index*, double*, std::string*, std::vector<std::string>*,
                            std::optional<int>*, std::optional<Index>*, std::optional<double>*,
                            std::optional<std::uint64_t>*, std::optional<std::string>*>;

using Words = std::vector<std::string>;
struct Range {
  int least = 0, most = 0;
};
struct NonNegative {};
/// Says that a value limits use, 1 at least. Nothing legal is near another: it is best left out.
struct Limit {};
/// A whole number of so many bits, kept as text.
struct Whole {
  int bits = 64;
};
/// The rule of a value beyond its type.
using Allowed = std::variant<std::monostate, Words, Range, NonNegative, Limit, Whole>;

/// Which words without a name, one too many of them, an option was probably meant to have before
/// it.
enum class Strays : std::uint8_t {
  none,
  extent,  ///< a number of a problem's shape
  word,    ///< any
};

/// An option; a flag, whose target is a bool; or a positional, whose only name has no dash.
struct Option {
  std::vector<std::string> names;  ///< "-o", "--output"
  Target target;
  std::string description;
  std::string type_name;  ///< what help calls the value: "FILE"; of its own it says "INT", "TEXT"
  std::string group{};    ///< its heading in help; empty: none of its own
  std::string default_text{};  ///< what holds when it is left out; empty: nothing to tell
  Allowed allowed{};
  std::vector<std::string> excludes{};  ///< names of options of the same command
  std::vector<std::string> needs{};     ///< likewise: without one of them it would do nothing
  std::vector<std::string> company{};   ///< likewise: all that does something beside it; empty: any
  Words known{};  ///< words that it takes besides others; what a shell offers first
  Words also{};   ///< what texts and Python call it
  std::optional<char> separator{};                  ///< between several values in one word
  std::function<Words(const std::string&)> says{};  ///< other options that a value stands for
  bool is_required = false;
  bool is_usual = false;        ///< one of those that everybody uses: help tells it first
  bool is_for_readers = false;  ///< does something only in commands whose `reads` names it
  Strays strays = Strays::none;

  [[nodiscard]] bool is_flag() const { return std::holds_alternative<bool*>(target); }

  [[nodiscard]] bool is_named() const { return names.front().starts_with('-'); }
  [[nodiscard]] bool takes_many() const {
    return std::holds_alternative<std::vector<std::string>*>(target);
  }
  [[nodiscard]] bool has_name(std::string_view name) const;
  /// One of these?
  [[nodiscard]] bool has_name_of(const std::vector<std::string>& others) const;

  Option& type(std::string name) { return set(type_name, std::move(name)); }
  Option& under(std::string heading) { return set(group, std::move(heading)); }
  Option& one_of(Words words) { return set(allowed, Allowed(std::move(words))); }
  Option& also_called(Words others) { return set(also, std::move(others)); }
  Option& offers(Words words) { return set(known, std::move(words)); }
  Option& between(int least, int most) { return set(allowed, Allowed(Range{least, most})); }
  Option& non_negative() { return set(allowed, Allowed(NonNegative{})); }
  Option& limit() { return set(allowed, Allowed(Limit{})); }
  Option& whole(int bits) { return set(allowed, Allowed(Whole{bits})); }
  Option& separated_by(char mark) { return set(separator, std::optional(mark)); }
  Option& without(std::vector<std::string> others) { return set(excludes, std::move(others)); }
  Option& with(std::vector<std::string> others) { return set(needs, std::move(others)); }
  Option& with_nothing_but(std::vector<std::string> others) {
    return set(company, std::move(others));
  }
  Option& required() { return set(is_required, true); }
  Option& takes(Strays words) { return set(strays, words); }
  Option& usual() { return set(is_usual, true); }
  Option& for_readers() { return set(is_for_readers, true); }
  /// Tells in help what the target holds now.
  Option& with_default();

 private:
  template <class T>
  Option& set(T& member, T value) {
    member = std::move(value);
    return *this;
  }
};

/// A command: what it is called, what it takes, what it does. One without `run` needs one of the
/// commands below it to be named.
struct Command {
  std::string name;
  std::string description;        ///< one line
  std::string example;            ///< a command line that works
  std::vector<Option> options{};  ///< each may also stand behind the commands below
  std::list<Command> commands{};  ///< in a list, so that a reference to one outlives the next
  std::function<int(const Session&)> run{};  ///< the result is the exit status
  /// Refuses what `run` would refuse of its arguments alone, and does none of its work. A line that
  /// is offered is held to it first.
  std::function<void(const Session&)> judge{};
  std::string group{};  ///< what it is for, the heading in help of those above it
  /// The shared options for readers that do something here.
  std::vector<std::string> reads{};

  Command& add(std::string_view command, std::string_view about, std::string_view works);
  /// `names` as help shows them, with what it calls the value: "-o,--output FILE".   The reference
  /// holds until the next call.
  Option& option(std::string_view names, Target target, std::string_view about);
  /// Its own option of that name; null where it has none.   The pointer holds as long.
  [[nodiscard]] Option* find(std::string_view wanted);
};

/// Options of a command below one heading.
struct OptionGroup {
  Command& command;
  std::string heading;

  Option& option(std::string_view names, Target target, std::string_view about) const {
    return command.option(names, target, about).under(heading);
  }
};

/// Does the option do something in the command, or in one below it?
[[nodiscard]] bool is_read(const Option& option, const Command& command);

/// A command with what its place in the tree adds.
struct PlacedCommand {
  const Command& command;
  std::string line;                    ///< "jute atom list"
  std::vector<const Option*> options;  ///< its own, then those it reads of the commands above it

  /// The one of that name; null where it takes none.
  [[nodiscard]] const Option* find(std::string_view wanted) const;
};
/// `root` and every command below it, each before those below it.
[[nodiscard]] std::vector<PlacedCommand> all_commands(const Command& root);
/// One of them.
[[nodiscard]] PlacedCommand placed_in(const Command& root, const Command& command);

}  // namespace jute::command
