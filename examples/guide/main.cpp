// The pieces of docs/cpp-guide.md, run.
#include <jute/jute.hpp>

#include <cstdio>
#include <string>

int main() try {
  const jute::Layout tile("(16,16):(16,1)");
  const jute::MmaAtom atom = jute::Catalogue().mma("SM80_16x8x16_F32F16F16F32_TN");
  const jute::Layout addresses = composition(tile, atom.a_layout);
  const bool is_known = addresses == jute::Layout("((4,8),(2,2,2)):((2,16),(1,128,8))");

  jute::Problem problem;
  problem.m = problem.n = problem.k = 64;
  const auto refused = [](const jute::Problem& wanted, const jute::Config& config) {
    try {
      (void)jute::make_plan(wanted, jute::device_preset("h200"), config);
      return std::string("accepted");
    } catch (const jute::Exception& refusal) {
      return refusal.error().operand + " -> " + refusal.error().nearest_legal.value_or("?");
    }
  };
  const std::string told = refused(problem, {.stages = 1000});

  jute::Context context({.device = jute::DeviceChoice::emulator});
  const jute::Gemm gemm = jute::prepare(context, problem);
  std::printf("%s\n%s\n%s\n", to_string(addresses).c_str(), told.c_str(),
              gemm.binaries().back().symbol.c_str());
  return is_known && told != "accepted" ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
