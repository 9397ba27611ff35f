// HTML of one kernel. Pictures are images of their own, so that their styles do not meet.
#include "view_page.hpp"

#include <jute/draw/arrange.hpp>
#include <jute/plan/fields.hpp>

#include <array>
#include <cstdint>
#include <sstream>
#include <utility>
#include <variant>

namespace jute::command {
namespace {

constexpr int kMostDrawn = 32;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    for (size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (size_t i = 0; i < 4; ++i) out += i <= count ? kLetters[group >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

constexpr std::string_view kStyle = R"html(
<style>
:root{--ink:#1b1f24;--page:#fff;--dim:#57606a;--line:#d0d7de;--lit:#fff3b0;--link:#0a5a9c}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--page:#0d1117;--dim:#9aa4af;--line:#30363d;--lit:#4d3f00;--link:#8cc4f5}}
body{margin:0 auto;padding:1rem;max-width:1800px;font:15px system-ui,sans-serif;color:var(--ink);background:var(--page)}
a{color:var(--link)}h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.1rem}.dim{color:var(--dim)}
figure{margin:0 0 1rem;overflow-x:auto}figcaption{color:var(--dim);overflow-wrap:anywhere}
img{background:#fff}pre{overflow-x:auto;font:12px ui-monospace,'DejaVu Sans Mono',monospace}
.map{display:block;width:100%;height:auto;max-width:900px}.map text{fill:var(--ink);font:12px system-ui,sans-serif}
.codes{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
.code{height:80vh;overflow:auto;border:1px solid var(--line);padding:0;margin:0;min-width:0;
font:12px ui-monospace,'DejaVu Sans Mono',monospace}
.code div{white-space:pre;padding:0 .5rem;min-width:max-content}.code div[data-l]{cursor:pointer}
.code .n{display:inline-block;width:4ch;text-align:right;color:var(--dim);margin-right:1ch}
.code .on{background:var(--lit)}.code:focus{outline:2px solid var(--link)}
@media(max-width:900px){.codes{grid-template-columns:1fr}.code{height:60vh}}
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
  const count = panes[1].querySelectorAll('.on').length;
  said.textContent = `CUDA line ${line}: ${count} lines of PTX`;
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
      if (panes[1].querySelector(`[data-l="${next}"]`)) { show(next, null); break; }
  });
}
const last = panes[0].children.length;
</script>
)html";

std::string picture(const std::string& caption, const Picture& shown) {
  return "<figure><figcaption>" + escaped(caption) + "</figcaption>\n<img alt=\"" +
         escaped(caption) + "\" src=\"data:image/svg+xml;base64," +
         base64(to_svg(thinned(shown, kMostDrawn))) + "\"></figure>\n";
}

std::string layouts(const GemmStep& gemm) {
  std::string html = "<h2 id=\"layouts\">Layouts</h2>\n";
  const auto operand = [&](const std::string& name, const OperandPlan& plan) {
    const Index cells = size(plan.smem.layout());
    if (cells < 1 || cells > kMostPictureCells) return;
    html += picture(name + " in shared memory, one stage: " + to_string(plan.smem),
                    bank_picture(plan.smem, width_bits(plan.type)));
  };
  operand("A", gemm.a);
  operand("B", gemm.b);
  const Layout c = layoutC_TV(gemm.mma);
  const ShapeMnk tile = tile_shape(gemm.mma);
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
  std::string html = "<h2 id=\"memory\">Shared memory</h2>\n<svg class=\"map\" viewBox=\"0 0 900 " +
                     std::to_string(height) + "\" role=\"img\"><title>Regions of " +
                     std::to_string(end) + " bytes of shared memory</title>\n";
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
  return html + "</svg>\n";
}

std::string code_pane(const std::string& name, const std::vector<std::string>& lines,
                      const std::vector<int>& linked) {
  std::string html =
      "<div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"" + name + "\">";
  for (size_t i = 0; i < lines.size(); ++i) {
    html += linked[i] > 0 ? "<div data-l=\"" + std::to_string(linked[i]) + "\">" : "<div>";
    html +=
        "<span class=\"n\">" + std::to_string(i + 1) + "</span>" + escaped(lines[i]) + "</div>\n";
  }
  return html + "</div>\n";
}

std::string code(const Source& source, const Binary& binary) {
  const std::vector<std::string> cuda = lines_of(source.text), ptx = lines_of(binary.ptx);
  std::vector<int> numbers;
  for (size_t i = 0; i < cuda.size(); ++i) numbers.push_back(static_cast<int>(i) + 1);
  return "<h2 id=\"code\">CUDA and PTX</h2>\n<p id=\"said\" aria-live=\"polite\">Click a line to "
         "see what "
         "it became; in a pane, the arrows go from line to line.</p>\n<div class=\"codes\">\n" +
         code_pane("CUDA", cuda, numbers) + code_pane("PTX", ptx, source_lines_of(binary.ptx)) +
         "</div>\n";
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

std::string view_page(const Plan& plan, size_t step, const Source& source, const Binary& binary) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>" +
      escaped(source.symbol) + "</title>" + std::string(kStyle) + "</head>\n<body>\n<h1>" +
      escaped(source.symbol) + "</h1>\n<p class=\"dim\">" + escaped(to_string(plan.problem)) +
      "</p>\n<p>";
  if (binary.resources)
    html += std::to_string(binary.resources->registers) + " registers a thread, " +
            std::to_string(binary.resources->spill_store_bytes) + " bytes spilled; ";
  html += std::to_string(source.threads_per_block) + " threads, " +
          std::to_string(source.dynamic_smem_bytes) +
          " bytes of shared memory a block.</p>\n<p><a href=\"#memory\">Shared memory</a> · <a "
          "href=\"#layouts\">Layouts</a> · <a href=\"#code\">CUDA and PTX</a> · <a "
          "href=\"#plan\">Plan</a></p>\n";
  if (const auto* gemm = std::get_if<GemmStep>(&plan.steps.at(step)))
    html += memory_map(*gemm) + layouts(*gemm);
  html += code(source, binary);
  html += "<h2 id=\"plan\">Plan</h2>\n<pre>" + escaped(to_string(plan)) + "</pre>\n";
  return html + std::string(kScript) + "</body>\n</html>\n";
}

}  // namespace jute::command
