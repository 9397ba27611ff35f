// Several parts of D as one Gemm: their steps in a row, one workspace for all.
#include "gemm/joint_gemm.hpp"

#include <jute/base/refuse.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "base/format.hpp"
#include "gemm/prepared_gemm.hpp"

namespace jute::gemm {
namespace {

template <class Each>
void append(std::vector<Each>& all, const std::vector<Each>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void add_times(PrepareTimes& all, const PrepareTimes& more) {
  all.plan += more.plan;
  all.source += more.source;
  all.compile += more.compile;
  all.load += more.load;
}

/// As it was prepared; with a range of M the most.
Index rows_of(const Gemm& part) { return part.impl().prepared->problem.m; }

/// The rows of a part in a run of so many of all.
Index rows_of_part(const JointGemm& joint, const Gemm& part, Index m) {
  const Index rows = rows_of(part);
  if (joint.rows == 0) return 0;
  const Index images = m * rows;
  if (images % joint.rows == 0) return images / joint.rows;
  jute::refuse(ErrorCode::illegal_problem, "m", std::to_string(m),
               base::format("each part of D must have whole rows: {} of {}", rows, joint.rows),
               std::to_string(joint.rows));
}

void require_prepared(const GemmArgs& args) {
  const std::pair<const char*, bool> given[] = {{"n", args.n.has_value()},
                                                {"k", args.k.has_value()},
                                                {"batch", args.batch.has_value()},
                                                {"lda", args.lda.has_value()},
                                                {"ldb", args.ldb.has_value()},
                                                {"ldc", args.ldc.has_value()},
                                                {"ldd", args.ldd.has_value()},
                                                {"batch_stride_a", args.batch_stride_a.has_value()},
                                                {"batch_stride_b", args.batch_stride_b.has_value()},
                                                {"batch_stride_c", args.batch_stride_c.has_value()},
                                                {"batch_stride_d", args.batch_stride_d.has_value()},
                                                {"packed_a", args.packed_a != 0},
                                                {"packed_b", args.packed_b != 0}};
  for (const auto& [name, is_given] : given)
    if (is_given)
      jute::refuse(ErrorCode::illegal_problem, name, "given",
                   "a run of parts of D must leave it out: each part has "
                   "its own, as it was prepared");
}

}  // namespace

void refuse_of_parts(const char* rule) {
  jute::refuse(ErrorCode::unsupported, "parts", "of one D", rule);
}

Gemm as_one(std::vector<Gemm> parts) {
  auto joint = std::make_shared<JointGemm>();
  auto impl = std::make_shared<Gemm::Impl>();
  Index data = 0;
  for (const Gemm& part : parts) {
    joint->rows += rows_of(part);
    joint->zeroed_bytes = std::max(joint->zeroed_bytes, part.zeroed_bytes());
    data = std::max(data, part.workspace_bytes() - part.zeroed_bytes());
    append(joint->sources, part.sources());
    append(joint->binaries, part.binaries());
    append(joint->passed_over, part.passed_over());
    add_times(impl->times, part.times());
  }
  joint->workspace_bytes = joint->zeroed_bytes + data;
  joint->plan = parts.front().plan();
  for (std::size_t i = 1; i < parts.size(); ++i) joint->plan.behind.push_back(parts[i].plan());
  impl->prepared = parts.front().impl().prepared;
  impl->usual = parts.front().impl().usual;
  joint->parts = std::move(parts);
  impl->joint = std::move(joint);
  return Gemm(std::move(impl));
}

void run_parts(const JointGemm& joint, const GemmArgs& args) {
  require_prepared(args);
  for (const Gemm& part : joint.parts) {
    GemmArgs own = args;
    own.workspace += static_cast<DevicePointer>(joint.zeroed_bytes - part.zeroed_bytes());
    if (args.m) own.m = rows_of_part(joint, part, *args.m);
    part.run(own);
  }
}

}  // namespace jute::gemm
