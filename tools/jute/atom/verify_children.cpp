// Proofs in processes of their own. A child writes lines: where it runs, which atom it executes,
// and each proof as it is done; what it leaves open when it ends, another child takes up.
#include "atom/verify_children.hpp"

#include <jute/base/json_object.hpp>

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "command/exit_status.hpp"
#include "programs/interrupt.hpp"
#include "programs/worker_process.hpp"

namespace jute::command {

Json to_json(const AtomDifference& difference) {
  return {{"operand", difference.operand},
          {"thread", difference.thread},
          {"value", difference.value},
          {"expected", difference.expected},
          {"got", difference.got}};
}

namespace {

using ChildClock = std::chrono::steady_clock;

Json proof_line(const AtomProof& proof) {
  Json line = {{"name", proof.name},
               {"form", proof.form},
               {"arch", proof.arch.number},
               {"suffix", std::string(1, proof.arch.suffix)},
               {"result", static_cast<int>(proof.result)},
               {"pairs", proof.pairs},
               {"passes", proof.passes},
               {"reason", proof.reason}};
  if (proof.first) line.add("first", to_json(*proof.first));
  return line;
}

AtomProof proof_of(JsonObject& line) {
  AtomProof proof;
  proof.name = line.text("name");
  proof.form = line.text("form");
  proof.arch = {static_cast<int>(line.integer("arch")), line.text("suffix")[0]};
  proof.result = static_cast<AtomResult>(line.integer("result"));
  proof.pairs = line.integer("pairs");
  proof.passes = line.integer("passes");
  proof.reason = line.text("reason");
  if (line.has("first")) {
    JsonObject first = line.object("first");
    proof.first = AtomDifference{first.text("operand"), static_cast<int>(first.integer("thread")),
                                 first.integer("value"), first.text("expected"), first.text("got")};
  }
  return proof;
}

/// The work of a child.
void prove(const VerifyPlan& plan, const std::vector<std::string>& names, const SayLine& say) {
  const auto send = [&](const Json& line) { say(line.text()); };
  Context context = plan.open();
  send({{"where", context.backend().name()}, {"device", context.backend().device_info().name}});
  VerifyOptions options;
  options.workers = plan.workers;
  options.executing = [&](const std::string& name) { send({{"executing", name}}); };
  options.done = [&](const AtomProof& proof) { send(proof_line(proof)); };
  (void)verify(context, names, options);
}

/// One child and what it has not done yet.
struct Child {
  WorkerProcess process;
  std::vector<std::string> names;
  std::string executing;
  ChildClock::time_point since = ChildClock::now();
  bool has_begun = false;
};

class Parent {
 public:
  explicit Parent(const VerifyPlan& plan) : plan_(plan) {}

  VerifyOutcome run() {
    const auto count = std::min<size_t>(static_cast<size_t>(plan_.children), plan_.names.size());
    std::vector<std::vector<std::string>> shares(count);
    for (size_t i = 0; i < plan_.names.size(); ++i) shares[i % count].push_back(plan_.names[i]);
    const InterruptWatch watch;
    for (auto& share : shares) start(std::move(share));
    while (!children_.empty() && !InterruptWatch::is_interrupted()) wait_for_news();
    stop_all();
    for (const std::string& name : plan_.names)
      if (const auto found = proofs_.find(name); found != proofs_.end())
        outcome_.proofs.push_back(found->second);
    return std::move(outcome_);
  }

 private:
  /// The children that an interrupt leaves running.
  void stop_all() {
    outcome_.is_interrupted = !children_.empty();
    for (Child& child : children_) {
      child.process.kill();
      (void)child.process.finish();
    }
    children_.clear();
  }

  void start(std::vector<std::string> names) {
    Child child;
    child.process = WorkerProcess::start([&](const SayLine& say) { prove(plan_, names, say); });
    child.names = std::move(names);
    children_.push_back(std::move(child));
  }

  void wait_for_news() {
    std::vector<pollfd> files;
    for (const Child& child : children_) files.push_back({child.process.file(), POLLIN, 0});
    (void)::poll(files.data(), files.size(), 500);
    for (size_t i = files.size(); i-- > 0;) {
      Child& child = children_[i];
      const auto waited = ChildClock::now() - child.since;
      const bool hangs = !child.executing.empty() && waited > std::chrono::seconds(plan_.seconds);
      if (hangs) child.process.kill();
      if ((files[i].revents == 0 && !hangs) || read(child)) continue;
      Child ended = std::move(children_[i]);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
      finish(std::move(ended), hangs);
    }
  }

  /// False once the child has closed its end.
  bool read(Child& child) {
    return child.process.read([&](const std::string& line) {
      const std::string told_by = "atom verify";
      const JsonValue json = parse_json(line, told_by);
      take(child, JsonObject(json, told_by, ""));
    });
  }

  void take(Child& child, JsonObject line) {
    child.since = ChildClock::now();
    if (line.has("where")) {
      child.has_begun = true;
      outcome_.where = line.text("where");
      outcome_.device_name = line.text("device");
    } else if (line.has("executing")) {
      child.executing = line.text("executing");
    } else {
      AtomProof proof = proof_of(line);
      if (proof.name == child.executing) child.executing.clear();
      proofs_.insert_or_assign(proof.name, std::move(proof));
      if (plan_.progress)
        plan_.progress(static_cast<Index>(proofs_.size()), static_cast<Index>(plan_.names.size()));
    }
  }

  void finish(Child child, bool hung) {
    const WorkerEnd end = child.process.finish();
    const bool crashed = hung || end.by_signal;
    if (crashed && !child.executing.empty() && !proofs_.contains(child.executing)) {
      AtomProof proof;
      proof.name = child.executing;
      proof.result = AtomResult::faulted;
      proof.reason = hung ? "it does not end" : "the process was ended by a signal";
      proofs_.insert_or_assign(proof.name, std::move(proof));
    }
    const size_t before = child.names.size();
    std::erase_if(child.names, [&](const std::string& name) { return proofs_.contains(name); });
    if (child.names.empty()) return;
    if (!child.has_begun || child.names.size() == before)
      outcome_.status = end.status != kDone ? end.status : static_cast<int>(kLaunchFailed);
    else
      start(std::move(child.names));
  }

  const VerifyPlan& plan_;
  std::vector<Child> children_;
  std::map<std::string, AtomProof> proofs_;
  VerifyOutcome outcome_;
};

}  // namespace

VerifyOutcome verify_in_children(const VerifyPlan& plan) { return Parent(plan).run(); }

}  // namespace jute::command
