"""A first model: one coin, two people, and what they know about each other.

python examples/first_model.py
"""

import kripke_werewolf as kw

# Two worlds. Ann has looked at the coin, so she tells them apart; Bob has not. The coin lies heads up.
coin = kw.KripkeModel.from_partitions(
    ["heads", "tails"],
    {"Ann": [["heads"], ["tails"]], "Bob": [["heads", "tails"]]},
    {"h": ["heads"]},
    designated="heads",
)
coin.draw()

# A formula is asked at the actual world. K reads "knows that", Kw "knows whether", M "considers possible".
for question in ("K_Ann h", "K_Bob h", "K_Bob Kw_Ann h", "M_Bob ~h", "K_Ann ~K_Bob h"):
    print(f"{question:16} {coin.holds(question)!s:6} {kw.to_sentence(question)}")
coin.draw(formula="K_Ann h")

# Why? A formula is decided by the worlds that somebody cannot exclude.
print(coin.explain("K_Bob h"))
coin.draw(explain="K_Bob h")

# Ann says what she sees. The world where it is false is gone, and with it Bob's doubt.
after = coin.announce("h")
print("worlds left:", ", ".join(after.worlds))
print("common knowledge that h:", after.holds("C_{Ann,Bob} h"))
after.draw()
