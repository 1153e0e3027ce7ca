"""Proofs in natural deduction as a textbook writes them, one for each kind of step."""

BOOK = {
    "K: distribution": """
logic: K
show: K_a p, K_a (p -> q) ⊢ K_a q
1. K_a p             premise
2. K_a (p -> q)      premise
3. | K_a:            box
4. | p               KE 1
5. | p -> q          KE 2
6. | q               ->E 5, 4
7. K_a q             KI 3-6
""",
    "K: diamond": """
logic: K
show: K_a (p -> q), M_a p ⊢ M_a q
1. K_a (p -> q)      premise
2. M_a p             premise
3. | K_a ~q          assume
4. | | K_a:          box
5. | | p -> q        KE 1
6. | | ~q            KE 3
7. | | | p           assume
8. | | | q           ->E 5, 7
9. | | | false       ~E 8, 6
10. | | ~p           ~I 7-9
11. | K_a ~p         KI 4-10
12. | false          ~E 11, 2
13. M_a q            ~I 3-12
""",
    "K: cases": """
logic: K
show: K_a p | K_a q ⊢ K_a (p | q)
1. K_a p | K_a q     premise
2. | K_a p           assume
3. | | K_a:          box
4. | | p             KE 2
5. | | p | q         |I 4
6. | K_a (p | q)     KI 3-5
7. | K_a q           assume
8. | | K_a:          box
9. | | q             KE 7
10. | | p | q        |I 9
11. | K_a (p | q)    KI 8-10
12. K_a (p | q)      |E 1, 2-6, 7-11
""",
    "T: what is true is possible": """
logic: T
show: p ⊢ M_a p
1. p             premise
2. | K_a ~p      assume
3. | ~p          T 2
4. | false       ~E 1, 3
5. M_a p         ~I 2-4
""",
    "S4: what another knows": """
logic: S4
show: K_a K_b p ⊢ K_a p & K_a K_b K_b p
1. K_a K_b p                   premise
2. | K_a:                      box
3. | K_b p                     KE 1
4. | p                         T 3
5. K_a p                       KI 2-4
6. | K_a:                      box
7. | K_b p                     KE 1
8. | | K_b:                    box
9. | | K_b p                   R4 7
10. | K_b K_b p                KI 8-9
11. K_a K_b K_b p              KI 6-10
12. K_a p & K_a K_b K_b p      &I 5, 11
""",
    "S5: B": """
logic: S5
show: p ⊢ K_a M_a p
1. p                 premise
2. | K_a ~p          assume
3. | ~p              T 2
4. | false           ~E 1, 3
5. ~K_a ~p           ~I 2-4
6. | K_a:            box
7. | ~K_a ~p         R5 5
8. K_a M_a p         KI 6-7
""",
    "S5: a case that one knows about": """
logic: S5
show: K_a (p | K_a q), ~K_a q ⊢ K_a p
1. K_a (p | K_a q)   premise
2. ~K_a q            premise
3. | K_a:            box
4. | p | K_a q       KE 1
5. | ~K_a q          R5 2
6. | | p             assume
7. | | p             R 6
8. | | K_a q         assume
9. | | false         ~E 8, 5
10. | | p            X 9
11. | p              |E 4, 6-7, 8-10
12. K_a p            KI 3-11
""",
    "KD45: consistent beliefs": """
logic: KD45
show: ~(K_a p & K_a ~p)
1. | K_a p & K_a ~p      assume
2. | K_a p               &E 1
3. | K_a ~p              &E 1
4. | | K_a:              box
5. | | p                 KE 2
6. | | ~p                KE 3
7. | | false             ~E 5, 6
8. | false               D 4-7
9. ~(K_a p & K_a ~p)     ~I 1-8
""",
    "announcements: told, then known": """
logic: K
show: [!p]K_a p
1. | p                   assume
2. | | K_a:              box
3. | | | p               assume
4. | | | p               R 3
5. | | p -> p            ->I 3-4
6. | | [!p]p             !p 5
7. | K_a [!p]p           KI 2-6
8. p -> K_a [!p]p        ->I 1-7
9. [!p]K_a p             !K 8
""",
    "announcements: distribution": """
logic: K
show: [!p](q -> r), [!p]q ⊢ [!p]r
1. [!p](q -> r)      premise
2. [!p]q             premise
3. | [!p]:           box
4. | q -> r          KE 1
5. | q               KE 2
6. | r               ->E 4, 5
7. [!p]r             KI 3-6
""",
    "D: two together": """
logic: K
show: K_a p, K_b (p -> q) ⊢ D_{a,b} q
1. K_a p             premise
2. K_b (p -> q)      premise
3. | D_{a,b}:        box
4. | p               KE 1
5. | p -> q          KE 2
6. | q               ->E 5, 4
7. D_{a,b} q         KI 3-6
""",
    "C: each knows that the other knows": """
logic: K
show: C_{a,b} p ⊢ K_a K_b p
1. C_{a,b} p         premise
2. K_a C_{a,b} p     CE 1
3. | K_a:            box
4. | C_{a,b} p       KE 2
5. | K_b p           CE 4
6. K_a K_b p         KI 3-5
""",
    "C: induction": """
logic: S5
show: p, C_{a,b} (p -> E_{a,b} p) ⊢ C_{a,b} p
1. p                                    premise
2. C_{a,b} (p -> E_{a,b} p)             premise
3. p & C_{a,b} (p -> E_{a,b} p)         &I 1, 2
4. | p & C_{a,b} (p -> E_{a,b} p)       invariant
5. | p                                  &E 4
6. | C_{a,b} (p -> E_{a,b} p)           &E 4
7. | p -> E_{a,b} p                     T 6
8. | E_{a,b} p                          ->E 7, 5
9. | K_a p                              &E 8
10. | K_b p                             &E 8
11. | K_a C_{a,b} (p -> E_{a,b} p)      CE 6
12. | K_b C_{a,b} (p -> E_{a,b} p)      CE 6
13. | | K_a:                            box
14. | | p                               KE 9
15. | | C_{a,b} (p -> E_{a,b} p)        KE 11
16. | | p & (p & C_{a,b} (p -> E_{a,b} p))          &I 14, 15
17. | K_a (p & (p & C_{a,b} (p -> E_{a,b} p)))      KI 13-16
18. | | K_b:                            box
19. | | p                               KE 10
20. | | C_{a,b} (p -> E_{a,b} p)        KE 12
21. | | p & (p & C_{a,b} (p -> E_{a,b} p))          &I 19, 20
22. | K_b (p & (p & C_{a,b} (p -> E_{a,b} p)))      KI 18-21
23. | E_{a,b} (p & (p & C_{a,b} (p -> E_{a,b} p)))  &I 17, 22
24. C_{a,b} p                           Ind 3, 4-23
""",
}
