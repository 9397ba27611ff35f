"""The reference of the C++ headers, made from the headers: a page for each layer, or room of one."""
import pathlib
import re


def declaration_from(line, lines):
    """The lines of a declaration: of a type to its closing brace, of a function to its semicolon or body."""
    taken = [line.rstrip()]
    is_type = line.strip().startswith(("struct ", "class ", "enum ", "template "))
    indent = line[: len(line) - len(line.lstrip())]

    def is_whole():
        code = re.sub(r"\s*//.*$", "", taken[-1])
        if is_type and any("{" in part for part in taken):
            return code.rstrip() in (indent + "};", indent + "}") or (len(taken) == 1 and code.endswith((";", "}")))
        return code.endswith((";", "}", "{"))

    while not is_whole():
        following = next(lines, None)
        if following is None:
            break
        taken.append(following.rstrip())
    if not is_type and taken[-1].endswith("{"):
        taken[-1] = taken[-1][:-1].rstrip() + ";"
    return [part[len(indent):] for part in taken]


def declarations(text):
    """(comment, declaration) of everything that has a /// comment before it."""
    comment, taken = [], []
    lines = iter(text.splitlines())
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("///"):
            comment.append(stripped[4:])
        elif comment and stripped and not stripped.startswith("//"):
            taken.append((comment, declaration_from(line, lines)))
            comment = []
        elif stripped:
            comment = []
    return taken


def about(text):
    """The lines below `#pragma once` that say what a header is for."""
    found = re.search(r"#pragma once\n((?://[^\n]*\n)+)", text)
    return [re.sub(r"^// ?", "", part) for part in found.group(1).splitlines()] if found else []


def section(path, include):
    text = path.read_text()
    lines = [f"## {path.relative_to(include)}", "", *about(text), ""]
    for comment, declaration in declarations(text):
        lines += ["```cpp"] + [f"/// {part}" for part in comment] + declaration + ["```", ""]
    return "\n".join(lines)


def headers_in(folder):
    """Those of a layer and of its rooms, without what others are made of."""
    return [path for path in sorted(folder.rglob("*.hpp")) if "detail" not in path.parts]


def layers_of(root):
    """(layer or room, its public headers) in the order of src/layers.txt, then folders that are no layer; "" the rest."""
    include = root / "include" / "jute"
    named = re.findall(r"^(\w+):", (root / "src" / "layers.txt").read_text(), re.M)
    folders = [each.name for each in sorted(include.iterdir()) if each.is_dir()]
    ordered = [name for name in named if name in folders] + [name for name in folders if name not in named]
    chapters = []
    for name in ordered:
        paths = headers_in(include / name)
        for chapter in dict.fromkeys(chapter_of(path.relative_to(include).parts) for path in paths):
            chapters.append((chapter, [path for path in paths if chapter_of(path.relative_to(include).parts) == chapter]))
    return chapters + [("", sorted(include.glob("*.hpp")))]


def chapter_of(parts):
    """`atom` of atom/atom.hpp, `plan-derive` of plan/derive/operand/copy_plan.hpp: rooms have pages of their own."""
    return "-".join(parts[:2]) if len(parts) > 2 else parts[0]


def page_of(path):
    """The page, below docs/, that has a path of include/jute."""
    parts = path.split("/")
    return f"reference/cpp/{chapter_of(parts[2:])}.md" if len(parts) > 2 and "." not in parts[2] else "reference/cpp/index.md"


def pages(root):
    """(title, place below docs/, text) of each page, the overview first."""
    include = root / "include"
    overview = ["# C++ headers", "", "What public headers declare, with its comments; a page for each layer.", "",
                "| layer | header | for |", "|---|---|---|"]
    result = []
    for layer, paths in layers_of(root):
        if not paths:
            continue
        for path in paths:
            name, words = path.relative_to(include).as_posix(), " ".join(about(path.read_text()))
            anchor = re.sub(r"[^\w-]", "", name)
            link = f"[`{name}`]({layer}.md#{anchor})" if layer else f"[`{name}`](#{anchor})"
            overview.append(f"| {layer} | {link} | {words.split('. ')[0].rstrip('.').replace('|', chr(92) + '|')} |")
        if layer:
            text = f"# {layer}\n\nPublic headers of `{layer}`.\n\n" + "\n".join(
                section(path, include) for path in paths)
            result.append((layer, f"reference/cpp/{layer}.md", text))
        else:
            overview += [""] + [section(path, include) for path in paths]
    return [("Overview", "reference/cpp/index.md", "\n".join(overview) + "\n")] + result
