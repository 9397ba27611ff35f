// A program of one's own: a layout as a run-time value.
#include <jute/jute.hpp>

#include <cstdio>

int main() {
  const jute::Layout layout("(4,(2,8)):(1,(4,8))");
  std::printf("%s holds %lld elements\n", jute::to_string(layout).c_str(),
              static_cast<long long>(jute::size(layout)));
  return layout(5) == 5 ? 0 : 1;
}
