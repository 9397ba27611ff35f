// Reads what a format's arrays are in files, and holds their shapes to each other.
#include "product/weight_files.hpp"

#include <jute/base/checked.hpp>
#include <jute/host/operands.hpp>

#include <algorithm>
#include <utility>

#include "files/file_matrix.hpp"
#include "files/npy_file.hpp"

namespace jute::command {
namespace {

/// How numbers of packed elements travel: words and bytes of either sign are the same bits.
struct UnitType {
  int bits;
  std::vector<std::string> descrs;  ///< the first is written
};
const UnitType& unit_type(int bits) {
  static const UnitType kWords{32, {"<i4", "<u4"}}, kBytes{8, {"|u1", "|i1"}};
  return bits == kWords.bits ? kWords : kBytes;
}

/// A file's array; packings are of rows, one behind the other.
NpyArray read_rows(const std::string& path) {
  NpyArray file = read_npy(path);
  const bool is_by_columns = file.fortran_order && file.shape.size() == 2 && !file.bytes.empty();
  if (is_by_columns)
    to_c_order(file, static_cast<Index>(file.bytes.size()) / (file.shape[0] * file.shape[1]));
  return file;
}

PackedArray array_of(const NpyArray& file, const std::string& path) {
  if (file.shape.size() != 2)
    refuse_data(path, "rank " + std::to_string(file.shape.size()),
                "packed weights and their numbers must have two dimensions");
  return {file.shape[0], file.shape[1]};
}

void require_units(const NpyArray& file, const std::string& path, int bits,
                   const std::string& format) {
  const UnitType& unit = unit_type(bits);
  if (std::ranges::find(unit.descrs, file.descr) != unit.descrs.end()) return;
  refuse_data(path, file.descr,
              "of " + format + " it must have numbers of " + std::to_string(bits) + " bits, " +
                  unit.descrs[0] + " or " + unit.descrs[1],
              unit.descrs[0]);
}

/// One array, from file to bytes.
struct PartWork {
  WeightPart part;
  PartFiles files;
  Packing from{}, to{};
  PackedExtents extents{};
  std::string descr{};  ///< of what is written
  std::vector<std::byte> bytes{};
};

/// Scales keep their bits: what counts is how many.
DType type_of_width(const NpyArray& file, const std::string& path) {
  const Index count = std::max<Index>(file.shape[0] * file.shape[1], 1);
  for (const DType type : {DType::f16, DType::f32, DType::u8, DType::f64})
    if (static_cast<Index>(file.bytes.size()) == count * width_bytes(type)) return type;
  refuse_data(path, file.descr, "scales must be of 8, 16, 32 or 64 bits", "<f2");
}

PartWork packed_weights(const PackRequest& request) {
  PartWork work{.part = WeightPart::weights, .files = request.weights};
  const std::string& path = work.files.in;
  work.from = packing_of(request.from, work.part, 1);
  work.to = packing_of(request.to, work.part, 1);
  const NpyArray file = read_rows(path);
  require_units(file, path, work.from.unit_bits, request.from);
  const bool is_signed = request.type ? *request.type == DType::s4
                                      : work.from.type == DType::u8 && file.descr == "|i1";
  if (is_signed) {
    work.from = with_signs(work.from);
    work.to = with_signs(work.to);
  }
  work.extents =
      told_at(path + ": ", [&] { return packed_extents(work.from, array_of(file, path)); });
  work.descr = work.to.type == DType::s8 ? "|i1" : unit_type(work.to.unit_bits).descrs[0];
  work.bytes =
      told_at(path + ": ", [&] { return repacked(file.bytes, work.from, work.to, work.extents); });
  return work;
}

void require_groups(const std::string& path, const PackedExtents& found,
                    const PackedExtents& weights) {
  if (found.n != weights.n)
    refuse_data(
        path, std::to_string(found.n) + " by " + std::to_string(found.k) + " groups",
        "there must be numbers for each of the " + std::to_string(weights.n) + " rows of weights",
        std::to_string(weights.n));
  if (found.k > weights.k)
    refuse_data(path, std::to_string(found.k) + " groups",
                "there must be at most one for each of the " + std::to_string(weights.k) +
                    " elements of a row",
                std::to_string(weights.k));
}

PartWork packed_numbers(const PackRequest& request, WeightPart part, const PartFiles& files,
                        const PackedExtents& weights) {
  PartWork work{.part = part, .files = files};
  const std::string& path = files.in;
  const NpyArray file = read_rows(path);
  const PackedArray array = array_of(file, path);
  const bool is_scales = part == WeightPart::scales;
  // The count of several groups is the same for one.
  constexpr Index kSeveral = 2;
  const Packing usual = packing_of(request.from, part, kSeveral);
  if (!is_scales) require_units(file, path, usual.unit_bits, request.from);
  work.extents = told_at(path + ": ", [&] { return packed_extents(usual, array); });
  require_groups(path, work.extents, weights);
  const auto packing = [&](const std::string& format) {
    const Packing found = packing_of(format, part, work.extents.k);
    return is_scales ? with_type(found, type_of_width(file, path)) : found;
  };
  work.from = packing(request.from);
  work.to = packing(request.to);
  work.descr = is_scales ? file.descr : unit_type(work.to.unit_bits).descrs[0];
  work.bytes =
      told_at(path + ": ", [&] { return repacked(file.bytes, work.from, work.to, work.extents); });
  return work;
}

void require_counting(const std::string& path, Index k, Index groups) {
  const NpyArray file = read_npy(path);
  const auto index = index_type(file);
  if (!index || file.shape != std::vector<Index>{k})
    refuse_data(path, file.descr,
                "a group index must be whole numbers <i4 or <i8, one for each of the " +
                    std::to_string(k) + " elements of a row");
  const Index group = ceil_div(k, groups);
  const std::vector<Index> numbers = integers_of(file.bytes, *index);
  for (Index i = 0; i < k; ++i)
    if (const Index found = numbers[static_cast<std::size_t>(i)]; found != i / group)
      refuse_data(path, "group " + std::to_string(found) + " at k = " + std::to_string(i),
                  "groups must be of " + std::to_string(group) +
                      " elements side by side: weights that were ordered by activations "
                      "(desc_act) need K put in order, of A too",
                  std::to_string(i / group));
}

NpyArray array_to_write(PartWork& work) {
  const PackedArray array = packed_array(work.to, work.extents);
  return {
      .descr = work.descr, .shape = {array.rows, array.columns}, .bytes = std::move(work.bytes)};
}

std::vector<PlannedFile> planned(const PackRequest& request) {
  std::vector<PlannedFile> files{{"-o", request.weights.out}};
  if (!request.scales.out.empty()) files.push_back({"--scales-output", request.scales.out});
  if (!request.zeros.out.empty()) files.push_back({"--zeros-output", request.zeros.out});
  return files;
}

}  // namespace

PackedWeight pack_files(const PackRequest& request) {
  const std::vector<PlannedFile> places = planned(request);
  require_distinct(places);
  std::vector<OutputFile> outputs;
  for (const PlannedFile& place : places) outputs.push_back(matrix_file(place.path));

  std::vector<PartWork> parts;
  parts.push_back(packed_weights(request));
  const PackedExtents extents = parts.front().extents;
  if (!request.scales.in.empty())
    parts.push_back(packed_numbers(request, WeightPart::scales, request.scales, extents));
  if (!request.group_index.empty())
    require_counting(request.group_index, extents.k, parts.back().extents.k);
  if (!request.zeros.in.empty())
    parts.push_back(packed_numbers(request, WeightPart::zeros, request.zeros, extents));
  if (parts.size() == 3 && parts[1].extents != parts[2].extents)
    refuse_data(request.zeros.in, std::to_string(parts[2].extents.k) + " groups",
                "there must be as many as of scales", std::to_string(parts[1].extents.k));

  PackedWeight weight{.extents = extents, .parts = {}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const NpyArray array = array_to_write(parts[i]);
    write_npy(outputs[i], array);
    weight.parts.push_back(
        {parts[i].part, parts[i].files.out, array.descr, {array.shape[0], array.shape[1]}});
  }
  for (OutputFile& output : outputs) output.commit();
  return weight;
}

}  // namespace jute::command
