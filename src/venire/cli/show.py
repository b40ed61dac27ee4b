"""`venire show`: one item, from what was asked to what was decided."""

import json
from typing import Annotated

import typer

from venire.cli.arguments import RUN_FOLDER


def show(
    folder: RUN_FOLDER,
    item_id: Annotated[str, typer.Argument(metavar="ITEM_ID", help="The item's id.", show_default=False)],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Show what was asked about an item, what each judge answered, and what was decided."""
    from venire.reporting.item_view import item_view_json, item_view_text
    from venire.runs import view_item

    view = view_item(folder, item_id)
    typer.echo(json.dumps(item_view_json(view), indent=2, ensure_ascii=False) if as_json else item_view_text(view))
