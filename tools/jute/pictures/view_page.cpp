// HTML of one kernel. Pictures are images of their own, so that their styles do not meet.
#include "pictures/view_page.hpp"

#include <jute/draw/arrange.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/plan/values/fields.hpp>

#include <array>
#include <sstream>
#include <utility>
#include <variant>

#include "files/html_text.hpp"
#include "pictures/charts.hpp"
#include "pictures/timeline.hpp"
#include "programs/disassembler.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

constexpr int kMostDrawn = 32;

constexpr std::string_view kViewStyle = R"html(
<style>
:root{--ink:#1b1f24;--page:#fff;--dim:#57606a;--line:#d0d7de;--lit:#fff3b0;--link:#0a5a9c}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--page:#0d1117;--dim:#9aa4af;--line:#30363d;--lit:#4d3f00;--link:#8cc4f5}}
body{margin:0 auto;padding:1rem;max-width:1800px;font:15px system-ui,sans-serif;color:var(--ink);background:var(--page)}
a{color:var(--link)}h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.1rem}.dim{color:var(--dim)}
figure{margin:0 0 1rem;overflow-x:auto}figcaption{color:var(--dim);overflow-wrap:anywhere}
img{max-width:none}table{border-collapse:collapse;margin:0 0 1rem;display:block;overflow-x:auto}
caption{text-align:left;color:var(--dim)}td,th{border:1px solid var(--line);padding:.2rem .5rem;text-align:left}pre{overflow-x:auto;font:12px ui-monospace,'DejaVu Sans Mono',monospace}
.map{display:block;width:100%;min-width:640px;height:auto;max-width:900px}.map text{fill:var(--ink);font:12px system-ui,sans-serif}
.codes{display:grid;grid-template-columns:repeat(auto-fit,minmax(0,1fr));grid-auto-flow:column;gap:1rem}
.code{height:80vh;overflow:auto;border:1px solid var(--line);padding:0;margin:0;min-width:0;
font:12px ui-monospace,'DejaVu Sans Mono',monospace}
.code div{white-space:pre;padding:0 .5rem;min-width:max-content}.code div[data-l]{cursor:pointer}
.code .n{display:inline-block;width:4ch;text-align:right;color:var(--dim);margin-right:1ch}
.code .on{background:var(--lit)}.code:focus{outline:2px solid var(--link)}
.codes h3{margin:0 0 .3rem;font-size:.95rem}.codes section{min-width:0}
@media(max-width:1000px){.codes{grid-auto-flow:row}.code{height:50vh}}
</style>
)html";

constexpr std::string_view kScript = R"html(<script>
const panes = [...document.querySelectorAll('.code')], said = document.getElementById('said');
let line = 0;
const show = (next, from) => {
  line = next;
  for (const pane of panes) {
    const lit = [...pane.querySelectorAll('.on')];
    for (const old of lit) old.classList.remove('on');
    const now = pane.querySelectorAll(`[data-l="${line}"]`);
    for (const one of now) one.classList.add('on');
    if (now.length && pane !== from) pane.scrollTop = now[0].offsetTop - pane.offsetTop - pane.clientHeight / 3;
  }
  said.textContent = `CUDA line ${line}: ` + panes.slice(1)
    .map(pane => `${pane.querySelectorAll('.on').length} lines of ${pane.getAttribute('aria-label')}`).join(', ');
};
for (const pane of panes) {
  pane.addEventListener('click', event => {
    const at = event.target.closest('[data-l]');
    if (at) show(Number(at.dataset.l), pane);
  });
  pane.addEventListener('keydown', event => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    for (let next = line + step; next > 0 && next <= last; next += step)
      if (panes.slice(1).some(other => other.querySelector(`[data-l="${next}"]`))) { show(next, null); break; }
  });
}
const last = panes[0].children.length;
</script>
)html";

std::string figure(const std::string& caption, const std::string& svg) {
  return "<figure><figcaption>" + escaped(caption) + "</figcaption>\n<img alt=\"" +
         escaped(caption) + "\" src=\"data:image/svg+xml;base64," + base64(svg) + "\"></figure>\n";
}

std::string picture(const std::string& caption, const Picture& shown) {
  return figure(caption, to_svg(thinned(shown, kMostDrawn)));
}

/// Who waits for whom, and the order that follows.
std::string in_time(const GemmStep& gemm) {
  std::string html =
      "<h2 id=\"time\">In time</h2>\n" +
      figure("Stages of shared memory and those who fill and read them", to_svg(timeline(gemm)));
  if (gemm.signals.empty()) return html;
  html +=
      "<table><caption>Signals</caption><tr><th>name<th>copies<th>a phase ends with<th>raised "
      "by<th>awaited by</tr>\n";
  for (const Signal& signal : gemm.signals) {
    const std::string bytes =
        signal.bytes > 0 ? " and " + std::to_string(signal.bytes) + " bytes" : "";
    html += "<tr><td>" + escaped(signal.name) + "<td>" + std::to_string(signal.copies) + "<td>" +
            std::to_string(signal.arrivals) + (signal.arrivals == 1 ? " arrival" : " arrivals") +
            bytes + "<td>" + escaped(signal.raised_by) + "<td>" + escaped(signal.awaited_by) +
            "</tr>\n";
  }
  return html + "</table>\n";
}

/// Where the time of the first blocks of a run went.
std::string in_first_launch(const FirstLaunch& launch) {
  return "<h2 id=\"launch\">First launch</h2>\n" +
         figure(
             "Blocks of one run, alone on " + launch.device +
                 (launch.mhz > 0 ? "" : ": the emulator's clock tells the order of moments alone"),
             stamps_svg(launch.lanes, launch.mhz));
}

std::string layouts(const GemmStep& gemm) {
  std::string html = "<h2 id=\"layouts\">Layouts</h2>\n";
  const auto operand = [&](const std::string& name, const OperandPlan& plan) {
    const Index cells = size(stage_of(plan).smem.layout());  // one: nothing of it lies there
    if (cells < 2 || cells > kMostPictureCells) return;
    html += picture(name + " in shared memory, one stage: " + to_string(stage_of(plan).smem),
                    bank_picture(stage_of(plan).smem, width_bits(plan.type)));
  };
  operand("A", gemm.a);
  operand("B", gemm.b);
  const ShapeMnk tile = tile_shape(gemm.mma);
  // Threads that share out K hold the same elements: behind the tile begins the next part of K.
  const Index parts_of_k = size(gemm.mma.atom_layout()[2]);
  const Layout c = composition(Layout(IntTuple{Index{tile.m} * tile.n, parts_of_k}, IntTuple{1, 0}),
                               layoutC_TV(gemm.mma));
  if (Index{tile.m} * tile.n <= kMostPictureCells)
    html += picture("C in registers, by warp: " + to_string(c),
                    colored(tv_picture(c, tile.m, tile.n), ColorBy::warp));
  return html;
}

/// A bar for each region, at its place.
std::string memory_map(const GemmStep& gemm) {
  Index end = 1;
  for (const SmemRegion& region : gemm.smem_map) end = std::max(end, region.offset + region.bytes);
  constexpr int kWidth = 880, kRow = 26, kTop = 4;
  constexpr std::array kFills{"#8ecdf2", "#f3c766", "#66c2a5", "#e6b3cf", "#f2a873", "#d0d0d0"};
  const int height = kTop + kRow * static_cast<int>(gemm.smem_map.size());
  std::string html =
      "<h2 id=\"memory\">Shared memory</h2>\n<figure><svg class=\"map\" viewBox=\"0 0 900 " +
      std::to_string(height) + "\" role=\"img\"><title>Regions of " + std::to_string(end) +
      " bytes of shared memory</title>\n";
  int row = 0;
  for (const SmemRegion& region : gemm.smem_map) {
    const auto at = [&](Index bytes) { return static_cast<int>(bytes * kWidth / end); };
    const int y = kTop + kRow * row, x = at(region.offset);
    const int width = std::max(2, at(region.offset + region.bytes) - x);
    const std::string text =
        region.name + ": " + std::to_string(region.bytes) + " bytes at " +
        std::to_string(region.offset) +
        (region.copies > 1 ? ", " + std::to_string(region.copies) + " copies" : "");
    html += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
            std::to_string(width) + "\" height=\"8\" fill=\"" +
            kFills[static_cast<size_t>(row) % kFills.size()] + "\" stroke=\"#57606a\"/><text x=\"" +
            std::to_string(std::min(x, 520)) + "\" y=\"" + std::to_string(y + 20) + "\">" +
            escaped(text) + "</text>\n";
    ++row;
  }
  return html + "</svg></figure>\n";
}

std::string code_pane(const std::string& name, const std::vector<std::string>& lines,
                      const std::vector<int>& linked) {
  std::string html = "<section><h3>" + name +
                     "</h3><div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     name + "\">";
  for (size_t i = 0; i < lines.size(); ++i) {
    html += linked[i] > 0 ? "<div data-l=\"" + std::to_string(linked[i]) + "\">" : "<div>";
    html +=
        "<span class=\"n\">" + std::to_string(i + 1) + "</span>" + escaped(lines[i]) + "</div>\n";
  }
  return html + "</div></section>\n";
}

/// The text where no disassembler was found.
constexpr std::string_view kNoSass =
    "<p class=\"dim\">With nvdisasm in PATH, CUDA_HOME or VIRTUAL_ENV the machine code stands "
    "here, too.</p>\n";

/// Machine code with its links; the lines that say them are left out, blanks behind addresses, too.
std::string sass_pane(const std::string& sass) {
  const std::vector<std::string> all = lines_of(sass);
  const std::vector<int> links = source_lines_of_sass(sass);
  std::vector<std::string> lines;
  std::vector<int> linked;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].find("//## File") != std::string::npos) continue;
    std::string line = all[i];
    const size_t address = line.find("*/");
    const size_t code =
        address == std::string::npos ? std::string::npos : line.find_first_not_of(' ', address + 2);
    if (code != std::string::npos) line.replace(address + 2, code - address - 2, "  ");
    if (line.starts_with("        /*")) line.erase(0, 8);
    lines.push_back(std::move(line));
    linked.push_back(links[i]);
  }
  return code_pane("SASS", lines, linked);
}

std::string code(const Source& source, const Binary& binary, const std::string& sass) {
  const std::vector<std::string> cuda = lines_of(source.text), ptx = lines_of(binary.ptx);
  std::vector<int> numbers;
  for (size_t i = 0; i < cuda.size(); ++i) numbers.push_back(static_cast<int>(i) + 1);
  const std::string machine = sass.empty() ? std::string() : sass_pane(sass);
  return "<h2 id=\"code\">CUDA, PTX and SASS</h2>\n<p id=\"said\" aria-live=\"polite\">Click a "
         "line to see what it became; in a pane, the arrows go from line to line.</p>\n<div "
         "class=\"codes\">\n" +
         code_pane("CUDA", cuda, numbers) + code_pane("PTX", ptx, source_lines_of(binary.ptx)) +
         machine + "</div>\n" + std::string(sass.empty() ? kNoSass : std::string_view());
}

}  // namespace

std::vector<int> source_lines_of(const std::string& ptx) {
  std::vector<int> result;
  int line = 0;
  for (const std::string& text : lines_of(ptx)) {
    const size_t at = text.find_first_not_of(" \t");
    if (at != std::string::npos && text.compare(at, 4, ".loc") == 0) {
      std::istringstream words(text.substr(at + 4));
      int file = 0;
      words >> file >> line;
      result.push_back(0);
      continue;
    }
    const bool is_code = at != std::string::npos && text.find(';') != std::string::npos && line > 0;
    if (at != std::string::npos && text[at] == '}') line = 0;
    result.push_back(is_code ? line : 0);
  }
  return result;
}

std::string view_page(const Plan& plan, size_t step, const Source& source, const Binary& binary,
                      const std::string& sass, const std::optional<FirstLaunch>& first) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
      escaped(source.symbol) + "</title>" + std::string(kViewStyle) + "</head>\n<body>\n<h1>" +
      escaped(source.symbol) + "</h1>\n<p class=\"dim\">" + escaped(to_string(plan.problem)) +
      "</p>\n<p>";
  if (binary.resources)
    html += std::to_string(binary.resources->registers) + " registers a thread, " +
            std::to_string(binary.resources->spill_store_bytes) + " bytes spilled; ";
  html += std::to_string(source.threads_per_block) + " threads, " +
          std::to_string(source.dynamic_smem_bytes) +
          " bytes of shared memory a block.</p>\n<p><a href=\"#memory\">Shared memory</a> · <a "
          "href=\"#time\">In time</a> · " +
          (first ? "<a href=\"#launch\">First launch</a> · " : "") +
          "<a  href=\"#layouts\">Layouts</a> · <a href=\"#code\">CUDA, PTX and SASS</a> · <a "
          "href=\"#plan\">Plan</a></p>\n";
  if (const auto* gemm = std::get_if<GemmStep>(&plan.steps.at(step)))
    html += memory_map(*gemm) + in_time(*gemm) + (first ? in_first_launch(*first) : "") +
            layouts(*gemm);
  html += code(source, binary, sass);
  html += "<h2 id=\"plan\">Plan</h2>\n<pre>" + escaped(to_string(plan)) + "</pre>\n";
  return html + std::string(kScript) + "</body>\n</html>\n";
}

}  // namespace jute::command
