// Preparing, one problem or many.
#include <jute/base/json.hpp>
#include <jute/base/refuse.hpp>
#include <jute/gemm/prepare_many.hpp>
#include <jute/race/tune.hpp>

#include <sstream>
#include <utility>

#include "base/format.hpp"
#include "c/objects.hpp"

namespace jute::c {
namespace {

constexpr std::size_t kFirstPrepareOptions = sizeof(jute_prepare_options);

void tell(ContextObject& context, const std::string& problem, const Prepared& prepared) {
  std::ostringstream line;
  line << problem << ": ";
  if (prepared.error) {
    line << to_string(*prepared.error);
  } else {
    const PrepareTimes& times = prepared.gemm->times();
    line << prepared.gemm->plans().size() << " kernels, planned " << times.plan.count()
         << " ms, compiled " << times.compile.count() << " ms, loaded " << times.load.count()
         << " ms";
  }
  context.log(line.str());
}

std::shared_ptr<GemmObject> object_for(const std::shared_ptr<ContextObject>& context, Gemm gemm) {
  return std::shared_ptr<GemmObject>(new GemmObject{context, std::move(gemm), {}});
}

/// One product that jute_gemm_prepare_many prepares, and whom it tells.
struct Request {
  std::shared_ptr<ContextObject> context;
  std::vector<Problem> problems{};
  std::vector<std::string> texts{};
  jute_prepare_options options{};
};

Continue tell(const Request& request, const PrepareProgress& progress) {
  const std::string& problem = request.texts[progress.place];
  tell(*request.context, problem, progress.prepared);
  const jute_prepare_options& options = request.options;
  if (options.progress == nullptr) return Continue::yes;
  const std::string error = progress.prepared.error ? to_json(*progress.prepared.error).text() : "";
  const bool goes_on =
      options.progress(options.progress_user, progress.done, progress.all, problem.c_str(),
                       progress.prepared.error ? error.c_str() : nullptr) == 0;
  return goes_on ? Continue::yes : Continue::no;
}

void require_alone(const ProblemObject& problem, std::string operand) {
  if (problem.behind.empty()) return;
  jute::refuse(ErrorCode::unsupported, std::move(operand), problem.text,
               "it must be one problem: jute_gemm_prepare prepares parts of "
               "one D");
}

Request request_of(jute_context* context, const jute_problem* const* problems, std::size_t count,
                   const jute_prepare_options* options) {
  Request request{.context = shared_object(context)};
  (void)request.context->usable();
  if (options != nullptr)
    request.options = read_struct(options, "prepare_options", kFirstPrepareOptions);
  require_count(request.options.threads, "prepare_options.threads");
  require_enumerator(request.options.reserved, 0, "prepare_options.reserved");
  for (std::size_t i = 0; i < count; ++i) {
    const ProblemObject& problem = object_of(problems[i]);
    require_alone(problem, base::format("problems[{}]", i));
    request.problems.push_back(problem.problem);
    request.texts.push_back(problem.text);
  }
  return request;
}

/// The handles; the first error, and whether any problem had not begun.
int32_t give_all(const Request& request, std::vector<Prepared> prepared, jute_gemm** gemms) {
  int32_t status = JUTE_OK;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    if (prepared[i].gemm)
      give(gemms + i, object_for(request.context, *std::move(prepared[i].gemm)));
    else if (prepared[i].error && status == JUTE_OK)
      status = kept(*prepared[i].error);
  }
  const auto is_left_out = [](const Prepared& one) { return !one.gemm && !one.error; };
  if (status == JUTE_OK && std::ranges::any_of(prepared, is_left_out)) return JUTE_CANCELLED;
  return status;
}

}  // namespace
}  // namespace jute::c

using namespace jute;
using namespace jute::c;

int32_t jute_gemm_prepare(jute_context* context, const jute_problem* problem, const char* choices,
                          jute_gemm** gemm) {
  return guarded([&] {
    expect(gemm, "gemm");
    const std::shared_ptr<ContextObject> of = shared_object(context);
    const ProblemObject& asked = object_of(problem);
    Prepared prepared{.gemm = prepare_parts(of->usable(), all_parts(asked), config_of(choices))};
    tell(*of, asked.text, prepared);
    give(gemm, object_for(of, *std::move(prepared.gemm)));
  });
}

int32_t jute_gemm_tune(jute_context* context, const jute_problem* problem, const char* choices,
                       int32_t candidates, jute_gemm** gemm) {
  return guarded([&] {
    expect(gemm, "gemm");
    const std::shared_ptr<ContextObject> of = shared_object(context);
    const ProblemObject& asked = object_of(problem);
    require_alone(asked, "problem");
    Tuned tuned =
        tune(of->usable(), asked.problem, {.candidates = candidates, .config = config_of(choices)});
    of->log(asked.text + ": raced, " + to_string(tuned));
    give(gemm, object_for(of, std::move(tuned.gemm)));
  });
}

int32_t jute_gemm_prepare_many(jute_context* context, const jute_problem* const* problems,
                               size_t count, const jute_prepare_options* options,
                               jute_gemm** gemms) {
  int32_t status = JUTE_OK;
  const int32_t thrown = guarded([&] {
    require_list(gemms, count, "gemms");
    std::fill_n(gemms, count, nullptr);
    require_list(problems, count, "problems");
    const Request request = request_of(context, problems, count, options);
    PrepareOptions how{.threads = request.options.threads};
    how.progress = [&](const PrepareProgress& progress) { return tell(request, progress); };
    status = give_all(request, prepare(request.context->context, request.problems, how), gemms);
  });
  return thrown == JUTE_OK ? status : thrown;
}
