#pragma once
// A way through the host code of a program, from `main` on, with what is known of its variables.
#include <jute/program/launches.hpp>

#include <deque>
#include <map>
#include <set>

#include "program/evaluate.hpp"
#include "program/kernel_text.hpp"

namespace jute::program {

constexpr int kDeepestCall = 8;

/// Memory that the program asks for.
struct HostMemory {
  std::string name;
  std::string type;  ///< of its elements, where the program says it
  std::optional<Index> bytes;
  LaunchContents contents = LaunchContents::unset;
};

/// `d_x` of `(void**)&d_x`.
[[nodiscard]] std::string target_of(CudaTokens tokens);

class HostWalk {
 public:
  HostWalk(std::string_view text, CudaTokens tokens, const Macros& macros,
           const std::vector<CudaDeclaration>& declared, const ProgramSurroundings& around);

  /// Call once.
  [[nodiscard]] ProgramLaunches run();

 private:
  /// A launch's parts as they stand in the text.
  struct LaunchText {
    std::string qualified, name;  ///< `net::scale`, `scale`
    CudaTokens template_arguments;
    std::vector<CudaTokens> shape;  ///< grid, block, bytes of shared memory
    std::vector<CudaTokens> arguments;
    bool is_cooperative = false;
  };
  /// Where a function's statements are.
  struct Frame {
    const FunctionText& function;
    HostScope& scope;
    int depth = 0;                      ///< of calls
    std::vector<bool> conditions = {};  ///< of the braces around: do they stand behind an `if`?
    std::set<std::size_t> passed = {};  ///< each `else` of a condition that holds
    std::set<std::size_t> taken = {};   ///< statements whose condition holds
    bool is_blind = false;              ///< conditions are not looked at
  };

  void declare_globals(const std::vector<CudaDeclaration>& declared);
  void walk(const FunctionText& function, HostScope& scope, int depth);
  std::size_t taken_branch(Frame& frame, std::size_t at);
  static std::size_t behind_statement(CudaTokens tokens, std::size_t at);
  /// Does the statement that begins at `at` of the function's body.
  void step(Frame& frame, std::size_t at);
  void statement(Frame& frame, std::size_t at);
  bool declaration(Frame& frame, std::size_t at);
  void declare(Frame& frame, const std::string& spelling, CudaTokens declarator);
  HostValue initial_value(const std::string& name, const std::string& type, CudaTokens rest,
                          const HostScope& scope);
  HostValue vector_memory(const std::string& name, const std::string& type,
                          const std::vector<CudaTokens>& list, const HostScope& scope);
  void assignment(Frame& frame, std::size_t at);
  void call(Frame& frame, std::size_t at);
  bool runtime_call(Frame& frame, std::string_view name, const std::vector<CudaTokens>& arguments);
  bool device_call(Frame& frame, std::string_view name, const std::vector<CudaTokens>& arguments);
  /// `std::cin >> n >> m`, `scanf("%d", &n)`.
  void stream_read(Frame& frame, std::size_t at);
  bool scan_call(Frame& frame, std::size_t at, std::string_view name,
                 const std::vector<CudaTokens>& arguments);
  void read_input(Frame& frame, std::size_t at, CudaTokens target);
  void fill_by_library(Frame& frame, const std::vector<CudaTokens>& arguments);
  void walk_call(Frame& frame, const FunctionText& function, CudaTokens template_arguments,
                 const std::vector<CudaTokens>& arguments);
  void launch(Frame& frame, std::size_t at);
  /// `cudaLaunchKernel((void*)scale<float>, grid, block, arguments, bytes, stream)` and its like.
  bool launch_call(Frame& frame, std::size_t at, std::string_view name,
                   const std::vector<CudaTokens>& arguments);
  void record(Frame& frame, std::size_t at, const LaunchText& text);
  /// Expands a macro's call, where that launches a kernel.
  bool launch_macro(Frame& frame, std::size_t at, const std::vector<CudaTokens>& arguments);
  void declare_type(const CudaDeclaration& declaration);
  void declare_alias(HostScope& scope, CudaTokens tokens);
  void declare_members(HostScope& scope, const std::string& name, const std::string& type,
                       CudaTokens rest);

  [[nodiscard]] HostValue value(CudaTokens tokens, const HostScope& scope);
  [[nodiscard]] EvaluationContext context();
  [[nodiscard]] HostValue called(std::string_view name, const std::vector<HostValue>& arguments);
  HostValue new_memory(std::string name, const HostValue& bytes, std::string type);
  void set(HostScope& scope, const std::string& name, const HostValue& value);
  [[nodiscard]] bool is_conditional(const Frame& frame, std::size_t at) const;
  [[nodiscard]] const FunctionText* find(std::string_view name, bool is_kernel,
                                         std::size_t arguments) const;
  [[nodiscard]] LaunchArgument argument(CudaTokens tokens, const HostScope& scope,
                                        const ParameterText* parameter,
                                        std::vector<std::optional<std::size_t>>& memories);
  [[nodiscard]] std::string template_arguments(CudaTokens list, const FunctionText* kernel,
                                               const std::vector<CudaTokens>& arguments,
                                               const Frame& frame);
  [[nodiscard]] std::string plain_type(const std::string& spelling, const HostScope& scope) const;
  [[nodiscard]] int line_of(std::size_t at) const;

  std::string_view text_;
  CudaTokens tokens_;
  const Macros& macros_;
  std::vector<FunctionText> functions_;
  HostScope globals_;
  std::vector<HostMemory> memories_;
  std::set<std::size_t> seen_;  ///< launches, by where they stand
  std::deque<std::string> kept_texts_;
  std::deque<std::vector<CudaToken>> made_tokens_;  ///< that no text has: of macros
  std::map<std::string, std::vector<CudaTokens>, std::less<>>
      argument_lists_;  ///< `void* a[] = {…}`
  std::set<const FunctionText*> walked_;
  int walks_left_ = 200;
  std::int64_t steps_left_ = 2000000;
  int call_depth_ = 0;
  /// By where they stand, then by the kernel: a template's function launches several.
  std::map<std::pair<std::size_t, std::string>, LaunchSite> sites_;
  std::vector<std::string> constants_;
  const ProgramSurroundings& around_;
  std::vector<InputRead> unread_;
  std::size_t words_read_ = 0;
  bool asks_device_ = false;
};

}  // namespace jute::program
