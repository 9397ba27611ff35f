#pragma once
// What `jute emulate FILE` says without a launch: kernels, and lines that run them.
#include <jute/program/launches.hpp>

#include <string>
#include <vector>

#include "emulate/launch/argument_words.hpp"
#include "emulate/launch/kernel_module.hpp"
#include "emulate/launch/launch_file.hpp"
#include "files/json_writer.hpp"

namespace jute::command {

/// One way to run a kernel.
struct OfferedLaunch {
  std::string kernel;  ///< "saxpy(int, float, float*, float*)"
  std::string symbol;
  int line = 0;                           ///< of the launch, else of the kernel; 0: not known
  bool is_made = false;                   ///< the file launches it so
  LaunchWords launch = {};                ///< what is not known is in capitals
  bool lacks_smem = false;                ///< nor how much shared memory it asks for
  std::vector<std::string> words = {};    ///< the same after `jute`
  std::vector<std::string> missing = {};  ///< those words, each with what it stands for
  std::vector<std::size_t> invented =
      {};  ///< arguments whose memory begins as nothing in the file says
};

/// Lines for the launches that a module's text makes.
///   options  the words behind FILE on the lines: what the file was compiled with
[[nodiscard]] std::vector<OfferedLaunch> offered_launches(const KernelModule& module,
                                                          const ProgramLaunches& program,
                                                          const std::vector<std::string>& options);
/// The first of these that lacks nothing.   throws  UsageError: each lacks something
[[nodiscard]] LaunchFile launch_of_offers(const std::vector<OfferedLaunch>& offers,
                                          const std::string& module);
/// Template arguments of launches that a file makes: "scale<float>".
[[nodiscard]] std::vector<std::string> launched_instances(const ProgramLaunches& program);

/// The offers of a file, as text and as data.
struct Offers {
  const KernelModule& module;
  const ProgramLaunches& program;
  const std::vector<OfferedLaunch>& launches;
  std::string_view chip;  ///< that answers where the program asks
};
[[nodiscard]] std::string offers_text(const Offers& offers);
[[nodiscard]] Json offers_json(const Offers& offers);

}  // namespace jute::command
