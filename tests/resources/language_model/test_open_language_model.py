"""Which model a name and an environment open, and what the providers are sent."""

import subprocess
import sys

import pytest

from resources.errors import UsageError
from resources.language_model import open_language_model
from tests.support.asking import Ask

FIELD = {"magnet": "dipole", "tesla": 16}


@pytest.fixture
def bare_environment(monkeypatch):
    for name in (
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_GEMINI_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_no_name_is_no_model():
    assert open_language_model("") is None


@pytest.mark.parametrize("name", ["gpt-4", "gemini", "gemini/", "openai/ ", "claude/x", "/x"])
def test_a_name_of_another_form_is_refused_in_a_sentence(name):
    with pytest.raises(UsageError, match=r"MUON_MODEL is .* write gemini/<name> or openai/<name>"):
        open_language_model(name)


@pytest.mark.parametrize(
    ("name", "variable"),
    [("gemini/gemini-2.5-flash", "GEMINI_API_KEY"), ("openai/gpt-5.4", "OPENAI_API_KEY")],
)
def test_a_missing_key_names_its_variable(bare_environment, name, variable):
    with pytest.raises(UsageError, match=variable):
        open_language_model(name)


def test_a_server_of_ones_own_needs_no_key(bare_environment):
    bare_environment.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    model = open_language_model("openai/gpt-oss-120b")
    assert model is not None
    assert model.cost(1_000_000, 1_000_000) == 0.0
    assert model.note == ""


def test_an_unknown_price_is_said_and_not_guessed(bare_environment):
    bare_environment.setenv("GEMINI_API_KEY", "k")
    model = open_language_model("gemini/gemini-of-tomorrow")
    assert model is not None
    assert model.cost(1000, 1000) is None
    assert "price of gemini/gemini-of-tomorrow is not known" in model.note


def test_gemini_prefers_its_own_key_over_the_general_one(asking: Ask, provider, monkeypatch):
    if provider != "gemini":
        pytest.skip("about Gemini's two variables")
    monkeypatch.setenv("GOOGLE_API_KEY", "another-key")
    asked = asking(FIELD)
    asked.ask()
    assert asked.server.requests[0].headers["x-goog-api-key"] == "key-of-the-tests"


def test_what_is_sent(asking: Ask, provider):
    asked = asking(FIELD)
    reply = asked.ask("Which field has the dipole?")
    sent = asked.server.requests[0]
    assert sent.model == ("gemini-2.5-flash" if provider == "gemini" else "gpt-oss-120b")
    if provider == "gemini":  # models in preview are served under the beta version alone
        assert sent.path == "/v1beta/models/gemini-2.5-flash:generateContent"
        assert sent.json["generationConfig"]["thinkingConfig"] == {"thinking_budget": 0}
    assert sent.system.startswith("You read papers.")
    assert sent.user == "Which field has the dipole?"
    assert sent.schema is not None
    assert set(sent.schema["properties"]) == {"magnet", "tesla"}
    assert sent.max_output_tokens == 8192
    assert (reply.value.magnet, reply.value.tesla) == ("dipole", 16.0)
    assert not reply.cached


def test_opening_nothing_imports_no_client():
    code = (
        "import sys, resources.language_model as m; m.open_language_model('');"
        "print(sorted({'openai', 'google.genai', 'httpx', 'httpx2'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
