// Pictures as pages that answer to the pointer.
#include <jute/draw/picture.hpp>

#include "draw/svg.hpp"

namespace jute {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>)";

constexpr std::string_view kStyle = R"(</title>
<style>
body{margin:1.5rem;font:14px system-ui,sans-serif;color:#1b1f24;background:#fff}
#said{position:sticky;top:0;padding:.4rem 0;background:#fff;min-height:1.4em}
.cell{cursor:pointer}
svg.lit .cell{opacity:.22}
svg.lit .cell.on{opacity:1}
svg .cell.on rect,svg .cell:focus rect{stroke:#b42318;stroke-width:2}
.cell:focus{outline:none}
.picture{overflow-x:auto}
@media (prefers-color-scheme:dark){body,#said{color:#e6edf3;background:#0d1117}}
</style>
</head>
<body>
<div id="said" aria-live="polite"></div>
)";

// Thread lists travel as ranges ("0-3 8"); a click on a lit thread's cell puts it out again.
constexpr std::string_view kScript = R"(<script>
const svg = document.querySelector('svg'), said = document.getElementById('said');
const cells = [...svg.querySelectorAll('.cell')];
const threads = cells.some(cell => cell.dataset.t !== undefined);
const rest = threads
  ? 'Rest on a cell to read it, or reach it with Tab and the arrows; click or Enter lights its thread, Escape puts it out.'
  : 'Rest on a cell to read it, or reach it with Tab and the arrows; click or Enter lights the cells of its colour, Escape puts them out.';
const holds = (cell, thread) => (cell.dataset.t || '').split(' ').some(range => {
  const [first, last = first] = range.split('-').map(Number);
  return range !== '' && first <= thread && thread <= last;
});
const text = cell => [...cell.querySelectorAll('text')].map(line => line.textContent).join(' ');
const story = cell => {
  const [row, column] = cell.dataset.p.split(' '), [down = '', along = ''] = (cell.dataset.n || '').split(' ');
  const place = `${cell.dataset.m ? cell.dataset.m + ', ' : ''}row ${row}${down && ' ' + down}, column ${column}${along && ' ' + along}: `;
  return cell.dataset.t === undefined ? place + text(cell)
    : `${place}${text(cell)}: thread ${cell.dataset.t.replaceAll(' ', ', ')}, value ${cell.dataset.v}`;
};
// A click lights the cells of one thread, or of one colour where threads play no part.
const key = cell => !cell ? null
  : threads ? (cell.dataset.t === undefined ? null : parseInt(cell.dataset.t))
  : cell.querySelector('rect').getAttribute('class');
const belongs = (cell, lit) => threads ? holds(cell, lit) : key(cell) === lit;
let lit = null;
const show = next => {
  lit = next;
  svg.classList.toggle('lit', lit !== null);
  let count = 0;
  for (const cell of cells) {
    const on = lit !== null && belongs(cell, lit);
    cell.classList.toggle('on', on);
    count += on;
  }
  said.textContent = lit === null ? rest
    : (threads ? `thread ${lit}: ` : '') + `${count} cells lit`;
};
const toggle = cell => show(key(cell) === lit ? null : key(cell));
// The nearest cell in a direction, by the middles of the cells.
const beside = (cell, dx, dy) => {
  const middle = box => [box.left + box.width / 2, box.top + box.height / 2];
  const [x, y] = middle(cell.getBoundingClientRect());
  let best = null, least = Infinity;
  for (const other of cells) {
    const [u, v] = middle(other.getBoundingClientRect());
    const ahead = (u - x) * dx + (v - y) * dy, aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (ahead < 1 || ahead + 8 * aside >= least) continue;
    best = other;
    least = ahead + 8 * aside;
  }
  return best;
};
const go = cell => {
  for (const other of cells) other.setAttribute('tabindex', '-1');
  cell.setAttribute('tabindex', '0');
  cell.focus();
  said.textContent = story(cell);
};
for (const cell of cells) {
  cell.setAttribute('tabindex', cell === cells[0] ? '0' : '-1');
  cell.setAttribute('role', 'img');
  cell.setAttribute('aria-label', story(cell));
}
const steps = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]};
svg.addEventListener('keydown', event => {
  const cell = event.target.closest('.cell');
  if (event.key === 'Escape') show(null);
  if (!cell) return;
  const next = steps[event.key] && beside(cell, ...steps[event.key]);
  if (next) go(next);
  if (event.key === 'Enter' || event.key === ' ') toggle(cell);
  if (steps[event.key] || event.key === ' ') event.preventDefault();
});
svg.addEventListener('mouseover', event => {
  const cell = event.target.closest('.cell');
  if (cell) said.textContent = story(cell);
});
svg.addEventListener('mouseleave', () => { if (lit === null) said.textContent = rest; });
svg.addEventListener('click', event => {
  toggle(event.target.closest('.cell'));
});
show(null);
</script>
</body>
</html>
)";

}  // namespace

std::string to_html(const Picture& picture, int columns) {
  const std::string title = picture.title.substr(0, picture.title.find('\n'));
  std::string page(kHead);
  page += draw::escaped(title);
  page += kStyle;
  page += "<div class=\"picture\">\n";
  page += draw::svg(picture, draw::CellData::holders, columns);
  page += "</div>\n";
  page += kScript;
  return page;
}

}  // namespace jute
