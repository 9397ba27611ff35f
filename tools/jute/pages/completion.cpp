// `jute completion`: scripts for shells.
#include "pages/completion.hpp"

#include <memory>
#include <ostream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"

namespace jute::command {

Words offered_words(const Option& option) {
  const auto* allowed = std::get_if<Words>(&option.allowed);
  return allowed != nullptr ? *allowed : option.known;
}

Offer offer_of(const Option& option) {
  const std::string& type = option.type_name;
  if (!offered_words(option).empty()) return Offer::words;
  if (type.find("ATOM") != std::string::npos) return Offer::atoms;
  if (type == "DIR") return Offer::folders;
  if (type.starts_with("FILE") || type == "PATH" || type.find('.') != std::string::npos)
    return Offer::files;
  return Offer::nothing;
}

namespace {

int run_completion(const std::string& shell, const Session& session) {
  CommonOptions unused;
  const Command root = jute_command(unused);
  const std::string script = shell == "bash"  ? bash_completion(root)
                             : shell == "zsh" ? zsh_completion(root)
                                              : fish_completion(root);
  session.out << (session.common.json ? one_line({{"shell", shell}, {"script", script}}) + "\n"
                                      : script);
  return kDone;
}

}  // namespace

void add_completion(Command& jute) {
  auto shell = std::make_shared<std::string>();
  Command& sub = jute.add("completion", "Print what a shell needs to complete jute's lines",
                          "jute completion bash");
  sub.option("shell", &*shell, "bash, zsh or fish; for bash: source <(jute completion bash)")
      .one_of({"bash", "zsh", "fish"})
      .required();
  sub.run = [shell](const Session& session) { return run_completion(*shell, session); };
}

}  // namespace jute::command
