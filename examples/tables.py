"""Worlds as rows of a table: all deals of a card game, a superposition, and what a published table tells.

Needs `pip install "kripke-werewolf[duckdb]"`.
"""

import duckdb

import kripke_werewolf as kw

# --- thirteen cards to four players, three each: 1,201,200 deals of one card left over, made in SQL
base = duckdb.connect()
hand = "SELECT h FROM range(8192) t(h) WHERE bit_count(h) = 3"
base.execute(f"""CREATE TABLE deals AS SELECT a.h AS a, b.h AS b, c.h AS c, d.h AS d FROM ({hand}) a
    JOIN ({hand}) b ON a.h & b.h = 0 JOIN ({hand}) c ON (a.h | b.h) & c.h = 0
    JOIN ({hand}) d ON (a.h | b.h | c.h) & d.h = 0 WHERE a.h = 7 OR a.h = 11""")
held = {f"{x}{k}": f"({x} >> {k}) & 1 = 1" for x in "abcd" for k in range(13)}
deals = kw.TableModel("deals", {x: [x] for x in "abcd"}, held, connection=base)
print(f"{deals.size:,} deals in which a holds 0, 1, and 2 or 3")
print("b knows that a holds 2:", deals.count("K_b a2"))
found = deals.ask("P_b(a2) = 1/2", tell=print)
print(f"b thinks it as likely as not: {found.true:,}")
print("after a says so:", deals.announce("a2").count("C_{a,b,c,d} a2"))

# --- a superposition of twelve players: who the seer is and who the two wolves are
base.execute("""CREATE TABLE roles AS SELECT s.i AS seer, w.i AS alpha, v.i AS beta
    FROM range(12) s(i), range(12) w(i), range(12) v(i) WHERE s.i <> w.i AND s.i <> v.i AND w.i <> v.i""")
atoms = {f"wolf_{k}": f"{k} IN (alpha, beta)" for k in range(12)}
atoms |= {f"seer_{k}": f"seer = {k}" for k in range(12)}
sees = {f"{k}": [f"seer = {k}", f"alpha = {k}", f"beta = {k}"] for k in range(12)}
roles = kw.TableModel("roles", sees, atoms, connection=base)
print(f"{roles.size:,} worlds of twelve players")
looked = roles.update(kw.semi_private("0", "seer_0 & wolf_1"))
print("player 0 may know that 1 is a wolf:", looked.count("K_0 wolf_1"))
print("and then nobody else does:", looked.valid("K_0 wolf_1 -> ~K_5 wolf_1 | seer_5"))

# the worlds that player 0 and this question tell apart
roles.model("K_0 wolf_1")

# --- a table of persons
people = """SELECT 20 + i%40 AS age, i // 7%9 AS area, ['flu', 'ulcer', 'none'][1 + i*i%11%3] AS ill
    FROM range(1000) t(i)"""
report = kw.disclose(people, ["age", "area"], "ill")
print(report.document().to_text())
