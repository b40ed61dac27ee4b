"""Designs of every kind, for hypothesis, and a small one as text."""

from pathlib import Path

from hypothesis import reject
from hypothesis import strategies as st

from venire.designs.read import parse_design
from venire.domain.aggregation import Aggregation, TiePolicy
from venire.domain.ballot import BallotForm
from venire.domain.design import Design, Policy, Protocol
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.panel import Judge
from venire.domain.price import Price
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Scale
from venire.errors import DesignError

SMALL = """\
protocol: pointwise
rubric:
  criteria:
    - id: correct
      question: Is it right?
      scale: {type: nominal, labels: [yes, no]}
judges:
  - id: first
    provider: openai_compatible
    model: gpt-4o
    base_url: http://localhost:1/v1
"""

# Everything that YAML can take for something else, or has to escape.
TRICKY: tuple[str, ...] = (
    "yes",
    "on",
    "null",
    "~",
    "true",
    "1",
    "1.0",
    "1e3",
    "0x1F",
    "2020-01-01",
    "<<",
    "=",
    "- a",
    "a: b",
    "# a",
)
TRICKY += (
    "{a}",
    "[a]",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a`",
    "'a'",
    '"a"',
    "a\\nb",
    "ünï",
    "日本",
    "😀",
    "...",
    "---",
    "\x85",
)
PRICE = Price(input_usd=0.0, output_usd=0.5, source="given in the design")
WORDS = st.sampled_from(TRICKY) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), min_size=1, max_size=20
)
LABELS = WORDS.filter(lambda word: word == word.strip() and len(word.splitlines()) == 1)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map("\n".join)
IDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS


def parse(text: str, folder: Path = Path("/nowhere")) -> Design:
    return parse_design(text, file="d.yaml", folder=folder)


def problem(text: str, folder: Path = Path("/nowhere")) -> str:
    """What is said about a wrong design."""
    try:
        design = parse(text, folder)
    except DesignError as error:
        return str(error)
    raise AssertionError(f"this was taken for a design: {design!r}")


@st.composite
def scales(draw: st.DrawFn, protocol: Protocol) -> Scale:
    if protocol != "pointwise":
        return ChoiceScale(tie=draw(st.booleans()), both_bad=draw(st.booleans()))
    labels = tuple(draw(st.lists(LABELS, min_size=2, max_size=4, unique=True)))
    low, step = draw(st.integers(-5, 5)), draw(st.integers(1, 200))
    return draw(
        st.one_of(
            st.just(NominalScale(labels=labels, positive=labels[-1])),
            st.just(OrdinalScale(labels=labels)),
            st.just(IntervalScale(min=low, max=low + step)),
            st.just(IntervalScale(min=low / 3, max=low + step, integer=False)),
        )
    )


@st.composite
def judges(draw: st.DrawFn, name: str) -> Judge:
    n_samples = draw(st.integers(1, 5))
    return Judge(
        id=JudgeId(name),
        provider=draw(st.sampled_from(["openai_compatible", "embedded", "length", "similarity"])),
        model=draw(st.none() | st.sampled_from(["gpt-4o", "smollm2", "/models/x.gguf", "7"])),
        family=draw(st.none() | LABELS),
        base_url=draw(st.none() | st.just("http://localhost:1/v1/")),
        api_key_env=draw(st.none() | st.just("SOME_KEY")),
        headers=draw(st.just(()) | st.just((("X-Title", "a: b"), ("Authorization", "Bearer ${SOME_KEY}")))),
        samples=n_samples,
        samples_per_request=draw(st.integers(1, n_samples)),
        temperature=draw(st.none() | st.just(0) | st.floats(0, 2)),
        timeout_s=draw(st.floats(0.1, 1e6)),
        requests_per_minute=draw(st.none() | st.integers(1, 9999)),
        tokens_per_minute=draw(st.none() | st.integers(1, 10**7)),
        template=draw(st.none() | TEXTS),
        ballot=draw(st.none() | ballots()),
        votes=name == "j0" or draw(st.booleans()),
        parameters=tuple(draw(st.dictionaries(IDS.map("x{}".format), SCALARS, max_size=3)).items()),
    )


def ballots() -> st.SearchStrategy[BallotForm]:
    fields = st.lists(st.sampled_from(["answer", "explanation", "confidence"]), unique=True, max_size=3).map(tuple)
    return st.builds(
        BallotForm,
        form=st.sampled_from([None, None, None, "label", "likert", "pair", "preference", "rating", "multi", "boolean"]),
        fields=fields,
        max_tokens=st.integers(1, 9999),
        abstain=st.booleans(),
        steepness=st.sampled_from([0.3, 1, 0.25]),
        probabilities=st.sampled_from(["off", "off", "required", "if_supported"]),
    )


@st.composite
def designs(draw: st.DrawFn) -> Design:
    protocol: Protocol = draw(st.sampled_from(["pointwise", "pairwise", "listwise"]))
    names = draw(st.lists(IDS, min_size=1, max_size=3, unique_by=str.casefold))
    try:
        criteria = tuple(
            Criterion(
                id=CriterionId(name),
                question=draw(TEXTS),
                scale=draw(scales(protocol)),
                weight=draw(st.integers(1, 3) | st.floats(0.1, 9)),
            )
            for name in names
        )
        return Design(
            protocol=protocol,
            rubric=Rubric(criteria=criteria),
            judges=tuple(draw(judges(f"j{number}")) for number in range(draw(st.integers(1, 3)))),
            orders="AB" if protocol == "pointwise" else draw(st.sampled_from(["AB", "BA", "both"])),
            baseline=draw(st.none() | LABELS) if protocol == "pairwise" else None,
            reference=draw(st.sampled_from(["if_given", "required", "hidden"])),
            ballot=draw(ballots()),
            aggregation=Aggregation(
                rule=draw(st.sampled_from(["majority", "plurality", "unanimity"])),
                denominator=draw(st.sampled_from(["seated", "counted"])),
                tie=draw(
                    st.sampled_from([TiePolicy(), TiePolicy(kind="fractional"), TiePolicy(kind="random", seed=7)])
                ),
                flip=draw(st.sampled_from(["tie", "undecided"])),
                criteria=draw(st.sampled_from(["weighted", "all"])),
            ),
            policy=Policy(reask=draw(st.integers(0, 10))),
            prices=draw(st.sampled_from([(), (("m", PRICE),)])),
            columns=draw(st.sampled_from([(), (("id", "question_id"), ("response", "answers.0"))])),
            aliases=draw(st.sampled_from([(), (("my-deployment", "gpt-4o"),)])),
        )
    except DesignError:
        reject()
