#pragma once
// Some of the ranks as a communicator of their own, and what all of them have brought to each.
#include <jute/base/export.hpp>
#include <jute/launch/communicator.hpp>

#include <memory>
#include <string>

namespace JUTE_API jute {

/// The ranks that say the same colour, in the order of their keys, those of one key in that of
/// their ranks. All ranks of the parent call it together; it must outlive the groups. Exchanges are
/// among the group alone. Texts and windows go through all ranks of the parent: groups ask for them
/// equally often, windows of as many bytes, and add for the first time together. What fails in one
/// group fails in all of them.
///   example  with 8 ranks, split(end, end.rank() / 4) are two groups of four
///   throws   out_of_range: a colour below 0; CommunicationFailed
[[nodiscard]] std::unique_ptr<Communicator> split(Communicator& parent, Index color, Index key = 0);

/// Each rank's bytes to all: those of rank r lie at `to` + r * bytes. In the stream's order, as an
/// exchange.
///   throws  CommunicationFailed
void all_gather(Communicator& communicator, const std::string& step, DevicePointer from,
                DevicePointer to, Index bytes, Stream stream = {});

}  // namespace jute
