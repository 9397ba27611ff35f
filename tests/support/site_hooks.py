"""What docs/site/ makes of pages and headers, without mkdocs:  site_hooks.py REPOSITORY"""
import pathlib
import sys
import types

repository = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
for name in ("mkdocs", "mkdocs.structure", "mkdocs.structure.files"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["mkdocs.structure.files"].File = object
sys.path.insert(0, str(repository / "docs" / "site"))
import headers  # noqa: E402
import hooks  # noqa: E402

faults = []


def check(what, found, expected):
    if found != expected:
        faults.append(f"{what}\n  is      {found}\n  must be {expected}")


known = {"bench/RESULTS.md", "src/plan/cost/warpgroup_cost.cpp"}


def linked(markdown, folder="docs", source="hopper-kernel.md"):
    return hooks.with_links(markdown, folder, source, known)


check("the path alone becomes the title", linked("[bench/RESULTS.md](../bench/RESULTS.md#a)"),
      "[Results](repository/bench/RESULTS.md.md#a)")
check("words stay", linked("[what it takes](../src/plan/cost/warpgroup_cost.cpp)"),
      "[what it takes](repository/src/plan/cost/warpgroup_cost.cpp.md)")
check("headers have pages of their own", linked("[C++ headers](../include/jute)"), "[C++ headers](reference/cpp/index.md)")
check("a header's page is its layer's", linked("[x](../include/jute/plan/values/plan.hpp)"), "[x](reference/cpp/plan-values.md)")
check("pages and places stay", linked("[a](tutorial.md#b) [c](https://x.y/z.md) ![d](images/h200.svg)"),
      "[a](tutorial.md#b) [c](https://x.y/z.md) ![d](images/h200.svg)")
check("from a folder of docs/", linked("[r](../../bench/RESULTS.md)", "docs/how-to", "how-to/batched.md"),
      "[r](../repository/bench/RESULTS.md.md)")
check("from the repository to docs/", linked("![p](../docs/images/h200.svg)", "bench", "repository/bench/RESULTS.md.md"),
      "![p](../../images/h200.svg)")
check("what has no page is named", linked("[x](../tools/setup)"), "x (`tools/setup`)")
check("code is left alone", linked("```cpp\n[](../bench/RESULTS.md)\n```"), "```cpp\n[](../bench/RESULTS.md)\n```")
check("what a text of the repository leads to has a page too",
      "bench/results/2026-11-28-build.md" in hooks.linked_files(repository / "docs"), True)
for path in hooks.linked_files(repository / "docs"):
    text = hooks.repository_page(path, known)
    check(f"the page of {path} has a title", text.startswith("# "), True)
    check(f"the page of {path} says where it is", f"`{path}` of the repository" in text, True)

check("options are one word", hooks.unparted("<code>jute plan --order-b col -o x</code>"),
      '<code>jute plan <span class="option">--order-b</span> col -o x</code>')
check("pages leave blocks alone", hooks.on_page_content("<pre><code>--m</code></pre><code>--n</code>", None, None, None),
      '<pre><code>--m</code></pre><code><span class="option">--n</span></code>')

pages = headers.pages(repository)
every = "\n".join(text for _, _, text in pages)
for header in (repository / "include").rglob("*.hpp"):
    name = header.relative_to(repository / "include").as_posix()
    if "detail" not in header.parts:
        check(f"{name} stands on one page", every.count(f"\n## {name}\n"), 1)
check("pages stay small", [place for _, place, text in pages if len(text) > 100_000], [])

print("\n".join(faults) if faults else "fine")
sys.exit(1 if faults else 0)
