"""Templates are filled literally, in one pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.ballots.template import check_template, fill
from venire.errors import DesignError


@given(st.text(), st.text())
def test_values_are_put_in_literally(prompt: str, response: str) -> None:
    assert fill("P {prompt} R {response}!", {"prompt": prompt, "response": response}) == f"P {prompt} R {response}!"


def test_a_value_is_not_filled_in_again() -> None:
    assert fill("{prompt}|{response}", {"prompt": "{response}", "response": "{prompt}"}) == "{response}|{prompt}"


@pytest.mark.parametrize(
    "braces", ["{}", "{0}", "{{x}}", '{"score": 1}', "{x.y}", "{other words}", "{", "}", "{curly}"]
)
def test_other_braces_stay_as_they_are(braces: str) -> None:
    assert fill(f"{braces} {{prompt}} {braces}", {"prompt": "p"}) == f"{braces} p {braces}"


@pytest.mark.parametrize("misspelt", ["{promt}", "{Prompt}", "{ prompt }", "{PROMPT}", "{prompts}"])
def test_a_misspelt_name_is_refused_with_the_right_one(misspelt: str) -> None:
    with pytest.raises(DesignError, match=r"did you mean \{prompt\}"):
        check_template(f"{misspelt} {{prompt}}", required=["prompt"], declared=["prompt", "response"])


def test_a_missing_name_is_refused() -> None:
    with pytest.raises(DesignError, match=r"lacks \{response\}"):
        fill("{prompt}", {"prompt": "p", "response": "r"})
