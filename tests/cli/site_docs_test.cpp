// What the site adds to the pages, by its own functions: links, headers, options.
#include "cli/command.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("the site links files of the repository and has every header once", "[cli][docs]") {
  if (run_process({"python3", "--version"}).status != 0) return;  // nothing else here needs it
  const std::string repository = JUTE_SOURCE_DIR;
  const ProcessResult result =
      run_process({"python3", repository + "/tests/support/site_hooks.py", repository});
  INFO(result.err);
  CHECK(result.out == "fine\n");
  CHECK(result.status == 0);
}
