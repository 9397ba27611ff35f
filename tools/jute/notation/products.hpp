#pragma once
// Commands that run one product behind the other on one back end: contractions and convolutions.
#include <jute/gemm/gemm.hpp>

#include <span>
#include <string>
#include <vector>

#include "product/product_run.hpp"
#include "product/result_files.hpp"

namespace jute::command {

struct ProductOptions {
  ProblemOptions problem;
  BackendOptions backend;
  std::vector<std::string> inputs;   ///< of the epilogue
  std::vector<std::string> outputs;  ///< `D.npy`, `g=G.npy`
  bool verify = false;
  int repeat = 1;
};

/// Adds flags of elements, the epilogue, the device, the chip and choices; -o and --verify.
void add_product_flags(Command& command, ProductOptions& options);

/// Types, scales and the like for products of such elements; without an epilogue alpha is 1 and
/// nothing is added.
[[nodiscard]] Problem product_like(const ProductOptions& options, const AskedTypes& types);

/// A problem written by letters or images with the epilogue of the flags, completed, and the
/// epilogue's inputs read.
///   throws  illegal_problem: the epilogue names c; what completed and read_inputs throw
void finish_problem(GemmData& data, const ProductOptions& options);

class Products {
 public:
  /// The files of -o are opened before any work.
  Products(const ProductOptions& options, const Session& session);
  /// Checks the last product before it runs.   throws  unknown_name: -o names an output it has not
  void require_results_of(const Problem& problem) const { files_.require_of(problem, session_); }
  /// Runs a product, judges it when asked.   gives  D's memory
  [[nodiscard]] std::vector<std::byte> run(const GemmData& data);
  /// Runs the parts of one D as one; `data` has what they share, and its problem is the first.
  [[nodiscard]] std::vector<std::byte> run(const GemmData& data, std::span<const Problem> parts);
  /// With --verify: the last product's D as an operand of the next one.
  [[nodiscard]] ComputedOperand computed() const;
  /// Writes the result, and what else the last product has made, to the files of -o, and prints
  /// what happened, a product a line with --json.
  ///   gives  the exit status
  [[nodiscard]] int deliver(const NpyArray& result);

 private:
  const ProductOptions& options_;
  const Session& session_;
  ResultFiles files_;
  Context context_;
  std::vector<GemmOutcome> outcomes_;
  GemmData last_;  // without its operands
  std::vector<std::vector<std::byte>> last_outputs_;
};

}  // namespace jute::command
