// Pictures as pages that answer to the pointer.
#include <jute/draw/picture.hpp>

#include "draw/svg.hpp"

namespace jute {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>)";

constexpr std::string_view kStyle = R"(</title>
<style>
body{margin:1.5rem;font:14px system-ui,sans-serif;color:#1b1f24;background:#fff}
#said{position:sticky;top:0;padding:.4rem 0;background:#fff;min-height:1.4em}
.cell{cursor:pointer}
svg.lit .cell{opacity:.22}
svg.lit .cell.on{opacity:1}
svg .cell.on rect{stroke:#b42318;stroke-width:2}
</style>
</head>
<body>
<div id="said"></div>
)";

// Thread lists travel as ranges ("0-3 8"); a click on a lit thread's cell puts it out again.
constexpr std::string_view kScript = R"(<script>
const svg = document.querySelector('svg'), said = document.getElementById('said');
const cells = [...svg.querySelectorAll('.cell')];
const rest = 'Rest on a cell to read it; click to light its thread.';
const holds = (cell, thread) => (cell.dataset.t || '').split(' ').some(range => {
  const [first, last = first] = range.split('-').map(Number);
  return range !== '' && first <= thread && thread <= last;
});
const text = cell => [...cell.querySelectorAll('text')].map(line => line.textContent).join(' ');
const story = cell => cell.dataset.t === undefined ? text(cell)
  : `${text(cell)}: thread ${cell.dataset.t.replaceAll(' ', ', ')}, value ${cell.dataset.v}`;
let lit = null;
const show = thread => {
  lit = thread;
  svg.classList.toggle('lit', thread !== null);
  let count = 0;
  for (const cell of cells) {
    const on = thread !== null && holds(cell, thread);
    cell.classList.toggle('on', on);
    count += on;
  }
  said.textContent = thread === null ? rest : `thread ${thread}: ${count} cells lit`;
};
svg.addEventListener('mouseover', event => {
  const cell = event.target.closest('.cell');
  if (cell) said.textContent = story(cell);
});
svg.addEventListener('mouseleave', () => { if (lit === null) said.textContent = rest; });
svg.addEventListener('click', event => {
  const cell = event.target.closest('.cell');
  const thread = cell && cell.dataset.t !== undefined ? parseInt(cell.dataset.t) : null;
  show(thread === lit ? null : thread);
});
show(null);
</script>
</body>
</html>
)";

}  // namespace

std::string to_html(const Picture& picture) {
  const std::string title = picture.title.substr(0, picture.title.find('\n'));
  std::string page(kHead);
  page += draw::escaped(title);
  page += kStyle;
  page += draw::svg(picture, draw::CellData::holders);
  page += kScript;
  return page;
}

}  // namespace jute
