"""What the site adds to the pages of docs/: the reference of the C++ headers, made from the headers, and plain
text where a page of the repository links out of docs/."""
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"


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


def header_section(path):
    text = path.read_text()
    about = re.search(r"#pragma once\n((?://[^\n]*\n)+)", text)
    lines = [f"## {path.relative_to(INCLUDE)}", ""]
    if about:
        lines += [re.sub(r"^// ?", "", part) for part in about.group(1).splitlines()] + [""]
    for comment, declaration in declarations(text):
        lines += ["```cpp"] + [f"/// {part}" for part in comment] + declaration + ["```", ""]
    return "\n".join(lines)


def headers_page():
    paths = [p for p in sorted(INCLUDE.rglob("*.hpp")) if "detail" not in p.parts]
    return "# C++ headers\n\nWhat public headers declare, with its comments.\n\n" + "\n".join(
        header_section(path) for path in paths)


def on_files(files, config):
    files.append(File.generated(config, "reference/cpp.md", content=headers_page()))
    return files


def on_page_markdown(markdown, page, config, files):
    depth = page.file.src_uri.count("/")
    outside = "../" * (depth + 1)
    return re.sub(r"\[([^\]]*)\]\(" + re.escape(outside) + r"([^)]*)\)", r"\1 (`\2`)", markdown)
