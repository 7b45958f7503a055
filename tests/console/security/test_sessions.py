import base64

from threadmill.console.security.sessions import SessionSigner


def test_a_session_comes_back_from_its_cookie() -> None:
    signer = SessionSigner()
    session = signer.begin(logged_in=True, name=" Ana; č ")
    assert signer.read(signer.cookie(session)) == session
    assert session.name == "Ana; č"


def test_forged_broken_and_foreign_cookies_are_no_session() -> None:
    signer = SessionSigner()
    cookie = signer.cookie(signer.begin(logged_in=False))
    body, _, signature = cookie.partition(".")
    forged = base64.urlsafe_b64encode(base64.urlsafe_b64decode(body).replace(b"false", b"true")).decode()
    for wrong in (None, "", "x", "é.é", f"{forged}.{signature}", cookie[:-1], f"{body}."):
        assert signer.read(wrong) is None
    assert SessionSigner().read(cookie) is None


def test_an_old_session_ends() -> None:
    now = [0.0]
    signer = SessionSigner(lambda: now[0])
    cookie = signer.cookie(signer.begin(logged_in=True))
    now[0] = 31 * 86_400
    assert signer.read(cookie) is None


def test_the_token_of_a_form_belongs_to_one_session() -> None:
    signer = SessionSigner()
    one, other = signer.begin(logged_in=False), signer.begin(logged_in=False)
    assert signer.is_form_token(one, signer.form_token(one))
    assert not signer.is_form_token(other, signer.form_token(one))
    assert not signer.is_form_token(one, "")
