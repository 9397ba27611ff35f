// Timelines as SVG: a row for each who takes part, a box for each span.
#include <array>
#include <cmath>
#include <jute/base/nearest_name.hpp>

#include "files/html_text.hpp"
#include "pictures/timeline.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

// All in SVG user units.
constexpr int kTimelineNames = 92, kUnit = 44, kRow = 30, kTimelineTop = 40, kMargin = 12,
              kLine = 20;

struct Look {
  Activity activity;
  const char* style;
  const char* words;
};
constexpr std::array kLooks{
    Look{Activity::on_its_way, "way", "asked for, on its way"},
    Look{Activity::waiting, "wait", "there, waiting"},
    Look{Activity::read, "read", "read by products"},
    Look{Activity::multiply, "even", "products"},
    Look{Activity::store, "store", "stored to shared memory"},
    Look{Activity::drain, "drain", "drain: accumulators become D"},
};

constexpr std::string_view kTimelineStyle =
    "<style>\n"
    "text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#1b1f24}.mid{text-anchor:middle}\n"
    ".page{fill:#fff}.out{fill:#1b1f24}.dim{fill:#57606a}.title{font-weight:bold}\n"
    ".box{stroke:#57606a;stroke-width:.8}.idle{fill:#f3f4f6}.way{fill:#fff}.wait{fill:#c9def2}\n"
    ".read{fill:#8cbde8}.even{fill:#f3cf7a}.odd{fill:#f0b08c}.store{fill:#d9d9d9}"
    ".drain{fill:#9ed8b8}\n"
    "@media(prefers-color-scheme:dark){.page{fill:#0d1117}.idle{fill:#1c2128}"
    ".out{fill:#e6edf3}.dim{fill:#9aa4af}}\n"
    "</style>\n";

std::string number(double value) { return bench::fixed(value, 1); }

const Look& look_of(Activity activity) { return kLooks[static_cast<size_t>(activity)]; }

std::string style_of(const TimelineSpan& span) {
  const bool is_odd = span.activity == Activity::multiply && span.tile % 2 != 0;
  return is_odd ? "odd" : look_of(span.activity).style;
}

std::string text_at(const char* look, double x, double y, const std::string& words) {
  return std::string("<text class=\"") + look + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
         "\">" + escaped(words) + "</text>\n";
}

std::string box_at(const std::string& look, double x, double y, double width, double height) {
  return "<rect class=\"box " + look + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
         "\" width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
}

std::string span_text(const TimelineSpan& span) {
  const double x = kTimelineNames + kUnit * span.begin, width = kUnit * (span.end - span.begin);
  const double y = kTimelineTop + kRow * span.row;
  const std::string what =
      std::string(look_of(span.activity).words) + ", tile " + std::to_string(span.tile) +
      (span.activity == Activity::drain ? std::string()
                                        : ", k-tile " + std::to_string(span.k_tile));
  std::string text = "<g>" + box_at(style_of(span), x, y + 2, width, kRow - 6) + "><title>" + what +
                     "</title></rect>";
  const std::string words =
      span.activity == Activity::drain ? "drain" : std::to_string(span.k_tile);
  const bool fits = width > 7.5 * static_cast<double>(words.size()) + 4;
  if (fits && span.activity != Activity::waiting)
    text += text_at("mid", x + width / 2, y + kRow / 2 + 3, words);
  return text + "</g>\n";
}

/// The activities that are shown, in columns as wide as the widest.
std::string legend(const Timeline& timeline, int width, int& y) {
  std::string text;
  constexpr int kColumn = 230;
  const int columns = std::max(1, (width - 2 * kMargin) / kColumn);
  int shown = 0;
  for (const Look& look : kLooks) {
    bool is_used = false;
    for (const TimelineSpan& span : timeline.spans)
      is_used = is_used || span.activity == look.activity;
    if (!is_used) continue;
    const int x = kMargin + kColumn * (shown % columns), top = y + kLine * (shown / columns);
    text +=
        box_at(look.style, x, top - 11, 14, 14) + "/>" + text_at("out", x + 20, top, look.words);
    ++shown;
  }
  y += kLine * ((shown + columns - 1) / columns);
  return text;
}

/// A note in as many lines as the width asks for.
std::string note_text(const std::string& note, int width, int& y) {
  const auto most = static_cast<size_t>((width - 2 * kMargin) / 7);
  std::string text, rest = note;
  while (!rest.empty()) {
    size_t end = rest.size() <= most ? rest.size() : rest.rfind(' ', most);
    if (end == std::string::npos) end = rest.size();
    text += text_at("dim", kMargin, y, rest.substr(0, end));
    y += kLine;
    rest.erase(0, std::min(rest.size(), end + 1));
  }
  return text;
}

}  // namespace

std::string to_svg(const Timeline& timeline) {
  const int width =
      std::max(480, kTimelineNames + kMargin + static_cast<int>(std::ceil(kUnit * timeline.end)));
  std::string body = text_at("out title", kMargin, 22, timeline.title);
  for (size_t row = 0; row < timeline.rows.size(); ++row) {
    const double y = kTimelineTop + kRow * static_cast<double>(row);
    body += text_at("out", kMargin, y + kRow / 2 + 3, timeline.rows[row]);
    body += box_at("idle", kTimelineNames, y + 2, kUnit * timeline.end, kRow - 6) + "/>\n";
  }
  for (const TimelineSpan& span : timeline.spans) body += span_text(span);
  int y = kTimelineTop + kRow * static_cast<int>(timeline.rows.size()) + kLine;
  body += legend(timeline, width, y);
  for (const std::string& note : timeline.notes) body += note_text(note, width, y);
  const std::string size = std::to_string(width), height = std::to_string(y);
  const std::string about = "Rows: " + joined(timeline.rows);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + " " + height +
         "\" width=\"" + size + "\" height=\"" + height + "\" role=\"img\">\n<title>" +
         escaped(timeline.title) + "</title>\n<desc>" + escaped(about) + "</desc>\n" +
         std::string(kTimelineStyle) + "<rect class=\"page\" width=\"" + size + "\" height=\"" +
         height + "\"/>\n" + body + "</svg>\n";
}

}  // namespace jute::command
