// `jute explain`: what a layout does, in words.
#include <jute/atom/value_type.hpp>
#include <jute/expr/eval.hpp>
#include <jute/layout/explain.hpp>

#include <memory>
#include <optional>
#include <ostream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "options/view_argument.hpp"

namespace jute::command {
namespace {

struct ExplainOptions {
  std::string layout;
  std::string type = "f32";
  std::optional<int> threads;
};
constexpr int kUsualThreads = 32, kMostThreads = 1024;

ComposedLayout layout_of(const std::string& text, const Value& value) {
  if (const auto* layout = std::get_if<Layout>(&value)) return *layout;
  if (const auto* layout = std::get_if<ComposedLayout>(&value)) return *layout;
  if (const auto* shape = std::get_if<IntTuple>(&value)) return Layout(*shape);
  refuse_kind(text, value, "it must be a layout, plain or behind a swizzle");
}

/// The threads of an instruction's layout are its mode 0, unless others are asked for.
int threads_of(const ExplainOptions& options, const ComposedLayout& layout, OffsetMeaning meaning) {
  const Layout& domain = layout.layout();
  const bool is_told = meaning != OffsetMeaning::elements && domain.shape().is_tuple() &&
                       domain.rank() == 2 && size(domain[0]) <= kMostThreads;
  return options.threads ? *options.threads
         : is_told       ? static_cast<int>(size(domain[0]))
                         : kUsualThreads;
}

Json access_json(const AccessCost& access) {
  return {{"bytes", access.bytes},
          {"lanes", access.lanes},
          {"global_sectors", access.sectors},
          {"fewest_sectors", access.ideal_sectors},
          {"smem_cycles", access.banks.cycles},
          {"fewest_cycles", access.banks.ideal_cycles}};
}

Json explanation_json(const Explanation& facts, const ExplainOptions& options, int shared_out) {
  const auto list = [](const std::vector<Index>& offsets) { return Json::array(offsets); };
  return {{"layout", facts.layout},
          {"type", options.type},
          {"threads", shared_out},
          {"size", facts.size},
          {"cosize", facts.cosize},
          {"least_offset", facts.least},
          {"injective", facts.injective},
          {"unused_offsets", facts.gaps},
          {"inverse", facts.inverse},
          {"thread_value", facts.is_thread_value},
          {"vector_elems", facts.vector_elems},
          {"accesses", Json::array(facts.accesses, access_json)},
          {"first_threads", Json::array(facts.offsets, list)},
          {"words", Json::array(facts.words)}};
}

std::string to_text(const Explanation& facts) {
  std::string text = facts.layout + "\n";
  for (const std::string& sentence : facts.words) text += sentence + "\n";
  for (size_t thread = 0; thread < facts.offsets.size(); ++thread) {
    text += "thread " + std::to_string(thread) + ":";
    for (const Index offset : facts.offsets[thread]) text += " " + std::to_string(offset);
    text += "\n";
  }
  return text;
}

/// An operand's View has no thread to speak of.
int explain_view(const View& view, const Session& session) {
  const std::string words = explained(view);
  return session.print({{"view", to_string(view)}, {"words", words}}, words);
}

int run_explain(const ExplainOptions& options, const Session& session) {
  if (const auto view = view_in(options.layout)) return explain_view(*view, session);
  if (options.layout.find("->") != options.layout.npos)
    throw UsageError("layout", "letters of einsum are drawn with their extents: jute contract '" +
                                   options.layout + "' --draw --extents a=…");
  const Evaluation given = evaluate(in_own_words(options.layout), session.catalogue());
  const ComposedLayout layout = layout_of(options.layout, given.value);
  const jute::Reading reading{parse_value_type(options.type).bits,
                              threads_of(options, layout, given.offsets), given.offsets};
  Explanation facts = explain(layout, reading);
  facts.words.insert(facts.words.end(), given.remarks.begin(), given.remarks.end());
  return session.print(explanation_json(facts, options, reading.threads), to_text(facts));
}

}  // namespace

void add_explain(Command& jute) {
  auto options = std::make_shared<ExplainOptions>();
  Command& sub = jute.add("explain", "Say in words what a layout does",
                          "jute explain 'Sw<3,3,3>o0o(8,64):(64,1)' --type f16 --threads 32");
  sub.option("layout", &options->layout,
             "A layout, in jute's notation or CuTe's, as torch prints shape and strides, or a View")
      .required();
  sub.option("--type", &options->type, "Of an element").with_default();
  sub.option("--threads", &options->threads,
             "Who share out the elements: those of mode 0 where it has as many, else in turn "
             "(default 32, or an instruction's own)")
      .between(1, kMostThreads);
  sub.reads = {"--atoms"};
  sub.run = [options](const Session& session) { return run_explain(*options, session); };
  sub.judge = judged_by(sub.run);
}

}  // namespace jute::command
