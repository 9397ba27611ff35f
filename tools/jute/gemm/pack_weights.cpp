// `jute pack-weights`: 4-bit weights from one format's order to another's, and what formats there
// are.
#include <jute/packing/weight_formats.hpp>

#include <memory>
#include <ostream>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "product/weight_files.hpp"

namespace jute::command {
namespace {

struct PackWeightsOptions {
  std::string weights, from, to, output, type;
  std::string scales, scales_output, zeros, zeros_output, groups;
};

constexpr WeightPart kWeightParts[] = {WeightPart::weights, WeightPart::scales, WeightPart::zeros};
constexpr Index kSeveral = 2;  ///< groups; one is told where it makes a difference

/// A format's packings, with what they are called.
struct NamedPacking {
  std::string name;
  Packing packing;
};
std::vector<NamedPacking> packings_of(std::string_view format) {
  std::vector<NamedPacking> packings;
  for (const WeightPart part : kWeightParts) {
    const Packing several = packing_of(format, part, kSeveral), one = packing_of(format, part, 1);
    packings.push_back({std::string(name(part)), several});
    if (one != several) packings.push_back({std::string(name(part)) + " of one group", one});
  }
  return packings;
}

std::string_view neighbours(const Packing& packing) {
  return packing.order == TileOrder::along_n ? "N" : "K";
}

void print_format(const WeightFormat& format, const Session& session) {
  session.out << format.name << "\n  " << format.summary << "\n  " << format.source << '\n';
  for (const auto& [name, packing] : packings_of(format.name)) {
    session.out << "  " << name << ": tiles " << packing.tile << " of " << jute::name(packing.type)
                << " in numbers of " << packing.unit_bits << " bits, side by side along "
                << neighbours(packing);
    if (packing.taken != 0) session.out << ", stored less " << packing.taken;
    session.out << '\n';
  }
}

Json json_of(const WeightFormat& format) {
  const auto packing_json = [](const NamedPacking& one) -> Json {
    return {{"part", one.name},
            {"tile", to_string(one.packing.tile)},
            {"along", neighbours(one.packing)},
            {"type", jute::name(one.packing.type)},
            {"unit_bits", one.packing.unit_bits},
            {"taken", one.packing.taken}};
  };
  return {{"format", format.name},
          {"summary", format.summary},
          {"source", format.source},
          {"packings", Json::array(packings_of(format.name), packing_json)}};
}

/// All formats, or one.
int tell_formats(const std::string& only, const Session& session) {
  if (!only.empty()) (void)packing_of(only, WeightPart::weights, 1);
  for (const WeightFormat& format : weight_formats()) {
    if (!only.empty() && format.name != only) continue;
    if (session.common.json)
      session.print(json_of(format));
    else if (only.empty())
      session.out << format.name << ": " << format.summary << '\n';
    else
      print_format(format, session);
  }
  return kDone;
}

void require_words(const PackWeightsOptions& options) {
  const auto needed = [](const char* flag, const std::string& word) {
    if (word.empty()) throw UsageError(flag, "it must be said, with weights to pack");
  };
  needed("--from", options.from);
  needed("--to", options.to);
  needed("--output", options.output);
  const auto both = [](const char* flag, const std::string& in, const std::string& out) {
    if (in.empty() != out.empty())
      throw UsageError(flag, "it needs both a file to read and one to write: " + std::string(flag) +
                                 " FILE " + flag + "-output FILE");
  };
  both("--scales", options.scales, options.scales_output);
  both("--zeros", options.zeros, options.zeros_output);
  if (!options.groups.empty() && options.scales.empty())
    throw UsageError("--group-index", "it needs --scales, which say how many groups there are");
}

Json part_json(const WrittenPart& part) {
  return {{"part", name(part.part)},
          {"file", part.path},
          {"type", part.descr},
          {"shape", Json::array({part.array.rows, part.array.columns})}};
}

void tell_written(const PackWeightsOptions& options, const PackedWeight& weight,
                  const Session& session) {
  if (session.common.json) {
    session.print({{"from", options.from},
                   {"to", options.to},
                   {"n", weight.extents.n},
                   {"k", weight.extents.k},
                   {"files", Json::array(weight.parts, part_json)}});
    return;
  }
  session.out << "N=" << weight.extents.n << " K=" << weight.extents.k << ", " << options.from
              << " to " << options.to << '\n';
  for (const WrittenPart& part : weight.parts)
    session.out << name(part.part) << " (" << part.array.rows << ',' << part.array.columns << ") "
                << part.descr << ": " << part.path << '\n';
}

int run_pack_weights(const PackWeightsOptions& options, const Session& session) {
  if (options.weights.empty()) {
    for (const std::string* word :
         {&options.to, &options.output, &options.scales, &options.scales_output, &options.zeros,
          &options.zeros_output, &options.groups, &options.type})
      if (!word->empty())
        throw UsageError("weights", "a file of weights must be named that is packed otherwise");
    return tell_formats(options.from, session);
  }
  require_words(options);
  const PackedWeight weight =
      pack_files({.from = options.from,
                  .to = options.to,
                  .type = options.type.empty() ? std::nullopt : find_dtype(options.type),
                  .weights = {options.weights, options.output},
                  .scales = {options.scales, options.scales_output},
                  .zeros = {options.zeros, options.zeros_output},
                  .group_index = options.groups});
  tell_written(options, weight, session);
  return kDone;
}

}  // namespace

void add_pack_weights(Command& jute) {
  auto options = std::make_shared<PackWeightsOptions>();
  Command& sub = jute.add("pack-weights",
                          "Write 4-bit weights in another format's order; alone: list the formats",
                          "jute pack-weights --from marlin");
  Words formats;
  for (const WeightFormat& format : weight_formats()) formats.emplace_back(format.name);
  sub.option("weights FILE", &options->weights, "Packed weights: qweight.npy");
  sub.option("--from FORMAT", &options->from, "Their format").offers(formats);
  sub.option("--to FORMAT", &options->to, "The format to write").offers(formats);
  sub.option("-o,--output FILE", &options->output, "Weights to write");
  sub.option("--type", &options->type,
             "Whether a byte's number is below zero where its highest of four bits is set: s4")
      .one_of({"u4", "s4"});
  const OptionGroup group{sub, "Numbers of groups"};
  group.option("--scales FILE", &options->scales, "Scales as that format has them, of any type");
  group.option("--scales-output FILE", &options->scales_output, "Scales to write");
  group.option("--zeros FILE", &options->zeros, "Zero points as that format has them: qzeros.npy");
  group.option("--zeros-output FILE", &options->zeros_output, "Zero points to write");
  group.option(
      "--group-index FILE", &options->groups,
      "GPTQ's g_idx, which must count up: refused where weights were ordered by activations");
  sub.run = [options](const Session& session) { return run_pack_weights(*options, session); };
}

}  // namespace jute::command
