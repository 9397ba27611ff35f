// Reads the words of ranks_race, and its cases.
#include "ranks_race_options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace jute::bench {

RaceOptions race_options_of(int count, char** words) {
  RaceOptions options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] { return i + 1 < count ? words[++i] : ""; };
    if (word == "--device")
      options.device = value();
    else if (word == "--ranks")
      options.ranks = std::atoi(value());
    else if (word == "--rounds")
      options.rounds = std::max(1, std::atoi(value()));
    else if (word == "--flags")
      options.flags = std::string(value()) == "words" ? FlagsBy::words : FlagsBy::copies;
    else if (word == "--transports")
      options.transports = value();
    else if (word == "--ways")
      options.ways = value();
    else if (word == "--config")
      options.config = value();
    else if (word == "--transport-sms")
      options.transport_sms = std::atoi(value());
    else if (word == "--stamps")
      options.with_stamps = true;
    else if (word == "--prepare")
      options.only_prepares = true;
    else if (word == "--round-ms")
      options.round_ms = std::atof(value());
    else
      options.problems.push_back(word);
  }
  return options;
}

bool is_named(const std::string& list, const std::string& name) {
  return list.empty() || ("," + list + ",").find("," + name + ",") != std::string::npos;
}

std::string problem_text(const std::string& line, Index ranks) {
  char kind[16] = {};
  long long m = 0, n = 0, k = 0;
  if (std::sscanf(line.c_str(), "%15s %lld %lld %lld", kind, &m, &n, &k) != 4) return {};
  const std::map<std::string, std::string> places{
      {"ag", "place=A=M@tp,B=N@tp,D=N@tp share=N@tp"},
      {"rs", "place=A=K@tp,B=K@tp,D=M@tp share=K@tp"},
      {"rs16", "place=A=K@tp,B=K@tp,D=M@tp share=K@tp wire=bf16"},
      {"ar", "place=A=K@tp,B=K@tp share=K@tp"},
      {"ar16", "place=A=K@tp,B=K@tp share=K@tp wire=bf16"},
      {"free", "place=A=M@tp,B=N@tp,D=M@tp"}};
  const auto place = places.find(kind);
  if (place == places.end()) return {};
  return "M=" + std::to_string(m) + " N=" + std::to_string(n) + " K=" + std::to_string(k) +
         " A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=" + std::to_string(ranks) + " " +
         place->second;
}

}  // namespace jute::bench
