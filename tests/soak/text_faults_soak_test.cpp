// No kernel of any held problem has a branch, a term, a name or a value for nothing.
#include "support/catch.hpp"
#include "support/held_sources.hpp"
#include "support/kernel_reader.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("kernels of all held problems have no branch, term, name or value for nothing",
          "[soak][text]") {
  for (const HeldKind& kind : held_kinds())
    for (int i = 0; i < kind.count; ++i) {
      const HeldProblem held = held_problem(kind, i);
      for (const Source& source : held_sources(held)) {
        // Of products of nothing loops over K have no round.
        if (source.text.find("constexpr int k = 0;") != std::string::npos) continue;
        std::string faults;
        for (const std::string& fault : text_faults(source.text)) faults += fault + "\n";
        INFO(kind.name << " " << i << " " << to_string(held) << "\n" << faults);
        CHECK(faults.empty());
      }
    }
}
