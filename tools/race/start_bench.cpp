// `jute bench`: another program races, which is installed beside this one.
#include "programs/child_program.hpp"
#include "race/bench_words.hpp"

namespace jute::command {

void add_bench(Command& jute) {
  add_bench_words(jute, [](const BenchOptions&, const Session& session) -> int {
    become_beside("jute-bench", session.words);
  });
}

}  // namespace jute::command
