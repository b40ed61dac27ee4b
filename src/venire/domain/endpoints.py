"""What well-known addresses take and do not take, whichever model is behind them.

Only what is an error there, or passed over in silence, and documented: what an address does beyond that is found out
by the first request to it.
"""

import re
from collections.abc import Mapping

# (start of the host, or port; models there; capability: value). All that apply are applied.
# Groq: https://console.groq.com/docs/openai ("will result in a 400 error").
# DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion (no n, no seed; text and json_object alone) and
# https://api-docs.deepseek.com/guides/thinking_mode (thinks by default; temperature then has no effect).
# Mistral: https://docs.mistral.ai/api (its seed is random_seed; a field that it does not know is a 422).
# Gemini: https://github.com/mcpchecker/mcpchecker/pull/188 ("Unknown name \"seed\": Cannot find field").
# OpenRouter: https://openrouter.ai/docs/api_reference/overview (its request schema has no n).
# Ollama: https://docs.ollama.com/api/openai-compatibility (supported request fields: no n).
_TABLE: tuple[tuple[str, str, Mapping[str, bool | str]], ...] = (
    (r"api\.groq\.com", r"", {"logprobs": False, "n": False}),
    (r"api\.deepseek\.com", r"", {"response_format": "json_object", "n": False, "seed": False}),
    (r"api\.deepseek\.com", r"deepseek-(?:reasoner|v4|flash|pro)", {"temperature": False}),
    (r"api\.mistral\.ai", r"", {"logprobs": False, "seed": False}),
    (r"generativelanguage\.googleapis\.com", r"", {"seed": False}),
    (r"openrouter\.ai", r"", {"n": False}),
    (r"ollama\.com|[^:]*:11434", r"", {"n": False}),
)


def taken_at(base_url: str | None, model: str) -> dict[str, bool | str]:
    """What differs at this address from what the model takes elsewhere, by capability.

    >>> taken_at("https://api.groq.com/openai/v1", "llama-3.3-70b")
    {'logprobs': False, 'n': False}
    """
    found = re.match(r"https?://([^/?#]+)", (base_url or "").casefold())
    differs: dict[str, bool | str] = {}
    for host, models, changes in _TABLE:
        if found is not None and re.match(rf"(?:{host})(?![\w.-])", found[1]) and re.match(models, model):
            differs.update(changes)
    return differs
