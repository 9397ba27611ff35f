// From the launches of a program's text to command lines.
#include "emulate/offered_launches.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/emulator/kernel_name.hpp>
#include <jute/program/launches.hpp>
#include <jute/program/number_type.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>

#include "command/command_line.hpp"
#include "tree/suggestion.hpp"

namespace jute::command {
namespace {

/// More threads than this take minutes here.
constexpr Index kManyThreads = Index{1} << 21;

constexpr const char* kUnknownSmem = "SMEM_BYTES";

std::string extents_word(const Dim3& extents) {
  std::string word = std::to_string(extents.x);
  if (extents.y != 1 || extents.z != 1) word += "," + std::to_string(extents.y);
  if (extents.z != 1) word += "," + std::to_string(extents.z);
  return word;
}

std::string number_word(double value) {
  std::array<char, 32> digits{};
  const auto [end, status] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end};
}

/// `ELEMENTS_OF_x`: only letters, digits and underscores, so that shells leave it alone.
std::string placeholder(const std::string& head, const std::string& name) {
  std::string word = head;
  for (const char c : name) word += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return word;
}

/// A word that stands for what is not known.
void lack(OfferedLaunch& offer, const std::string& word, const std::string& meaning) {
  offer.missing.push_back(word + ": " + meaning);
}

/// Inputs of floating-point numbers and bytes are random, other integers count: they may be
/// indices.
std::string contents_word(std::string_view element, LaunchContents contents, bool is_read_only) {
  if (contents == LaunchContents::zeros) return "=zeros";
  if (contents == LaunchContents::unset && !is_read_only) return "";
  const bool counts = element == "i16" || element == "u16" || element == "i32" ||
                      element == "u32" || element == "i64" || element == "u64";
  return counts ? "=iota" : "=random:1";
}

/// `+16` where the launch passes an address behind the first element.
std::string offset_word(OfferedLaunch& offer, const LaunchMemory* memory, Index each,
                        const std::string& name, const std::string& text) {
  if (memory == nullptr || memory->offset_bytes == Index{0}) return {};
  if (memory->offset_bytes && *memory->offset_bytes > 0 && *memory->offset_bytes % each == 0)
    return "+" + std::to_string(*memory->offset_bytes / each);
  const std::string word = placeholder("ELEMENTS_BEFORE_", name);
  lack(offer, word, "how many elements lie before " + text);
  return "+" + word;
}

/// The word of memory.
std::string memory_word(OfferedLaunch& offer, const LaunchArgument& argument, size_t index) {
  const auto* memory = std::get_if<LaunchMemory>(&argument.value);
  const NumberType* type = find_number_type(argument.type);
  const std::string name =
      !argument.parameter.empty() ? argument.parameter : "argument_" + std::to_string(index);
  const std::string offset =
      offset_word(offer, memory, type == nullptr ? 1 : type->element_bytes, name, argument.text);
  if (memory != nullptr && memory->again) return "@" + std::to_string(*memory->again) + offset;
  const std::string element(type == nullptr ? "u8" : type->element);
  const LaunchContents contents = memory == nullptr ? LaunchContents::unset : memory->contents;
  const std::string begins = contents_word(element, contents, argument.is_constant);
  if (begins.starts_with("=") && begins != "=zeros") offer.invented.push_back(index);
  if (memory != nullptr && memory->bytes) {
    const Index each = type == nullptr ? 1 : type->element_bytes;
    return element + "[" + std::to_string((*memory->bytes + each - 1) / each) + "]" + offset +
           begins;
  }
  const std::string word = placeholder(type == nullptr ? "BYTES_OF_" : "ELEMENTS_OF_", name);
  lack(offer, word,
       argument.text.empty() ? "how many there are" : "how many " + argument.text + " has");
  return element + "[" + word + "]" + offset + begins;
}

std::string argument_word(OfferedLaunch& offer, const LaunchArgument& argument, size_t index) {
  const auto* integer = std::get_if<Index>(&argument.value);
  const auto* number = std::get_if<double>(&argument.value);
  const bool is_half = argument.type.find("half") != std::string::npos ||
                       argument.type.find("bfloat16") != std::string::npos;
  const NumberType* type = find_number_type(argument.type);
  const std::string of_type = is_half && type != nullptr ? std::string(type->element) + ":" : "";
  if (argument.is_pointer)
    return integer != nullptr && *integer == 0 ? "null" : memory_word(offer, argument, index);
  if (integer != nullptr) return of_type + std::to_string(*integer);
  if (number != nullptr) return of_type + number_word(*number);
  const std::string name =
      !argument.parameter.empty() ? argument.parameter : "argument_" + std::to_string(index);
  const std::string word = placeholder("VALUE_OF_", name);
  lack(offer, word,
       (argument.type.empty() ? "a number" : argument.type) +
           (argument.text.empty() ? "" : ", " + argument.text + " in the launch"));
  return of_type + word;
}

/// The shortest of what names this kernel alone.
std::string name_for(const KernelModule& module, const PtxKernel& kernel,
                     const std::string& given) {
  const std::string whole = demangled(kernel.symbol);
  std::string plain = whole.substr(0, whole.find('('));
  plain = plain.substr(plain.rfind(' ', plain.find('<')) + 1);
  for (const std::string& name : {given, plain.substr(0, plain.find('<')), plain, whole}) {
    try {
      if (!name.empty() && find_kernel(module, name).symbol == kernel.symbol) return name;
    } catch (const Exception&) {
    }
  }
  return kernel.symbol;
}

const PtxKernel* kernel_of(const KernelModule& module, const std::string& name) {
  for (const std::string& each : {name, name.substr(0, name.find('<'))}) {
    try {
      return &find_kernel(module, each);
    } catch (const Exception&) {
    }
  }
  return nullptr;
}

/// The parameters of `void scale<float>(float const*, int)`, one each for the kernel's own.
std::vector<LaunchArgument> arguments_of(const PtxKernel& kernel) {
  const std::string whole = demangled(kernel.symbol);
  std::vector<std::string> types;
  const size_t open = whole.rfind('(');
  if (open != std::string::npos && whole.find('<', open) == std::string::npos)
    for (size_t at = open + 1; at < whole.size();) {
      const size_t end = whole.find_first_of(",)", at);
      types.push_back(whole.substr(at, end - at));
      at = whole.find_first_not_of(' ', end + 1);
    }
  std::vector<LaunchArgument> arguments;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    LaunchArgument argument;
    const bool is_told = types.size() == kernel.parameters.size();
    argument.is_pointer = kernel.signature.parameters[i].kind == ParameterKind::pointer;
    if (is_told) {
      argument.type = bare_type(types[i]);
      argument.is_constant = types[i].find("const*") != std::string::npos;
    } else if (!argument.is_pointer) {
      argument.type = name(kernel.signature.parameters[i].kind);
    } else {
      argument.type = "float";
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// The words after `jute`; `options` are those behind FILE.
std::vector<std::string> words_of(const OfferedLaunch& offer, const std::string& file,
                                  const std::vector<std::string>& options) {
  std::vector<std::string> words{"emulate", file};
  words.insert(words.end(), options.begin(), options.end());
  const LaunchWords& launch = offer.launch;
  words.insert(words.end(),
               {"--kernel", launch.kernel, "--grid", launch.grid, "--block", launch.block});
  if (launch.dynamic_smem_bytes > 0)
    words.insert(words.end(), {"--smem", std::to_string(launch.dynamic_smem_bytes)});
  if (offer.lacks_smem) words.insert(words.end(), {"--smem", kUnknownSmem});
  if (launch.is_cooperative) words.emplace_back("--cooperative");
  for (const std::string& argument : launch.arguments)
    words.insert(words.end(), {"--arg", argument});
  return words;
}

OfferedLaunch offer(const KernelModule& module, const PtxKernel& kernel, const LaunchSite& site,
                    const std::vector<std::string>& options) {
  OfferedLaunch result{.kernel = demangled(kernel.symbol),
                       .symbol = kernel.symbol,
                       .line = site.line,
                       .is_made = site.is_made};
  LaunchWords& launch = result.launch;
  launch.kernel = name_for(module, kernel, site.kernel);
  size_t missing = 0;
  const auto shape = [&](const std::string& word, const std::optional<Dim3>& extents) {
    if (extents) return extents_word(*extents);
    lack(result, word,
         missing < site.missing.size() ? site.missing[missing++] + " in the launch"
                                       : "one to three extents, X,Y,Z");
    return word;
  };
  launch.grid = shape("GRID", site.grid);
  launch.block = shape("BLOCK", site.block);
  launch.dynamic_smem_bytes = site.dynamic_smem_bytes.value_or(0);
  result.lacks_smem = !site.dynamic_smem_bytes && site.is_made && missing < site.missing.size();
  if (result.lacks_smem) lack(result, kUnknownSmem, site.missing[missing] + " in the launch");
  launch.is_cooperative = site.is_cooperative;
  const std::vector<LaunchArgument> arguments =
      site.arguments.size() == kernel.parameters.size() ? site.arguments : arguments_of(kernel);
  for (size_t i = 0; i < arguments.size(); ++i)
    launch.arguments.push_back(argument_word(result, arguments[i], i));
  result.words = words_of(result, module.path, options);
  return result;
}

/// "0, 2 and 3"
std::string numbers_text(const std::vector<size_t>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  return text;
}

std::string line_of(const OfferedLaunch& offer) { return "jute " + shell_line(offer.words); }

/// 0 where they are not known.
Index threads_of(const LaunchWords& launch) {
  Index threads = 1;
  std::istringstream extents(launch.grid + "," + launch.block);
  for (std::string each; std::getline(extents, each, ',');) {
    const auto extent = parsed_number<Index>(each);
    if (!extent || __builtin_mul_overflow(threads, *extent, &threads)) return 0;
  }
  return threads;
}

}  // namespace

std::vector<std::string> launched_instances(const ProgramLaunches& program) {
  std::vector<std::string> names;
  for (const LaunchSite& site : program.sites)
    if (site.kernel.find('<') != std::string::npos &&
        std::ranges::find(names, site.kernel) == names.end())
      names.push_back(site.kernel);
  return names;
}

std::vector<OfferedLaunch> offered_launches(const KernelModule& module,
                                            const ProgramLaunches& program,
                                            const std::vector<std::string>& options) {
  std::vector<OfferedLaunch> offers;
  const auto is_new = [&](const OfferedLaunch& one) {
    return std::ranges::none_of(
        offers, [&](const OfferedLaunch& other) { return other.words == one.words; });
  };
  for (const LaunchSite& site : program.sites)
    if (const PtxKernel* kernel = kernel_of(module, site.kernel)) {
      OfferedLaunch one = offer(module, *kernel, site, options);
      if (is_new(one)) offers.push_back(std::move(one));
    }
  for (const PtxKernel& kernel : module.kernels)
    if (std::ranges::find(offers, kernel.symbol, &OfferedLaunch::symbol) == offers.end())
      offers.push_back(offer(module, kernel, {.is_made = false}, options));
  return offers;
}

LaunchFile launch_of_offers(const std::vector<OfferedLaunch>& offers, const std::string& module) {
  std::vector<std::string> lacking;
  for (const OfferedLaunch& offer : offers) {
    if (offer.missing.empty()) return launch_of_words(offer.launch, module);
    lacking.insert(lacking.end(), offer.missing.begin(), offer.missing.end());
  }
  throw UsageError("--write", offers.empty() ? "it needs a file with a kernel"
                                             : "it needs a launch that is known: --kernel, --grid, "
                                               "--block and --arg say what the file does not (" +
                                                   joined(lacking, "; ") + ")");
}

/// Why a launch that a file makes is none of a kernel that there is.
static std::string why_not_offered(const KernelModule& module, const LaunchSite& site) {
  if (!site.is_defined) return "no kernel of this file; it is defined in another";
  if (module.refused_instance) return module.refused_instance->violated_rules.back();
  return "a template whose arguments are not known: --kernel 'NAME<…>' names them";
}

/// The input that a program reads while it runs, and a line that gives it.
static std::string unread_text(const Offers& offers) {
  std::string text, words;
  for (const InputRead& read : offers.program.unread) {
    text += read.name + ": the program reads it from standard input, in line " +
            std::to_string(read.line) + "\n";
    words += words.empty() ? "2000" : " 2000";
  }
  if (text.empty()) return text;
  return text + "  jute " + shell_line({"emulate", offers.module.path, "--stdin", words}) + "\n";
}

std::string offers_text(const Offers& offers) {
  std::string text;
  for (const OfferedLaunch& each : offers.launches) {
    text += each.kernel;
    if (each.line > 0)
      text += (each.is_made ? ", launched in line " : ", line ") + std::to_string(each.line);
    text += "\n  " + line_of(each) + "\n";
    for (const std::string& missing : each.missing) text += "    " + missing + "\n";
    if (!each.invented.empty())
      text += "    --arg " + numbers_text(each.invented) +
              ": the contents are invented here; the program's own are not known\n";
    if (const Index threads = threads_of(each.launch); threads > kManyThreads)
      text += "    " + std::to_string(threads) +
              " threads take minutes: a smaller --grid is a first look\n";
  }
  text += unread_text(offers);
  if (offers.program.asks_device)
    text += "the program asks what chip it runs on: " + std::string(offers.chip) +
            " answers here, unless --device-preset names another\n";
  for (const std::string& constant : offers.program.constants)
    text += constant +
            ": the host copies into it; zero here, unless --global or a launch file sets it\n";
  if (!offers.launches.empty()) return text;
  for (const LaunchSite& site : offers.program.sites)
    if (site.is_made)
      text += site.kernel + ", launched in line " + std::to_string(site.line) + ": " +
              why_not_offered(offers.module, site) + "\n";
  if (text.empty()) text += "no kernel\n";
  return text;
}

Json offers_json(const Offers& offers) {
  const auto offer_json = [](const OfferedLaunch& each) -> Json {
    return {{"kernel", each.kernel},
            {"symbol", each.symbol},
            {"line", each.line > 0 ? Json(each.line) : Json()},
            {"is_launched", each.is_made},
            {"command", line_of(each)},
            {"missing", Json::array(each.missing)},
            {"invented", Json::array(each.invented)}};
  };
  const auto read_json = [](const InputRead& read) -> Json {
    return {{"name", read.name}, {"line", read.line}};
  };
  return {{"launches", Json::array(offers.launches, offer_json)},
          {"host_constants", Json::array(offers.program.constants)},
          {"unread", Json::array(offers.program.unread, read_json)}};
}

}  // namespace jute::command
