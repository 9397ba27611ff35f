#!/usr/bin/env bash
# The pages that jute writes, in a real browser: no wider than 400, 900 and 1600 pixels, every text with a
# contrast of 4.5 in light and dark, hands and keys answered:
#   pages_in_browser.sh JUTE REPOSITORY [SITE]    status 77: there is no Chromium; SITE: what tools/docs built
set -euo pipefail

jute=$1 repository=$2
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || exit 77
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

shape=(--m 512 --n 512 --k 512 --type bf16)
"$jute" view "${shape[@]}" -o view.html
"$jute" view "${shape[@]}" --arch sm_80 -o view_mma.html
"$jute" draw 'Sw<3,3,3>o0o(8,64):(64,1)' --banks f16 -o banks.html
"$jute" draw '((2,2),(2,4)):((1,8),(2,16))' -o layout.html
"$jute" draw '((4,8),(2,2)):((32,1),(16,8))' --tv 16x8 --color-by order -o order.html
"$jute" draw SM80_16x8x16_F32F16F16F32_TN -o atom.html
"$jute" draw 'SM90_TMA_LOAD_2D<half_t,64,64,SW128>' -o box.html
"$jute" draw 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1))' -o tiled.html
(cd "$repository" && "$jute" emulate examples/tutorial/one_tile.json --profile "$place/profile.html") >report.txt

# The site's search, a worker, keeps this browser waiting.
mkdir site
if [ -n "${3:-}" ]; then
  cp -r "$3/." site
  find site -name '*.html' -exec sed -i -E 's#<script src="[^"]*search/main.js"[^>]*></script>##g' {} +
fi

# judged PAGE SCHEME: what the judge says, in a browser of its own.
judged() {
  timeout 300 "$chromium" --headless=new --no-sandbox --disable-gpu --host-resolver-rules="MAP * ~NOTFOUND" --user-data-dir="$place/profile" \
    --allow-file-access-from-files --disable-web-security --blink-settings="preferredColorScheme=$2" \
    --virtual-time-budget=100000 --dump-dom \
    "file://$repository/tests/support/pages_in_browser.html?file://$1" 2>browser.log </dev/null
}

faults=0 pages=0
while read -r page; do
  pages=$((pages + 1))
  for scheme in 0 1; do
    verdict=$(judged "$page" "$scheme" | sed -n 's/.*<pre id="verdict">//; s/<\/pre>.*//; /^FINE\|^FAULT\|^no verdict/p') || verdict="the browser failed: $(tail -n 1 browser.log)"
    [ "$verdict" = FINE ] || { printf '%s, scheme %s:\n%s\n' "$page" "$scheme" "$verdict"; faults=1; }
  done
done < <(ls "$place"/*.html; find "$place/site" -name index.html | sort)
[ "$faults" = 0 ] && printf 'all %s pages are fine\n' "$pages"
exit "$faults"
