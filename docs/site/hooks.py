"""What the site adds to the pages of docs/: the reference of the C++ headers, a page for each file of the repository
that a page links to, and options of commands that no line break parts."""
import pathlib
import posixpath
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import headers  # noqa: E402  beside this file

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".cu": "cuda", ".py": "python", ".json": "json", ".txt": "cmake", ".ptx": "ptx"}
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)


def outside_code(text, change):
    """The text with everything but fenced blocks changed."""
    parts, at = [], 0
    for block in FENCED.finditer(text):
        parts += [change(text[at:block.start()]), block.group()]
        at = block.end()
    return "".join(parts + [change(text[at:])])


def repository_path(target, folder):
    """The path in the repository that a link of a page in `folder` means, and its anchor; nothing for other links."""
    path, _, anchor = target.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return None
    return posixpath.normpath(posixpath.join(folder, path)), anchor


def page_of(path):
    """The site's page, below docs/, of a path of the repository outside docs/."""
    if path == "include/jute" or path.startswith("include/jute/"):
        return headers.page_of(path)
    return f"repository/{path}.md"


def title_of(path):
    """What a page about the path is called: the first heading of a text, else its path."""
    file = ROOT / path / "README.md" if (ROOT / path).is_dir() else ROOT / path
    if file.suffix == ".md" and file.is_file():
        heading = re.search(r"^# (.+)$", file.read_text(), re.M)
        if heading:
            return heading.group(1)
    return path


def has_page(path):
    """Is it of the repository, and neither one of docs/ nor a header, which have pages anyway?"""
    return not path.startswith(("docs/", "../", "include/jute")) and (ROOT / path).exists()


def linked_files(folder):
    """The paths outside docs/ that pages of docs/ link to, and what texts among those link to."""
    found, unread = set(), list(folder.rglob("*.md"))
    while unread:
        page = unread.pop()
        place = page.parent.relative_to(ROOT).as_posix()
        for _, _, target in LINK.findall(FENCED.sub("", page.read_text())):
            named = repository_path(target, place)
            if named is None or named[0] in found or not has_page(named[0]):
                continue
            found.add(named[0])
            if named[0].endswith(".md"):
                unread.append(ROOT / named[0])
    return found


def with_links(markdown, folder, source, known):
    """Links of a text in `folder` of the repository, shown as the page `source` of the site: to files of `known` as
    links to their pages, with the page's title where the words are the path alone."""
    here = posixpath.dirname(source)

    def changed(link):
        image, words, target = link.groups()
        named = repository_path(target, folder)
        if named is None:
            return link.group()
        path, anchor = named
        anchor = "#" + anchor if anchor else ""
        if path.startswith("docs/"):
            return f"{image}[{words}]({posixpath.relpath(path[5:], here or '.')}{anchor})"
        if path in known or path.startswith("include/jute"):
            title = title_of(path) if words.strip("`/") in (path, posixpath.basename(path)) else words
            return f"[{title}]({posixpath.relpath(page_of(path), here or '.')}{anchor})"
        return f"{words} (`{path}`)"

    return outside_code(markdown, lambda text: LINK.sub(changed, text))


def code_block(path):
    fence = "````" if "```" in (ROOT / path).read_text() else "```"
    language = LANGUAGES.get(pathlib.Path(path).suffix, "text")
    return f"{fence}{language}\n{(ROOT / path).read_text().rstrip()}\n{fence}\n"


def repository_page(path, known):
    """A file of the repository, or the files of a folder, as a page."""
    place = ROOT / path
    said = f"*`{path}` of the repository.*\n\n"
    if place.is_dir():
        text = f"# {path}\n\n{said}"
        for file in sorted(each for each in place.rglob("*") if each.is_file() and each.suffix != ".md"):
            name = file.relative_to(ROOT).as_posix()
            text += f"## {name}\n\n{code_block(name)}\n"
        about = place / "README.md"
        if about.exists():
            told = with_links(about.read_text(), path, page_of(path), known)
            text = re.sub(r"^(# .*)$", r"\1\n\n" + said.strip(), told, count=1, flags=re.M) + text[text.find("\n## "):]
        return text
    if place.suffix == ".md":
        text = with_links(place.read_text(), posixpath.dirname(path), page_of(path), known)
        return re.sub(r"^(# .*)$", r"\1\n\n" + said.strip(), text, count=1, flags=re.M)
    return f"# {path}\n\n{said}{code_block(path)}"


def on_config(config):
    """The reference's pages in the place that the navigation has for them."""
    pages = [{title: source} for title, source, _ in headers.pages(ROOT)]
    for section in config["nav"]:
        for entry in section.get("Reference", []) if isinstance(section, dict) else []:
            if "C++ headers" in entry:
                entry["C++ headers"] = pages
    return config


def on_files(files, config):
    for _, source, content in headers.pages(ROOT):
        files.append(File.generated(config, source, content=content))
    known = linked_files(ROOT / "docs")
    for path in sorted(known):
        files.append(File.generated(config, page_of(path), content=repository_page(path, known)))
    return files


def on_page_markdown(markdown, page, config, files):
    source = page.file.src_uri
    if page.file.generated_by:
        return markdown
    folder = posixpath.normpath(posixpath.join("docs", posixpath.dirname(source)))
    return with_links(markdown, folder, source, linked_files(ROOT / "docs"))


def unparted(code):
    """Options in code, each in one piece."""
    return re.sub(r"(?<![\w-])(--[A-Za-z0-9][\w-]*)", r'<span class="option">\1</span>', code)


def on_page_content(html, page, config, files):
    parts = re.split(r"(<pre.*?</pre>)", html, flags=re.S)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"<code>.*?</code>", lambda code: unparted(code.group()), parts[i], flags=re.S)
    return "".join(parts)
