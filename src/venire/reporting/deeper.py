"""What `venire report` tells beyond the report of a run: answers first, panel health, the frontier, and cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from venire.domain.audit import Audit
from venire.domain.frontier import Replay
from venire.domain.health import PanelHealth
from venire.domain.standing import Ranking
from venire.reporting.answers import Answer, tone_words
from venire.reporting.audit_page import audit_sections
from venire.reporting.cases import Case
from venire.reporting.health_page import health_sections
from venire.reporting.page import PageSection
from venire.reporting.replay_page import frontier_section
from venire.reporting.standings_page import standings_sections
from venire.reporting.text import count


@dataclass(frozen=True, kw_only=True)
class Deeper:
    """The further parts, in the order of the page."""

    answers: tuple[tuple[str, tuple[Answer, ...]], ...]
    """By criterion."""
    audits: tuple[Audit, ...]
    rankings: tuple[Ranking, ...]
    """Of criteria on which at least two systems can be ranked."""
    health: tuple[PanelHealth, ...]
    replays: tuple[Replay, ...]
    cases: tuple[Case, ...]
    n_left_out: int
    """Subjects that would be cases too, were there room."""

    @cached_property
    def sections(self) -> tuple[PageSection, ...]:
        """Audit, standings, panel health and frontier of every criterion."""
        several = len(self.health) > 1
        found: list[PageSection] = []
        for audit in self.audits:
            found += audit_sections(audit, prefix=f"{audit.criterion_id}: " if several else "")
        for ranking in self.rankings:
            found += standings_sections(ranking, prefix=f"{ranking.criterion_id}: " if several else "")
        for health in self.health:
            found += health_sections(health, prefix=f"{health.criterion_id}: " if several else "")
        for replay in self.replays:
            prefix = f"{replay.criterion_id}: " if several else ""
            found.append(
                frontier_section(replay.frontiers[0], replay, heading=f"{prefix}Other designs, same judgments")
            )
        return tuple(found)

    @property
    def signs(self) -> Mapping[str, str]:
        """The tone of each question, where colours do not show."""
        return tone_words([answer for _, answers in self.answers for answer in answers])

    @property
    def cases_lead(self) -> str:
        """What the cases are."""
        n_wrong = sum(case.kind == "wrong" for case in self.cases)
        more = f" {count(self.n_left_out, 'further one')} had no room." if self.n_left_out else ""
        return (
            f"{count(len(self.cases), 'subject')}: {n_wrong:,} on which the panel decided otherwise than gold, the "
            f"surest first, then those on which its judges differ most.{more} A label may be wrong too: read before "
            "you conclude."
        )
