"""Every phone of a host speaks its own language."""

import json
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from kripke_werewolf.base.wording import LANGUAGES, Sentence, page_words
from tests.base.wording.pseudo import pseudo_language, unspoken
from tests.play.host.hosting import Phone, hosted

NAMES = ("ANN", "BO", "CY", "DI")
ASKED = {name: Sentence("whom", action="vision", do="") for name in LANGUAGES}


def test_a_table_of_four_languages(tmp_path: Path) -> None:
    with hosted(tmp_path / "g", "--rules", "cisra", "--language", "nl") as host:
        phones = dict(zip(NAMES, (Phone(host) for _ in NAMES), strict=True))
        for (name, phone), language in zip(phones.items(), LANGUAGES[:4], strict=True):
            phone.cookies["kw-language"] = language
            assert phone.join(name)[0] == 200
        again = Phone(host)
        again.cookies["kw-language"] = "de"
        assert again.join("ANN")[1]["error"].startswith("der Platz von ANN ist besetzt")
        assert "Wort des Spiels" in again.join("Klaar")[1]["error"]
        assert phones["ANN"].send("POST", "/begin", {})[0] == 200
        for (name, phone), language in zip(phones.items(), LANGUAGES[:4], strict=True):
            view = phone.view()
            assert view["ask"][0]["question"] == ASKED[language].told(language)
            assert view["players"] == list(NAMES), name
            status, reply = phone.submit({"do": "choose", "action": "vision", "target": name}, view["moment"])
            reason = Sentence("not-on-oneself", rules="cisra", action="vision").told(language)
            assert (status, reply["accepted"]) == (200, False)
            assert reason in reply["text"]
            status, reply = phone.submit({"do": "vote", "target": "BO"}, view["moment"])
            assert reply["text"] == Sentence(
                "no-vote-in", phase=Sentence("phase", kind="visions", n="1")
            ).told(language)
        sizes = set()
        for phone in phones.values():
            phone.cookies["kw-language"] = "ja"
            sizes.add(len(phone.frame()))
        assert len(sizes) == 1  # all who read one language
        assert Phone(host).view("tv")["phase"] == "nacht 1, visioenen"
        stranger = Phone(host)
        stranger.cookies["kw-language"] = "../en"
        assert stranger.view("tv")["phase"] == "nacht 1, visioenen"
        for wanted, language in (
            ("fr, de-AT;q=0.8, en;q=0.7", "de"),
            ("en; q=0.3, fr, ja;q=0, DE ;q=0.8", "de"),
            *(("ja", "ja"), ("", "nl"), ("fr", "nl"), ("ja;q=0", "nl"), ("de;q=x;;,", "nl")),
        ):
            _, page = Phone(host).send("GET", "/", headers={"Accept-Language": wanted})
            assert f'<html lang="{language}">' in page
            title = page_words(language, "page-")["title"]
            assert f"<title>{title}</title>" in page
            _, rules = Phone(host).send("GET", "/rules", headers={"Accept-Language": wanted})
            assert f'<html lang="{language}">' in rules


def test_a_language_of_ones_own_on_phones(tmp_path: Path) -> None:
    """One file, no Python: the pages and the views are in it."""
    own = pseudo_language(tmp_path)
    with hosted(tmp_path / "g", "--rules", "gekka", "--language", own) as host:
        phones = [Phone(host) for _ in NAMES]
        for name, phone in zip(NAMES, phones, strict=True):
            assert phone.join(name)[0] == 200
        assert unspoken(phones[0].view()["settings"], ["gekka"]) == []
        assert phones[0].send("POST", "/begin", {})[0] == 200
        for phone in phones:
            view = phone.view()
            told = [view["settings"], view["phase"], view["sheet"], view["you"], view["ask"][0]["question"]]
            text = json.dumps(told, ensure_ascii=False)
            for key in ("phase", "lines", "opening", "alive", "number", "chances", "true", "table"):
                text = text.replace(f'"{key}"', "").replace("true", "")
            assert unspoken(text, ["gekka", "header", "rows", "left", "note"]) == []
        _, page = Phone(host).send("GET", "/")
        words = json.loads(page.partition('id="words">')[2].partition("</script>")[0])
        del words["language"]
        said = json.dumps(list(words.values()), ensure_ascii=False)
        for variable in ("one", "other", "{n}"):
            said = said.replace(f'"{variable}"', "").replace(variable, "")
        assert [word for word in unspoken(said, []) if f"{{{word}}}" not in said] == []
        assert '["xx", "ENGLISH"]' in page.replace("&quot;", '"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_pages(language: str) -> None:
    """What a page puts in stands in braces, and a plural has the form that its language needs."""
    words, english = page_words(language, "page-"), page_words("en", "page-")
    assert words.keys() == english.keys()
    forms = words["waiting-votes"]
    assert set(forms) == ({"other"} if language == "ja" else {"one", "other"})
    assert all("{n}" in form for form in forms.values())
    assert "{names}" in words["refused"]
    assert words["answer"].count("{name}") == 1
