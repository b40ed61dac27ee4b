"""Publishing the shape of the design file: `python -m venire.designs.publish docs/reference`.

Writes the JSON schema `design.schema.json` and the page `design.md` into that folder, both from the pydantic models.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from venire.designs.schema import PARTS, design_schema

EXAMPLE = """\
protocol: pointwise
reference: if_given
rubric:
  criteria:
    - id: correct
      question: Does the response give the same answer as the reference?
      scale: {type: nominal, labels: [correct, incorrect]}
      weight: 2
    - id: clarity
      question: How clearly is the response written?
      scale: {type: interval, min: 1, max: 5}
ballot:
  fields: [explanation, confidence]
  max_tokens: 400
  abstain: true
judges:
  - id: mini
    provider: openai_compatible
    base_url: https://api.openai.com/v1
    api_key_env: OPENAI_API_KEY
    model: gpt-4o-mini
    temperature: 0
  - id: haiku
    provider: openai_compatible
    base_url: https://openrouter.ai/api/v1
    api_key_env: OPENROUTER_API_KEY
    headers: {X-Title: venire}
    model: anthropic/claude-3.5-haiku
    samples: 3
    temperature: 0.7
  - id: local
    provider: openai_compatible
    base_url: http://localhost:8000/v1
    model: qwen2.5-7b-instruct
    max_concurrency: 4
    timeout_s: 60
aggregation: {rule: majority, denominator: seated, quorum: 2, tie: undecided, criteria: weighted}
"""

INTRODUCTION = """\
# The design file

One YAML file says what is asked, of whom, and how the answers become a verdict. YAML 1.2: `yes`, `no`, `on` and `off`
are words; a label such as `true`, `null` or `1` must stand in quotes. A field that is not listed here is an error.
Files that a design names are looked for beside it. Editors that know JSON schemas can use
[design.schema.json](design.schema.json), which says the same as this page; both are generated (`make schema`).

A complete example:
"""

_TYPES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "`true` or `false`"}


def main(arguments: list[str]) -> int:
    """Write schema and page into a folder."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.stderr.write("usage: python -m venire.designs.publish FOLDER\n")
        return 2
    folder = Path(arguments[0])
    (folder / "design.schema.json").write_text(schema_text(), encoding="utf-8")
    (folder / "design.md").write_text(reference_page(), encoding="utf-8")
    return 0


def schema_text() -> str:
    """The JSON schema as it is committed."""
    return json.dumps(design_schema(), indent=2, ensure_ascii=False) + "\n"


def reference_page() -> str:
    """The reference page as it is committed: an example and a table for each part of the file."""
    sections = [f"{INTRODUCTION}\n```yaml\n{EXAMPLE}```\n"]
    for place, parts in PARTS.items():
        for part in parts:
            kind = f", `type: {_kind(part)}`" if len(parts) > 1 else ""
            rows = "\n".join(_rows(part))
            heading = "The top level" if place == "the design" else f"`{place}`{kind}"
            sections.append(
                f"## {heading}\n\n{part.__doc__}\n\n| field | type | default | meaning |\n|---|---|---|---|\n{rows}\n"
            )
    return "\n".join(sections)


def _kind(part: type[BaseModel]) -> str:
    return str(part.model_json_schema()["properties"]["type"]["const"])


def _rows(part: type[BaseModel]) -> Iterator[str]:
    properties = part.model_json_schema(by_alias=True)["properties"]
    for field, info in part.model_fields.items():
        name = info.alias or field
        if name != "type":
            default = "required" if info.is_required() else _default(properties[name])
            meaning = (info.description or "").replace("|", "\\|")
            yield f"| `{name}` | {_type(properties[name])} | {default} | {meaning} |"


def _default(field: dict[str, Any]) -> str:
    default = field.get("default")
    if default is None:
        return "—"
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


def _type(field: dict[str, Any]) -> str:
    if "anyOf" in field or "oneOf" in field:
        kinds = [_type(each) for each in field.get("anyOf") or field["oneOf"] if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return " or ".join(f"`{word}`" for word in field["enum"])
    if field.get("type") == "array":
        return f"list of {_type(field['items'])}"
    return _TYPES.get(field.get("type", "object"), "mapping")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
