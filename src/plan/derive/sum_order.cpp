// The order of sums, and the arithmetic of a step of it, as one line.
#include <jute/plan/derive/sum_order.hpp>

#include "base/format.hpp"
#include "plan/values/block_threads.hpp"

namespace jute {

std::string sum_order(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  const KernelSchedule& schedule = step.schedule;
  // Blocks begin at a place of k, or have all of K, as follows from where they lie; a launch says
  // how K is cut.
  if (schedule.k_starts > 1 || schedule.whole_tiles > 0 || says_split_k(schedule)) return {};
  const MmaAtom& atom = step.mma.atom();
  const std::string_view form = name(atom.form);  // wgmma_ss and wgmma_rs add alike
  std::string text =
      base::format("{} of {} k, {} by {} in {}", form.substr(0, form.find('_')), atom.shape.k,
                   name(plan.problem.a.type), name(plan.problem.b.type), name(step.accumulate));
  if (step.promote_every_k > 0) text += base::format(", added up every {} k", step.promote_every_k);
  if (!step.products.empty()) text += base::format(", {} products", step.products.size());
  const int parts = plan::parts_of_k(step);
  if (parts == 1 && schedule.split_k == 1) return text + ", k ascending";
  return text + base::format(", k ascending in {} parts of {} slices, of tiles of {} k", parts,
                             schedule.split_k, step.tile.k);
}

}  // namespace jute
