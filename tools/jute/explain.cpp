// `jute explain`: what a layout does, in words.
#include <jute/atom/value_type.hpp>
#include <jute/expr/eval.hpp>
#include <jute/layout/explain.hpp>

#include <memory>
#include <ostream>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "json_writer.hpp"
#include "layout_argument.hpp"

namespace jute::command {
namespace {

struct ExplainOptions {
  std::string layout;
  std::string type = "f32";
  int threads = 32;
};

ComposedLayout layout_of(const std::string& text, const Session& session) {
  const Value value = eval(text, session.catalogue());
  if (const auto* layout = std::get_if<Layout>(&value)) return *layout;
  if (const auto* layout = std::get_if<ComposedLayout>(&value)) return *layout;
  if (const auto* shape = std::get_if<IntTuple>(&value)) return Layout(*shape);
  refuse_kind(text, value, "it must be a layout, plain or behind a swizzle");
}

Json to_json(const AccessCost& access) {
  return {{"bytes", access.bytes},
          {"lanes", access.lanes},
          {"global_sectors", access.sectors},
          {"fewest_sectors", access.ideal_sectors},
          {"smem_cycles", access.banks.cycles},
          {"fewest_cycles", access.banks.ideal_cycles}};
}

Json to_json(const Explanation& facts, const ExplainOptions& options) {
  Json accesses = Json::array(), threads = Json::array();
  for (const AccessCost& access : facts.accesses) accesses.push_back(to_json(access));
  for (const auto& offsets : facts.offsets) threads.push_back(Json::array(offsets));
  return {{"layout", facts.layout},
          {"type", options.type},
          {"threads", options.threads},
          {"size", facts.size},
          {"cosize", facts.cosize},
          {"least_offset", facts.least},
          {"injective", facts.injective},
          {"unused_offsets", facts.gaps},
          {"inverse", facts.inverse},
          {"thread_value", facts.is_thread_value},
          {"vector_elems", facts.vector_elems},
          {"accesses", accesses},
          {"first_threads", threads},
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

int run_explain(const ExplainOptions& options, const Session& session) {
  const Reading reading{parse_value_type(options.type).bits, options.threads};
  const Explanation facts = explain(layout_of(options.layout, session), reading);
  session.out << (session.common.json ? one_line(to_json(facts, options)) + "\n" : to_text(facts));
  return kDone;
}

}  // namespace

void add_explain(Command& jute) {
  auto options = std::make_shared<ExplainOptions>();
  Command& sub = jute.add("explain", "Say in words what a layout does",
                          "jute explain 'Sw<3,3,3>o0o(8,64):(64,1)' --type f16 --threads 32");
  sub.option("layout", &options->layout, "A layout, in jute's notation or CuTe's").required();
  sub.option("--type", &options->type, "Of an element").with_default();
  sub.option("--threads", &options->threads, "Who share out the elements")
      .between(1, 1024)
      .with_default();
  sub.reads = {"--atoms"};
  sub.run = [options](const Session& session) { return run_explain(*options, session); };
}

}  // namespace jute::command
