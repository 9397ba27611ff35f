// Problems and plans of the C interface.
#include <jute/base/refuse.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/jit/cache.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/words/summary.hpp>

#include <iterator>
#include <utility>

#include "c/objects.hpp"

namespace jute::c {
namespace {

std::string explained(const PlanObject& object) {
  const Plan& plan = object.plan;
  return explain(plan) + "Considered, fewest clocks first:\n" +
         to_string(fields(considered(plan.problem, plan.device, object.config,
                                     object.context->context.catalogue())));
}

const Source& source_of(const PlanObject& object, size_t step) {
  if (step < object.sources.size()) return object.sources[step];
  const std::string last = std::to_string(object.sources.size() - 1);
  jute::refuse(ErrorCode::out_of_range, "step", std::to_string(step),
               "it must be a step of the plan, 0 to " + last, last);
}

}  // namespace

std::vector<Problem> all_parts(const ProblemObject& object) {
  std::vector<Problem> parts{object.problem};
  parts.insert(parts.end(), object.behind.begin(), object.behind.end());
  return parts;
}

std::shared_ptr<ProblemObject> object_of_parts(std::vector<Problem> parts) {
  require_parts(parts);
  std::vector<Problem> whole;
  for (const Problem& part : parts) whole.push_back(completed(part));
  auto object = std::make_shared<ProblemObject>();
  object->text = parts_text(whole);
  object->problem = std::move(parts.front());
  object->behind.assign(std::make_move_iterator(parts.begin() + 1),
                        std::make_move_iterator(parts.end()));
  return object;
}

}  // namespace jute::c

using namespace jute;
using namespace jute::c;

int32_t jute_problem_create(const char* text, jute_problem** problem) {
  return guarded([&] {
    expect(problem, "problem");
    give(problem, object_of_parts(parse_parts(required_text(text, "text"))));
  });
}
int32_t jute_problem_free(jute_problem* problem) {
  return guarded([&] { free_handle(problem); });
}
const char* jute_problem_text(const jute_problem* problem) {
  return guarded_text([&] { return object_of(problem).text.c_str(); });
}

int32_t jute_plan_create(const jute_context* context, const jute_problem* problem,
                         const char* choices, jute_plan** plan) {
  return guarded([&] {
    expect(plan, "plan");
    auto object = std::make_shared<PlanObject>();
    object->context = shared_object(context);
    object->config = config_of(choices);
    const Context& of = object->context->context;
    object->plan = make_plan_of_parts(all_parts(object_of(problem)), of.device_info(),
                                      object->config, of.catalogue());
    object->sources = generate(object->plan, of.templates());
    give(plan, std::move(object));
  });
}
int32_t jute_plan_free(jute_plan* plan) {
  return guarded([&] { free_handle(plan); });
}
const char* jute_plan_text(const jute_plan* plan) {
  return guarded_text([&] {
    PlanObject& object = object_of(plan);
    return object.texts.get("text", [&] { return to_string(object.plan); });
  });
}
const char* jute_plan_json(const jute_plan* plan) {
  return guarded_text([&] {
    PlanObject& object = object_of(plan);
    return object.texts.get("json", [&] { return to_json(fields(object.plan)).text(); });
  });
}
const char* jute_plan_explain(const jute_plan* plan) {
  return guarded_text([&] {
    PlanObject& object = object_of(plan);
    return object.texts.get("explain", [&] { return explained(object); });
  });
}

int32_t jute_plan_steps(const jute_plan* plan, size_t* count) {
  return guarded([&] {
    require(count, "count");
    *count = object_of(plan).sources.size();
  });
}
const char* jute_plan_source(const jute_plan* plan, size_t step) {
  return guarded_text([&] { return source_of(object_of(plan), step).text.c_str(); });
}
const char* jute_plan_ptx(const jute_plan* plan, size_t step) {
  return guarded_text([&] {
    PlanObject& object = object_of(plan);
    const Source& source = source_of(object, step);
    return object.texts.get("ptx " + std::to_string(step), [&] {
      return KernelCache(object.context->settings).get(source, Output::ptx).ptx;
    });
  });
}
