#pragma once
// Rows of A that come while a kernel multiplies: it waits for each piece of them by a flag.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The same plan, whose kernel finds some rows of its A (of the problem's B where it is transposed)
/// where the run says that A lies, and all others in a region `arrivals` of the workspace, to which
/// somebody brings them while it runs. They come in pieces of so many rows; behind each its word of
/// the region becomes other than 0. Tiles are computed in the order in which pieces come, and a
/// producer asks for nothing of a piece that is not there. Somebody is whoever needs no
/// multiprocessor for it, and has been asked before the launch: a copy engine. Tiles of at most
/// `part_rows` run together, where it is not 0: those that lie where A does, ahead of others.
///   throws  unsupported: faults_of_arrivals has something to say
[[nodiscard]] Plan with_arrivals(Plan plan, Index piece_rows, Index part_rows = 0);
/// Why a plan's kernel cannot wait for pieces of so many rows; empty where it can.
[[nodiscard]] std::vector<std::string> faults_of_arrivals(const Plan& plan, Index piece_rows);
[[nodiscard]] bool awaits_arrivals(const StepHead& step);

/// The order of arrivals that a rank's kernel must know of one run.
struct ArrivalOrder {
  Index piece_rows = 0;
  Index own_first = 0, own_rows = 0;    ///< rows that lie where A does; whole pieces
  std::vector<std::int32_t> order{};    ///< pieces as they come, the own ones first
  std::vector<std::int32_t> senders{};  ///< by pieces: the rank that brings it
  DevicePointer fault = 0;  ///< a word that ends all waiting where it is not 0; a kernel that has
                            ///< waited too long puts 1 + the sender there. 0: nobody waits long
  std::uint64_t limit_ns = 0;  ///< that it waits; 0: for ever
  std::uint32_t flag = 0;      ///< of pieces when the kernel begins
  bool operator==(const ArrivalOrder&) const = default;
};

/// Bytes from the start of the workspace of a plan with arrivals, by its pieces.
struct ArrivalPlaces {
  Index words = 0;  ///< of what each run writes there ahead of the kernel
  Index flags = 0;  ///< a word of 4 bytes for each piece
  Index rows = 0;   ///< A, all rows, as the kernel's A lies
};
[[nodiscard]] ArrivalPlaces arrival_places(const Plan& plan, Index pieces);
/// The words, for a region of a workspace that lies there.
///   throws  unsupported: the plan has no arrivals; out_of_range: other pieces than the plan's rows
[[nodiscard]] std::vector<std::byte> arrival_words(const Plan& plan, const ArrivalOrder& order,
                                                   DevicePointer workspace);

}  // namespace jute
