#pragma once
// The files of -o: D, and outputs of the epilogue.
#include <jute/plan/ask/problem.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "files/files.hpp"
#include "files/npy_file.hpp"
#include "product/gemm_data.hpp"

namespace jute::command {

class ResultFiles {
 public:
  /// `D.npy`, or `g=G.npy` of an output g. They are opened before any work, which also writes
  /// `others`.
  ///   throws  UsageError: two would go into one file; unwritable
  explicit ResultFiles(const std::vector<std::string>& words, std::vector<PlannedFile> others = {});
  /// Are they results of the problem? Notes which of its outputs are not among them.
  ///   throws  unknown_name: its epilogue has no such output
  void require_of(const Problem& problem, const Session& session) const;
  /// Writes D, and outputs by their places in the problem's epilogue.   gives  the paths
  [[nodiscard]] std::string write(const GemmData& data, const NpyArray& d,
                                  const std::vector<std::vector<std::byte>>& outputs);
  [[nodiscard]] bool empty() const { return files_.empty(); }

 private:
  struct ResultFile {
    std::string output;  // "d", or what the epilogue calls it
    OutputFile file;
  };
  std::vector<ResultFile> files_;
};

/// D as an array: (M,N), or (batch,M,N) when `batched`. A single column-major matrix stays one in
/// Fortran order; gaps between rows are left out.
///   needs  a completed problem, here and below
[[nodiscard]] NpyArray array_of_d(const Problem& problem, const std::vector<std::byte>& d,
                                  bool batched);
/// The same of an output of the epilogue, by its place; of bits the bytes that hold them, (M) or
/// (N) of what has a value for each row or column, one number of what is gathered of all.
[[nodiscard]] NpyArray array_of_output(const Problem& problem, std::size_t place,
                                       const std::vector<std::byte>& bytes, bool batched);

}  // namespace jute::command
