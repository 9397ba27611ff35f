#pragma once
// A quantised weight's arrays in .npy files: from one format's order to another's.
#include <jute/packing/weight_formats.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::command {

/// Which file is read, and which is written; both empty where there is none.
struct PartFiles {
  std::string in, out;
};
struct PackRequest {
  std::string from, to;       ///< names of formats
  std::optional<DType> type;  ///< u4 or s4; none: s4 of signed bytes, else u4
  PartFiles weights, scales, zeros;
  std::string group_index;  ///< GPTQ's g_idx; may be empty
};

/// A file that was written.
struct WrittenPart {
  WeightPart part;
  std::string path, descr;
  PackedArray array;
};
struct PackedWeight {
  PackedExtents extents;  ///< N and K
  std::vector<WrittenPart> parts;
};

/// Reads all, then writes all: a refusal leaves no file behind, and those that were there as they
/// were.
///   throws  illegal_problem: arrays that are of another shape or type than the format's, named by
///           their files; out_of_range: a number that the other format has not; unknown_name; what
///           read_npy and matrix_file throw
[[nodiscard]] PackedWeight pack_files(const PackRequest& request);

}  // namespace jute::command
