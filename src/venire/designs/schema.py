"""The shape of the design file: every field with its meaning, as pydantic models and as a JSON schema."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from venire.domain.aggregation import RuleName


class _Strict(BaseModel):
    """Unknown fields are errors: a misspelt one would silently change what is asked."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class NominalFile(_Strict):
    """Labels without an order."""

    type: Literal["nominal"]
    labels: list[str] = Field(description="The labels a judge may give; at least two.")
    positive: str | None = Field(
        None, description="The label that counts as success, for rules such as max; by default the first."
    )


class OrdinalFile(_Strict):
    """Labels in order, worst first."""

    type: Literal["ordinal"]
    labels: list[str] = Field(description="The labels from worst to best; at least two.")


class IntervalFile(_Strict):
    """Numbers from min (worst) to max (best)."""

    type: Literal["interval"]
    min: float = Field(description="The lowest number that may be given.")
    max: float = Field(description="The highest number that may be given.")
    integer: bool = Field(default=True, description="Whether only whole numbers may be given.")


class ChoiceFile(_Strict):
    """Which of the responses shown is better (protocols pairwise and listwise)."""

    type: Literal["choice"]
    tie: bool = Field(default=True, description="Whether a judge may answer that they are equally good.")
    both_bad: bool = Field(default=False, description="Whether a judge may answer that none is acceptable.")


ScaleFile = Annotated[NominalFile | OrdinalFile | IntervalFile | ChoiceFile, Field(discriminator="type")]


class CriterionFile(_Strict):
    """One question about quality."""

    id: str = Field(description="A short name: letters, digits, _ and -; the field of the ballot is called so.")
    question: str = Field(description="What the judge shall decide, in words.")
    scale: ScaleFile | None = Field(
        None,
        description="The admissible answers. Needed for pointwise; for comparisons the default is a choice with ties.",
    )
    weight: float = Field(1.0, description="Weight in the combination of several criteria; above 0.")


class RubricFile(_Strict):
    """An ordered set of criteria."""

    criteria: list[CriterionFile] = Field(description="The questions, in the order asked.")


class ExampleFile(_Strict):
    """A worked example: what is shown, and the ballot as it should be filled in."""

    prompt: str = Field(description="The prompt of the example.")
    responses: list[str] = Field(description="The response, or the responses in the order shown.")
    reference: str | None = Field(None, description="A correct answer, where the example shows one.")
    verdicts: dict[str, str | int | float] = Field(
        description="The verdict by criterion; in comparisons A, B, …, tie or both_bad."
    )
    answer: str = Field("", description="For the field answer.")
    explanation: str = Field("", description="For the field explanation.")
    confidence: float | None = Field(None, description="For the field confidence, from 0 to 1.")


class BallotFile(_Strict):
    """How a judge writes its answer."""

    form: Literal["label", "likert", "pair", "preference", "rating", "multi", "boolean"] | None = Field(
        None,
        description="label: a word of the scale; likert: A>>B, A>B, A=B, B>A or B>>A; pair: a score from 0 to 10 for "
        "each of two responses; preference: a number from 0 (A) to 1 (B); rating: a number; boolean: yes or no; "
        "multi: several criteria, each by its scale. By default what the scale asks for.",
    )
    fields: list[Literal["answer", "explanation", "confidence"]] = Field(
        default_factory=list, description="What is asked for before the verdict, in this order."
    )
    json_: bool = Field(
        default=True, alias="json", description="A JSON object (true) or plain text that ends with the verdict."
    )
    max_tokens: int = Field(512, description="The most tokens that a judge may write.")
    abstain: bool = Field(default=False, description="Whether the judge is offered cannot_assess.")
    steepness: float = Field(
        0.3, description="pair: the preference is 1 / (1 + exp(-steepness × (score of B − score of A)))."
    )
    threshold: float | None = Field(
        None,
        description="The rating from which a yes or no on the same ballot must be yes: it is derived where it is "
        "missing, and a contradiction is a failure.",
    )
    probabilities: Literal["off", "required", "if_supported"] = Field(
        "off",
        description="Whether the probabilities of the verdict's tokens are asked for; required: a judge that cannot "
        "give them is an error before the run.",
    )
    examples: list[ExampleFile] = Field(
        default_factory=list, description="Worked examples that every judge sees before the item."
    )


class CapabilitiesFile(_Strict):
    """What a judge's model takes, where venire's table is wrong or does not know its name."""

    temperature: bool | Literal["without_reasoning"] | None = Field(
        None,
        description="Whether it takes temperature and other sampling parameters; without_reasoning: only beside "
        "reasoning_effort: none.",
    )
    logprobs: bool | Literal["without_reasoning"] | None = Field(None, description="Whether it gives logprobs.")
    n: bool | None = Field(None, description="Whether one request may ask for several draws.")
    seed: bool | None = Field(None, description="Whether it takes a seed.")
    system_role: Literal["system", "developer", "user"] | None = Field(
        None, description="The role of the system text; user: in front of the first user turn."
    )
    response_format: Literal["json_schema", "tool", "json_object", "none"] | None = Field(
        None, description="How a reply is held to the ballot's schema; tool: by a tool call (anthropic)."
    )
    token_limit: Literal["max_tokens", "max_completion_tokens"] | None = Field(
        None, description="The name under which the token limit is sent."
    )
    schema_bounds: Literal["kept", "dropped"] | None = Field(
        None, description="Whether the schema is sent with its bounds; replies are checked against them all the same."
    )
    reasoning_effort: bool | None = Field(None, description="Whether it takes the parameter reasoning_effort.")


class JudgeFile(_Strict):
    """One judge. Fields that only its provider knows (a similarity's threshold) go under parameters."""

    id: str = Field(description="The judge's name in this design.")
    provider: str = Field(
        description="openai_compatible | anthropic | pydantic_ai | embedded | similarity | containment | length | "
        "random | recorded, or one that an installed package adds under the entry point venire.providers."
    )
    model: str | None = Field(
        None, description="The model's name at the endpoint; embedded: smollm2 or the path of a GGUF file."
    )
    family: str | None = Field(None, description="Developer and lineage; known from most model names.")
    base_url: str | None = Field(
        None,
        description="openai_compatible: the address before /chat/completions; anthropic: the one before "
        "/v1/messages, by default Anthropic's own.",
    )
    api_key_env: str | None = Field(None, description="The environment variable that holds the API key.")
    headers: dict[str, str] = Field(
        default_factory=dict, description="Extra HTTP headers; ${NAME} in a value is that environment variable."
    )
    samples: int = Field(1, description="Independent draws for each thing asked.")
    samples_per_request: int = Field(
        1, description="How many draws one request asks for (n), where the endpoint has it; the input is billed once."
    )
    temperature: float | None = Field(None, description="Sampling temperature; left out: not sent.")
    max_concurrency: int | None = Field(
        None, description="Requests to this judge under way at once; by default 20, embedded: its workers."
    )
    requests_per_minute: int | None = Field(
        None, description="The provider's limit for this key, where it is known; else it is learned from its answers."
    )
    tokens_per_minute: int | None = Field(None, description="As above, of input and output tokens together.")
    timeout_s: float = Field(120.0, description="Seconds for one request, to the last byte.")
    prompt: str | None = Field(None, description="A file with an own prompt template, beside the design file.")
    template: str | None = Field(None, description="An own prompt template as text, in place of prompt.")
    ballot: BallotFile | None = Field(None, description="This judge's own ballot, in place of the design's.")
    votes: bool | None = Field(
        None, description="Whether it votes; by default every judge but the baselines length and random."
    )
    path: str | None = Field(None, description="recorded: the file of judgments, beside the design file.")
    parameters: dict[str, str | int | float | bool | None] = Field(
        default_factory=dict, description="Further parameters that its provider understands."
    )
    capabilities: CapabilitiesFile | None = Field(
        None, description="What its model takes, in place of what venire's table says of it."
    )


class TieFile(_Strict):
    """A tie that becomes a label, or one drawn with a seed."""

    label: str | None = Field(None, description="The label that an exact tie becomes.")
    random: int | None = Field(None, description="The seed by which one of the tied labels is drawn.")


class BestOfFile(_Strict):
    """The best of n: the response with the highest score, where each was scored alone."""

    tie: Literal["strict", "fractional", "random"] = Field(
        "strict",
        description="Responses that share the highest score: strict: no choice, and no hit; fractional: an equal part "
        "of it for each; random: one drawn by lot.",
    )
    missing: Literal["left_out", "wrong"] = Field(
        "left_out",
        description="Which accuracy stands first in the report, where both are told: items with a response without a "
        "score left out, or counted as wrong.",
    )
    seed: int | None = Field(None, description="Of the lot, by default 0; only with tie: random.")


class AggregationFile(_Strict):
    """How judgments become a verdict."""

    rule: RuleName = Field(
        "majority",
        description="max: any judge's positive label (PoLL's max voting, an OR), the best of ordered ones; min: AND, "
        "the worst; majority: more than half; plurality: the most votes; unanimity: all agree; at_least: so many "
        "positive votes; mean, median, trimmed_mean: of numbers, mean also of two labels, median of ordered ones; "
        "weighted: by given weights; majority_or_mean: the number that more than half hold, else the mean (PoLL's max "
        "with average fallback); geometric_median: of a judge's numbers as one vector (RoPoLL); dawid_skene, "
        "one_coin: the most probable label once every judge's errors are estimated from all items; reliability: "
        "votes weighed by what each judge got right on gold; calibrated: the most probable label by a logistic "
        "regression on all votes, learned from gold.",
    )
    denominator: Literal["seated", "counted"] = Field(
        "seated", description="seated: a missing ballot counts against a majority; counted: it does not count."
    )
    quorum: int = Field(1, description="Fewest votes for a decision; fewer leave the verdict undecided.")
    tie: Literal["undecided", "fractional"] | TieFile = Field(
        "undecided", description="What an exact tie becomes: undecided, fractional, {label: X} or {random: SEED}."
    )
    flip: Literal["tie", "undecided"] = Field(
        "tie", description="What a judge's vote becomes when its two orders disagree."
    )
    criteria: Literal["weighted", "all"] = Field(
        "weighted", description="How several criteria combine: weighted, or all must hold."
    )
    at_least: int | None = Field(None, description="Rule at_least: how many positive votes the positive label needs.")
    trim: float | None = Field(
        None, description="Rule trimmed_mean: the share of votes cut off at each end, by default 0.2; rounded down."
    )
    weights: dict[str, float] | None = Field(
        None, description="Rule weighted: the weight of every voting judge, 0 or above: {ann: 2, bob: 1}."
    )
    over: Literal["criteria", "responses"] | None = Field(
        None,
        description="Rule geometric_median: a judge's vector holds a response's criteria (the default), or one "
        "criterion of all responses of an item. A vector of one number has the median.",
    )
    by_category: bool | None = Field(
        None, description="Rule reliability: whether a judge has a weight for each category of items; by default not."
    )
    folds: int | None = Field(
        None,
        description="Rules reliability and calibrated: in how many parts gold is split by group, by default 5; a "
        "subject with gold is decided by what was learned on the other parts.",
    )
    seed: int | None = Field(
        None, description="Rules dawid_skene (random starts), reliability and calibrated (split of gold); by default 0."
    )
    recuse: Literal["nobody", "own_family"] = Field(
        "nobody", description="own_family: a judge has no vote where a system of its own family wrote a response."
    )
    best_of: BestOfFile | None = Field(
        None, description="Choose the best of each item's responses too, by their scores; {} takes every default."
    )


class PolicyFile(_Strict):
    """Further rounds of asking."""

    reask: int = Field(
        2, description="How often a ballot that could not be read is asked for again; 0 to 10, each time is billed."
    )


class PriceFile(_Strict):
    """US dollars per million tokens, or what a server of one's own costs an hour."""

    input_usd: float | None = Field(None, description="Per million input tokens.")
    output_usd: float | None = Field(None, description="Per million output tokens, hidden reasoning included.")
    cached_input_usd: float | None = Field(None, description="Input read from the provider's cache.")
    cache_write_usd: float | None = Field(None, description="Input written to the provider's cache.")
    batch_input_usd: float | None = Field(None, description="Input through a batch API.")
    batch_output_usd: float | None = Field(None, description="Output through a batch API.")
    gpu_hour_usd: float | None = Field(None, description="Own server: US dollars an hour, with tokens_per_s.")
    tokens_per_s: float | None = Field(None, description="Own server: tokens a second, input and output together.")
    holds_to: int | None = Field(None, description="The most input tokens of one request for which the price holds.")
    source: str | None = Field(None, description="Where the price comes from, in words that reports repeat.")


class PairsFile(_Strict):
    """Pairs with one system in each."""

    baseline: str = Field(description="The system that every other is compared with.")


class DesignFile(_Strict):
    """A venire design: what is asked of whom, and how the answers become a verdict."""

    protocol: Literal["pointwise", "pairwise", "listwise"] = Field(
        description="pointwise: one response at a time; pairwise: two against each other; listwise: all at once."
    )
    orders: Literal["AB", "BA", "both"] = Field(
        "AB", description="Comparisons: in the order of the file, reversed, or both (which shows position bias)."
    )
    pairs: Literal["all"] | PairsFile = Field(
        "all", description="pairwise: all, or {baseline: SYSTEM} to compare every other system with that one."
    )
    reference: Literal["if_given", "required", "hidden"] = Field(
        "if_given", description="Whether judges see an item's reference: if it has one, it must have one, or never."
    )
    rubric: RubricFile = Field(description="The questions about quality.")
    ballot: BallotFile = Field(
        default_factory=lambda: BallotFile.model_validate({}), description="The ballot of every judge."
    )
    judges: list[JudgeFile] = Field(description="The panel, and the baselines beside it.")
    aggregation: AggregationFile = Field(
        default_factory=lambda: AggregationFile.model_validate({}), description="How judgments become a verdict."
    )
    policy: PolicyFile = Field(
        default_factory=lambda: PolicyFile.model_validate({}), description="Further rounds of asking."
    )
    prices: dict[str, PriceFile] | str = Field(
        default_factory=dict,
        description="Own prices by judge id or model name, or a YAML file of them; they go before every list.",
    )
    columns: dict[str, str] = Field(
        default_factory=dict,
        description="How the files call venire's fields: {id: question_id, response: answer}; dots go into objects.",
    )
    aliases: dict[str, str] = Field(
        default_factory=dict,
        description="The model behind a name that does not tell it: {my-deployment-7: gpt-4o}, for judges and systems.",
    )


PARTS: Mapping[str, tuple[type[BaseModel], ...]] = {
    "the design": (DesignFile,),
    "pairs": (PairsFile,),
    "rubric": (RubricFile,),
    "rubric.criteria": (CriterionFile,),
    "scale": (NominalFile, OrdinalFile, IntervalFile, ChoiceFile),
    "ballot": (BallotFile,),
    "ballot.examples": (ExampleFile,),
    "judges": (JudgeFile,),
    "judges.capabilities": (CapabilitiesFile,),
    "aggregation": (AggregationFile,),
    "aggregation.tie": (TieFile,),
    "aggregation.best_of": (BestOfFile,),
    "policy": (PolicyFile,),
    "prices": (PriceFile,),
}
"""Every part of the file, by the place where it stands."""

PLACES: Mapping[str, frozenset[str]] = {
    place: frozenset(info.alias or name for part in parts for name, info in part.model_fields.items())
    for place, parts in PARTS.items()
}
"""The names of the fields of every part."""


def design_schema() -> dict[str, Any]:
    """The JSON schema of the design file (draft 2020-12), with the meaning of every field."""
    schema = DesignFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "venire design"}
