# Was Spielende lesen und hören, auf Deutsch.

## The language

language-name = Deutsch
language-plural = { $n ->
         [1] one
        *[other] other
    }
language-thousands = .
language-decimals = ,
language-percentage = { $number } %
language-list = { $items }, { $item }
language-list-end = { $items } und { $item }

## Building blocks

sequence = { $first } { $second }
clauses = { $first }; { $second }
labelled = { $label }: { $text }
list = { $items }
word = { WORD($word) }
changed = { $before } → { $after }
share = { WORD($fact) } { $share }
worlds = { $n ->
         [one] { $n } Welt
        *[other] { $n } Welten
    }
left = noch übrig: { worlds }
left-in-all = Noch übrig: { worlds }.
phase = { $kind ->
         [vote] Tag { $n }
         [night] Nacht { $n }
         [evening] Nacht { $n }, Abend
         [visions] Nacht { $n }, Visionen
         [attacks] Nacht { $n }, Angriffe
         [dawn] Nacht { $n }, Morgengrauen
        *[other] Nacht { $n }, { $kind }
    }
game-is-over = das Spiel ist vorbei
game-over = Das Spiel ist vorbei.
over = Das Spiel ist vorbei
game-is-paused = das Spiel ist unterbrochen
cards = { $n } { $n ->
         [1] { WORD($one) }
        *[other] { WORD($many) }
    }
sample = eine zufällige Stichprobe von höchstens { $most } der { $worlds } Welten
sampled-at-first = zu Beginn { $sample }
no-world-left = ?: keine Welt ist mehr übrig
hidden-until-certain = ?: verborgen, solange es nicht sicher ist
bitten-perhaps = ?: vielleicht gebissen, aber dass jemand einen Teil des Lebens verloren hat, steht in keiner Welt fest
settings = { $n } Personen nach den Regeln „{ $rules }“: { $cards }; { $deal ->
         [classical] mit Karten
        *[quantum] Quantenspiel
    }, Ziele { $targets ->
         [public] öffentlich
        *[secret] geheim
    }{ $some ->
         [yes] ; { $sample }
        *[no] { "" }
    }.
house-rules = Hausregeln: { $rules }
players = Es spielen: { $names }.

## What happens: actions

deed = { $action ->
         [vision] { $hidden ->
                 [yes] Die Seherin
                *[no] { $actor }
            } sieht sich { LIST($targets) } an
         [attack] { $hidden ->
                 [yes] Ein Werwolf
                *[no] { $actor }
            } greift { LIST($targets) } an
         [link] { $hidden ->
                 [yes] Amor
                *[no] { $actor }
            } verkuppelt { LIST($targets) }
         [protect] { $hidden ->
                 [yes] Der Leibwächter
                *[no] { $actor }
            } beschützt { LIST($targets) }
         [heal] { $hidden ->
                 [yes] Die Hexe
                *[no] { $actor }
            } rettet { LIST($targets) }
         [poison] { $hidden ->
                 [yes] Die Hexe
                *[no] { $actor }
            } vergiftet { LIST($targets) }
         [take] { $hidden ->
                 [yes] Jemand
                *[no] { $actor }
            } nimmt { LIST($targets) } mit in den Tod
        *[other] { $hidden ->
                 [yes] Jemand
                *[no] { $actor }
            } wählt { LIST($targets) } („{ $does }“)
    }
acted = { deed }.
acted-in-full = { deed }{ $result ->
         [none] { $action ->
                 [vision] { " " }und sieht nichts: Es ist keine Welt mehr übrig
                *[other] { "" }
            }
        *[other] { " " }und sieht: { WORD($result) }{ $drawn }
    }.
your-deed = { $action ->
         [vision] Du siehst dir { LIST($targets) } an
         [attack] Du greifst { LIST($targets) } an
         [link] Du verkuppelst { LIST($targets) }
         [protect] Du beschützt { LIST($targets) }
         [heal] Du rettest { LIST($targets) }
         [poison] Du vergiftest { LIST($targets) }
         [take] Du nimmst { LIST($targets) } mit in den Tod
        *[other] Du wählst { LIST($targets) } („{ $do }“)
    }
acted-yourself = { your-deed }{ $result ->
         [none] { $action ->
                 [vision] { " " }und siehst nichts
                *[other] { "" }
            }
        *[other] { " " }und siehst: { WORD($result) }
    }.
declined = { $action ->
         [vision] { $hidden ->
                 [yes] Die Seherin
                *[no] { $actor }
            } verzichtet auf die Vision
         [attack] { $hidden ->
                 [yes] Ein Werwolf
                *[no] { $actor }
            } verzichtet auf den Angriff
        *[other] { $hidden ->
                 [yes] Jemand
                *[no] { $actor }
            } verzichtet auf die Aktion „{ WORD($action) }“
    }.
declined-yourself = Du verzichtest auf { $action ->
         [vision] die Vision
         [attack] den Angriff
        *[other] die Aktion „{ WORD($action) }“
    }.
drawn-of = { " " }(aus { worlds }: { $parts })
role-in-worlds = { WORD($role) } { $n }
refused = Der Angriff von { $actor } auf { $target } wurde abgelehnt.
refused-yourself = Du kannst { $target } nicht angreifen: In jeder Welt, in der du der Leitwolf bist, ist { $target } auch ein Werwolf.

## What happens: votes and deaths

lot-among = Gleichstand zwischen { LIST($tied) }; das Los entscheidet.
lot-decides = Stimmengleichheit zwischen { LIST($tied) }; das Los entscheidet.
was-role = { WORD($role) }
was-announced = { WORD($announced) }
voted-off-in-full = { $player } wurde abgewählt{ $role ->
         [none] ; die Rolle ist unbekannt
        *[other] { " " }und war { was-role }
    }{ $drawn }.
voted-off = { $player } wurde abgewählt{ $announced ->
         [none] { "" }
        *[other] { " " }und war { was-announced }
    }.
found-dead-in-full = { $player } { $role ->
         [none] ist tot: Keine Welt ist mehr übrig
        *[other] wurde tot aufgefunden und war { was-role }{ $drawn }
    }.
found-dead = { $player } wurde tot aufgefunden{ $announced ->
         [none] { "" }
        *[other] { " " }und war { was-announced }
    }.
taken-along-in-full = { $actor } nimmt { $player } mit in den Tod; { $player } war { $role ->
         [none] ?
        *[other] { was-role }
    }{ $drawn }.
taken-along = { $actor } nimmt { $player } mit in den Tod{ $announced ->
         [none] { "" }
        *[other] ; { $player } war { was-announced }
    }.
is-spared = { $player } wird verschont: Die Abstimmung tötet nicht.
nobody-voted-off = Niemand wurde abgewählt.
nobody-found-dead = Niemand wurde tot aufgefunden.

## What happens: words, and the end

told-in-full = { $speaker } sagt { LIST($to) }, { $noticed ->
         [yes] während die anderen es sehen
        *[no] unbemerkt von den anderen
    }: { $formula }.
said = { $speaker } { $believed ->
         [yes] sagt, und alle glauben es
        *[no] behauptet
    }: { $formula }.
told-whether = { $speaker } sagt { LIST($to) }, ob dies stimmt: { $formula }.
told-you = { $speaker } sagt dir: { $formula }.
told-role = { $player } erfährt, dass nur eine Rolle übrig ist: { WORD($role) }.
told-your-role = Für dich ist nur noch eine Rolle übrig: { WORD($role) }.
collapsed-in-full = Es kann sich nichts mehr ändern; eine Welt wird ausgelost: { WORD($roles) }.
collapsed = Es kann sich nichts mehr ändern; eine Welt wird ausgelost.
left-out = { $hidden ->
         [yes] { WORD($action) }
        *[no] { $player } ({ WORD($action) })
    }
passed-over = Übergangen: { $who }.
end-of = Ende: { $phase }.
as-of-the-end = Stand nach { $phase }.
game-ended = { $verdict ->
         [draw] Das Spiel endet unentschieden
         [wolves] Die Werwölfe gewinnen
         [village] Das Dorf gewinnt
         [lovers] Das Liebespaar gewinnt
         [fox] Der Fuchs gewinnt
        *[other] Sieg für: { WORD($verdict) }
    }{ $forced ->
         [yes] , durch den erzwungenen Kollaps
        *[no] { "" }
    }{ $any ->
         [yes] ; gewonnen haben: { $winners }
        *[no] { "" }
    }.
died = { $how ->
         [voted_off] abgewählt
         [found_dead] tot aufgefunden
        *[taken_along] mitgenommen
    }, { $phase }

## What a player is told

your-number = Deine Nummer ist { $number }.
your-role = Deine Rolle: { WORD($role) }.
with-rank = { $ranked ->
         [yes] { $player } ({ WORD($role) })
        *[no] { $player }
    }
other-wolves = { $n ->
         [0] Du bist der einzige Werwolf.
        *[other] Die anderen Werwölfe: { $others }.
    }
has-role = { $player } ist { WORD($role) }
you-are-told = Du erfährst: { $who }.
shown = Wer { WORD($word) } ist: { $n ->
         [0] niemand
        *[other] { LIST($names) }
    }.
chances-at-first = Deine Chancen zu Beginn: { $chances }.
your-chances = Deine Chancen: { $chances }.
asked-for = Du wirst gefragt, wen du { $action ->
         [vision] ansiehst
         [attack] angreifst
         [link] verkuppelst
         [protect] beschützt
         [heal] rettest
         [poison] vergiftest
         [take] mitnimmst
        *[other] wählst („{ WORD($action) }“)
    }.
not-asked = Du wirst nicht gefragt, wen du { $action ->
         [vision] ansiehst
         [attack] angreifst
         [link] verkuppelst
         [protect] beschützt
         [heal] rettest
         [poison] vergiftest
         [take] mitnimmst
        *[other] wählst („{ WORD($action) }“)
    }.
you-are-passed-over = Du wurdest übergangen: Du hattest noch { $action ->
         [vision] eine Vision
         [attack] einen Angriff
        *[other] einen Zug „{ WORD($action) }“
    }.
acted-by-then = Bis dahin waren schon dran: { $who }.
in-fractions = Als Brüche: { $shares }.
in-fraction = { $share } ist { $values }
now = Jetzt: { $phase }. Am Leben: { $n ->
         [0] niemand
        *[other] { $names }
    }.
handout-mark = (kripke-werewolf handout { $version } de)
what-is-known = Was { $n ->
         [0] alle wissen
        *[other] { $player } weiß
    }
who-is-alive = Am Leben: { $n ->
         [0] niemand
        *[other] { $names }
    }.
who-is-dead = Tot: { $names }.

## Why something is refused

being = { $card ->
         [dominant] der Leitwolf
         [wolf] ein Werwolf
         [seer] die Seherin
         [witch] die Hexe
         [cupid] Amor
        *[other] der { WORD($card) }
    }
being-such = jemand, für den { $schema } wahr ist
cannot-do = { $actor } kann { LIST($targets) } nicht { $action ->
         [vision] ansehen
         [attack] angreifen
         [link] verkuppeln
         [protect] beschützen
         [heal] retten
         [poison] vergiften
         [take] mitnehmen
        *[other] wählen („{ $do }“)
    }: { $reason }
needs-two = nenne zwei verschiedene Personen
needs-one = nenne eine Person
no-world-to-see = { $actor } sieht nichts: Es gibt keine Welt mehr, in der { $actor } { $card } ist{ $alive ->
         [yes] { " " }und lebt
        *[no] { "" }
    }
is-compulsory = { $action ->
         [vision] die Vision
         [attack] der Angriff
        *[other] „{ WORD($action) }“
    } ist nach den Regeln „{ $rules }“ Pflicht
cannot-decline = { $actor } kann nicht auf { $action ->
         [vision] die Vision
         [attack] den Angriff
        *[other] „{ WORD($action) }“
    } verzichten: { $reason }
attack-is-allowed = der Angriff ist erlaubt
nothing-to-refuse = ein Angriff von { $actor } auf { $target } kann nicht abgelehnt werden: { $reason }
no-vote-in = { $phase }: Es wird nicht abgestimmt
no-vote-end = { $phase }: Es wird nicht abgestimmt; mit „{ typed-end } { typed-pass }“ endet die Phase
cannot-be-voted-off = { $player } kann nicht abgewählt werden: { $reason }
nobody-is-named = bei der Abstimmung wurde niemand genannt; wird niemand abgewählt, beende die Phase
cannot-be-tied = { $tied }: kein Gleichstand möglich; nenne zwei oder mehr Lebende, jeden Namen nur einmal
not-one-of-the-tied = { $player } ist beim Gleichstand nicht dabei: { $tied }
cannot-take-along = { $actor } kann { $player } nicht mitnehmen: { $reason }
cannot-speak = { $speaker } kann nicht sprechen: { $reason }
cannot-tell = { $speaker } kann das { $to } nicht sagen: Nenne andere, jeden Namen nur einmal
first-names-somebody = wer tot ist, nennt zuerst jemanden zum Mitnehmen: { LIST($dead) }
is-dead = { $player } ist tot
is-alive = { $player } lebt noch
no-such-action = es gibt keine { $action ->
         [vision] Visionen
         [attack] Angriffe
        *[other] Züge „{ WORD($action) }“
    } { $first ->
         [yes] in der ersten Nacht
        *[no] ({ $phase })
    }
next-ones-are = die nächsten kommen später: { $phase }
nobody-dead-yet = noch ist niemand offiziell tot
in-no-world = { $player } ist in keiner verbliebenen Welt { $card }
already-used = { $player } hat { $action ->
         [vision] die Vision
         [attack] den Angriff
        *[other] „{ WORD($action) }“
    } schon genutzt oder darauf verzichtet ({ $phase })
vision-comes-first = erst kommt die Vision von { $player }, dann der Angriff
turn-of = { $player } ist an der Reihe
is-wolf-where = { $target } ist Werwolf in jeder verbliebenen Welt, in der { $actor } { $card } ist
not-on-oneself = nach den Regeln „{ $rules }“ { $action ->
         [vision] darf sich niemand selbst ansehen
         [attack] darf sich niemand selbst angreifen
        *[other] ist „{ WORD($action) }“ bei sich selbst nicht erlaubt
    }

## Votes

votes-for = { $anybody ->
         [yes] { $player }
        *[no] niemand
    } { $n }
vote-of = { $voter } für { $anybody ->
         [yes] { $player }
        *[no] niemanden
    }
tally = Stimmen: { $n ->
         [0] keine
        *[other] { $counts }
    }{ $opened ->
         [yes] { " " }({ $by })
        *[no] { "" }
    }.
votes-again = Stimmengleichheit zwischen { LIST($tied) }; das Dorf stimmt noch einmal ab.
nobody-can-vote = niemand kann abstimmen: Das Spiel ist vorbei
votes-aloud = hier stimmt das Dorf laut ab, nicht am Gerät
dead-have-no-vote = { $voter } ist tot und hat keine Stimme
only-the-tied = Stimmengleichheit: Nur { $names } stehen zur Wahl
are-tied = Gleichstand: { $names }{ $ties ->
         [village] ; das Dorf entscheidet: Nenne eine dieser Personen
        *[nobody] ; niemand wird abgewählt; „{ typed-end }“ beendet den Tag
    }

## Answers to commands

this-is-over = zu spät: { $over ->
         [yes] Das Spiel ist zu Ende
        *[no] Es ist jetzt { $phase }
    }; nichts wurde geändert
for-the-master = das ist Sache der Spielleitung
only-for-oneself = { $player } kann nur für sich selbst wählen
only-the-master-decides = nur die Spielleitung bestimmt, was eine Vision zeigt
pausing = { $paused ->
         [yes] unterbrochen
        *[no] das Spiel geht weiter
    }
noted = notiert
noted-choice = notiert: { $actor } hat gewählt
noted-vote = notiert: { $voter } hat abgestimmt
is-away = { $player } ist { $away ->
         [yes] weg
        *[no] wieder da
    }
action-refused = { $action ->
         [vision] die Vision von { $actor }
         [attack] der Angriff von { $actor }
        *[other] „{ WORD($action) }“ von { $actor }
    } ist nicht möglich: { $reason }
choice-is-final = { $actor } hat schon gewählt und kann es nicht mehr ändern
same-is-true = { $reason }; dasselbe gilt für { $others }
over-already = die Phase kann nicht enden: Das Spiel ist vorbei
cannot-end-yet = die Phase kann noch nicht enden: { $reason }
phase-cannot-end = { $phase } kann noch nicht enden: { $hidden ->
         [yes] jemand hat noch nicht gewählt
        *[no] { $n ->
                 [one] { $n } Entscheidung fehlt
                *[other] { $n } Entscheidungen fehlen
            }
    }; mit „{ typed-end } { typed-pass }“ geht es ohne sie weiter
not-together = { $reason }; zusammen mit den anderen Entscheidungen ist das nicht möglich
all-taken-back = alle Entscheidungen sind zurückgenommen; es ist { $phase }
last-taken-back = die letzte Entscheidung ist zurückgenommen
nothing-to-undo = es gibt nichts zurückzunehmen: Das Spiel hat gerade begonnen
phase-taken-back = zurückgenommen; es ist { $phase }
at-least-one = { steps } zurückzunehmen ist nicht möglich; gib eine Zahl ab 1 an
steps = { $n ->
         [one] { $n } Schritt
        *[other] { $n } Schritte
    }
not-so-many-steps = { steps } zurückzunehmen ist nicht möglich: Das Spiel hat { $steps ->
         [one] { $steps } Schritt
        *[other] { $steps } Schritte
    }
not-so-many-moments = { $count } Abstimmungen und Phasen zurückzunehmen ist nicht möglich; { $n ->
         [0] es gibt keine
        *[other] möglich sind 1 bis { $n }
    }
steps-taken-back = zurückgenommen: { $nights ->
         [yes] { steps }
        *[no] die letzten Abstimmungen und Phasen
    }; es ist { $phase }

## Questions at night

whom = Wen { $action ->
         [vision] siehst du dir an
         [attack] greifst du an
         [link] verkuppelst du
         [protect] beschützt du
         [heal] rettest du
         [poison] vergiftest du
         [take] nimmst du mit
        *[other] wählst du („{ $do }“)
    }?
nobody-to = Es gibt niemanden, den du { $action ->
         [vision] ansehen
         [attack] angreifen
         [link] verkuppeln
         [protect] beschützen
         [heal] retten
         [poison] vergiften
         [take] mitnehmen
        *[other] wählen („{ $do }“)
    } { $asked ->
         [yes] könntest
        *[no] kannst
    }.
together = { LIST($names) }

## What an action does, and what has changed

explained = { $deal ->
         [quantum] In den Welten, in denen du { $card } bist,
        *[classical] Bist du { $card },
    } { $kind ->
         [look] erfährst du eines dieser Wörter über dein Ziel: { $results }.
         [bite] verliert dein Ziel einen Teil eines Lebens, außer wenn es dort ein Werwolf ist.
         [kill] stirbt dein Ziel{ $unless ->
                 [yes] , außer wenn es geschützt ist
                *[no] { "" }
            }.
         [save] überlebt dein Ziel, was es in dieser Nacht getötet hätte.
         [ward] stirbt dein Ziel{ $tonight ->
                 [yes] { " " }in dieser Nacht
                *[no] { "" }
            } durch keinen Angriff.
         [join] gehören deine beiden Ziele zusammen: Ist das eine tot, dann auch das andere.
        *[other] gilt deine Wahl.
    } { $deal ->
         [quantum] { $also ->
                 [look] Von diesen Welten bleiben nur die, in denen das stimmt;
                 [misled] Von diesen Welten bleiben nur die, in denen das stimmt, und von denen, in denen du { $misled } bist, nur die, in denen es nicht stimmt;
                 [wolf] Von diesen Welten fallen die weg, in denen dein Ziel ein Werwolf ist;
                 [some] Von diesen Welten fallen die weg, in denen das unmöglich ist;
                *[none] Alle treffen so eine Wahl, für den Fall, dass sie zählt;
            } in allen anderen Welten geschieht nichts.
        *[classical] { $also ->
                 [wolf] Ist dein Ziel ein Werwolf, oder bist du jemand anders, geschieht nichts.
                *[none] Bist du jemand anders, geschieht nichts.
            }
    }
explained-take = { $deal ->
         [quantum] Die Person, die du nennst, stirbt in jeder Welt mit dir.
        *[classical] Die Person, die du nennst, stirbt mit dir.
    } Alle sehen, wen du mitnimmst.
page-what-it-does = Was das bewirkt
changed-for-you = { $any ->
         [yes] Was { $night } für dich geändert hat: { $parts }.
        *[no] Soweit du weißt, hat { $night } für dich nichts geändert.
    }
if-you-are = bist du { $card }, dann ist { $player } { $role ->
         [wolf] ein Werwolf
         [villager] Dorfbewohner
         [seer] die Seherin
        *[other] { WORD($role) }
    }
no-longer-you = das kannst du nicht mehr sein: { $cards }
your-chances-moved = deine Chancen: { $moved }
since-the-table = { $parts } (seit der Tabelle von { $since })
chance-moved = { WORD($fact) } von { $old } auf { $new }
hint = Nach allem, was du erfahren hast (ohne die Zahlen in den Tabellen), { $kind ->
         [look] weißt du am wenigsten über
         [vote] ist die Chance auf einen Werwolf am größten bei
         [ward] ist die Chance auf einen Werwolf am kleinsten und Schutz daher vielleicht sinnvoll bei
         [save] ist die Chance auf einen Werwolf am kleinsten und Rettung daher vielleicht sinnvoll bei
        *[other] sind die Chance auf einen Werwolf und damit dein Verlust am kleinsten bei
    }: { $names }.
no-hint = { $hard ->
         [yes] Das ist zu viel, um es hier auszurechnen.
        *[no] Abgesehen von den Zahlen in den Tabellen spricht nichts, was du erfahren hast, eher für einen Namen als für einen anderen.
    }
page-what-could-i-do = Was könnte ich tun?
asked = { $answer } (gelesen als { $read }{ $more ->
         [yes] ; die Tabellen können mehr verraten
        *[no] { "" }
    })
page-ask = Frag, was du wissen kannst (auf Englisch)
page-ask-it = Fragen

## Robots and watchers

robots-play = { $n ->
         [0] Es spielt kein Roboter mit.
         [one] Übungsspiel: Das Programm spielt für { $names }.
        *[other] Übungsspiel: Das Programm spielt für { LIST($names) }.
    }
number-of-robots = { $n } Roboter können nicht mitspielen; gib eine Zahl von 0 bis { $most } an
watched = { $n ->
         [one] { $n } Person schaut zu und sieht alles.
        *[other] { $n } Personen schauen zu und sehen alles.
    }
promise-first = wer alles sehen will, verspricht zuerst, den Mitspielenden nichts zu sagen
too-many-watch = höchstens { $n } können zuschauen
no-watcher-here = dieses Gerät schaut nicht zu; tipp den Code ein
watchers-do-not-play = dieses Gerät schaut zu und kann nicht mitspielen
players-do-not-watch = dieses Gerät hat einen Platz im Spiel und kann nicht zuschauen
page-robots = Roboter, die zum Üben mitspielen: { $n }
page-more-robots = Ein Roboter mehr
page-fewer-robots = Ein Roboter weniger
page-robot-plays = Ein Roboter spielt für { $name }
page-robot-stops = Kein Roboter mehr für { $name }
page-watch = Zuschauen
page-watch-code = Code zum Zuschauen
page-promise = Ich verspreche, den Mitspielenden vor dem Ende nichts zu sagen.
page-watchers = Wer zuschauen darf
page-watch-all = Alles, wenn man zu schweigen verspricht: { $link }
page-watch-nobody = niemand
page-new-link = Neuer Link; wer jetzt zuschaut, fliegt raus
page-no-link = Niemanden zulassen

## The console: what is typed

typed = { $command ->
         [vote] { typed-vote }
         [end] { typed-end }
         [undo] { typed-undo }
         [again] { typed-again }
         [away] { typed-away }
         [back] { typed-back }
         [table] { typed-table }
         [status] { typed-status }
         [help] { typed-help }
         [quit] { typed-quit }
         [later] { typed-later }
         [nobody] { typed-nobody }
         [hint] { typed-hint }
         [pass] { typed-pass }
         [random] { typed-random }
        *[other] { $command }
    }
typed-vote = abstimmen
typed-end = fertig
typed-undo = zurück
typed-again = nochmal
typed-away = weg
typed-back = anwesend
typed-table = tabelle
typed-status = stand
typed-help = hilfe
typed-quit = schluss
typed-later = später
typed-nobody = niemand
typed-hint = tipp
typed-pass = ohne
typed-random = losen

## The console: where the game stands

no-table-yet = es wurde noch keine Tabelle veröffentlicht
where-it-stands = { $phase }{ $secret ->
         [yes] , { steps } gemacht
        *[no] { "" }
    }
alive = am Leben: { $names }
nobody-alive = am Leben: niemand
dead = tot: { $names }
away = weg: { $names }
voted = abgestimmt: { $votes }
choices-noted = notiert: { $choices }
choice = { $actor } ({ $any ->
         [yes] { WORD($action) }: { $target }{ $forced ->
                 [yes] { " " }als { WORD($result) }
                *[no] { "" }
            }
        *[no] ohne { WORD($action) }
    })
to-vote = müssen noch abstimmen: { $names }
village-votes = das Dorf stimmt ab
due = { $player } ({ LIST(WORD($actions)) })
to-act = noch zu tun: { $due }
nothing-to-do = niemand hat etwas zu tun: mit „{ typed-end }“ geht es weiter

## The console: the game master's screen

tell = an { $player }: { $text }
tell-all = an alle: { $text }
master-prompt = { $over ->
         [yes] vorbei
        *[no] { $phase }
    }>
prompt = { $phase }>

## The console: one device for everybody

whose-turn = { $player }, { $phase }
leave = Drück Enter; der Bildschirm wird gelöscht.
leave-anew = Nenne jemand anderen und drück Enter; der Bildschirm wird gelöscht.
over-press-enter = Das Spiel ist vorbei. Drück Enter.
it-is = Es ist { $phase }. Am Leben: { $names }.
who-is-voted-off = Wer wird abgewählt?{ $ties ->
         [lot] { " " }Mehrere Namen heißen Gleichstand; schreib
        *[other] { " " }Schreib
    } „{ typed-end }“, wenn es niemand ist.
not-all-have-voted = Noch nicht alle haben abgestimmt. Enter: noch einmal fragen; „{ typed-end }“ zählt die abgegebenen Stimmen.
votes-so-far = Bisherige Stimmen: { $votes }.
vote-was-tied = Es gab Stimmengleichheit; zur Wahl stehen nur { $names }.
vote-for-whom = { $opened ->
         [yes] { $player }, für wen
        *[no] Für wen
    } stimmst du?
it-is-noted = Es ist notiert.
not-for-this-screen = Das ist geheim und nichts für diesen Bildschirm; wählt, wenn ihr das Gerät habt.
gets-no-device = { $player } ist tot oder wird von einem Roboter gespielt und bekommt das Gerät nicht.
everybody-votes = Hier stimmen alle selbst ab, wenn sie gefragt werden.
ends-after-the-round = { $phase } endet, wenn das Gerät herumgegangen ist.
your-card = { $player }, das ist deine Karte.
not-all-have-chosen = Noch nicht alle haben gewählt. Enter: das Gerät noch einmal herumgeben; mit „{ typed-end } { typed-pass }“ geht
    es ohne sie weiter, mit „{ typed-end } { typed-random }“ werden die fehlenden Entscheidungen ausgelost.
hand-to = Gib das Gerät an { $player }. { $player }: Drück Enter.
you-chose = Deine Antwort: { $anybody ->
         [yes] { $target }
        *[no] niemand
    }. Mit Enter bleibt es dabei.
as-if-there-were = { $why } Antworte trotzdem, als ginge es: Deine Antwort zählt nicht, aber niemand sieht das.
somebody-all-the-same = Nenne trotzdem jemanden.
may-decline = { $question } („{ typed-nobody }“, um zu verzichten)
answers = Schreib einen Namen; { $decline ->
         [yes] „{ typed-nobody }“, um zu verzichten,{ " " }
        *[no] { "" }
    }„{ typed-later }“, um zu antworten, wenn das Gerät wiederkommt; „{ typed-hint }“, „{ typed-table }“, „{ typed-status }“.
questions-too = Auch eine Frage auf Englisch, die mit „?“ endet, wird beantwortet; die Tabulatortaste ergänzt sie.
for-everybodys-screen = „{ typed }“ ist für den Bildschirm, den alle sehen; wähle zuerst, oder schreib „{ typed-later }“.
night-is-over = { $player }, die Nacht ist vorbei.
refusal = Abgelehnt: { $reason }

## The console: its commands

help = { $command ->
         [vision] eine Person sieht sich eine andere an
         [attack] eine Person greift eine andere an
         [do] eine andere Aktion einer Karte, etwa protect (beschützen)
         [decline] eine Person verzichtet auf eine Aktion
         [vote] jemanden abwählen; mehrere Namen: Gleichstand
         [ballot] eine Person stimmt für eine andere oder für niemanden (offene und geheime Abstimmung)
         [end] die Phase beenden: Niemand wird abgewählt; wer verzichten darf, verzichtet
         [undo] die letzte Entscheidung oder den letzten Schritt zurücknehmen, mehrere Schritte oder die Phase
         [again] jemandem das Gerät noch einmal geben, um eine Entscheidung zu sehen und zu ändern
         [away] jemand hat den Tisch verlassen
         [back] jemand ist wieder da
         [table] die öffentliche Tabelle{ $secret ->
                 [yes] { " " }oder die der Spielleitung
                *[no] { "" }
            }
         [status] wie das Spiel steht
         [numbers] wer welche Nummer hat
         [help] diese Liste
        *[quit] aufhören; alles ist gespeichert
    }
word-of-the-game = niemand kann hier „{ $name }“ heißen: Das ist ein Wort des Spiels; nimm einen anderen Namen
impossible-name = dieser Name geht hier nicht: Er enthält ein unsichtbares Zeichen oder einen Zeilenumbruch, oder jemand heißt schon fast so; nimm einen anderen
only-in-case = die Namen „{ $one }“ und „{ $other }“ sehen gleich aus; nimm einen anderen
not-understood = „{ $text }“ ist { $after ->
         [yes] nach „{ $command }“
        *[no] am Ende
    } nicht zu verstehen; schreib: { $usage }
may-be = „{ $text }“ ist nicht eindeutig: { $names }; { $exactly ->
         [yes] schreib es genau
        *[no] schreib mehr Buchstaben
    }
who = wer? Schreib: { $usage }
unknown-name = { $kind ->
         [player] niemand heißt
         [command] unbekannter Befehl
        *[other] unbekannt:
    } „{ $name }“{ $n ->
         [0] { " " }(bekannt: { $known })
        *[other] ; meinst du { $near }?
    }

## Pages on phones and the shared screen

page-title = Quanten-Werwolf
page-needs-script = Diese Seite braucht JavaScript.
page-choose-language = Sprache
page-comma = { ", " }
page-space = { " " }
page-cut-off = Keine Verbindung zum Host. Neuer Versuch … Nichts ist verloren; prüfe das WLAN.
page-sound = Ton
page-vibration = Vibration
page-awake = Bildschirm anlassen
page-sending = Wird gesendet …
page-no-answer = Keine Antwort vom Host. Versuch es noch einmal.
page-private = Behalte dieses Handy für dich: Es zeigt, was nur du wissen darfst.
page-join = Mitspielen
page-code = Code des Abends
page-your-name = Dein Name
page-join-next = Dein Name, für das nächste Spiel
page-which-seat = Wer bist du?
page-lobby = Vor dem Spiel
page-here = { $n ->
         [one] { $n } Person ist da
        *[other] { $n } Personen sind da
    }
page-begin = Alle sind da: los
page-first-begins = { $name } startet das Spiel, wenn alle da sind.
page-leave = Verlassen
page-again = Noch ein Spiel, gleiche Plätze
page-again-draw = Noch ein Spiel, neue Plätze
page-score = Der Abend bisher
page-waits = Gerade läuft ein Spiel. Beim nächsten bist du dabei.
page-choose-rules = Das nächste Spiel
page-code-is = Code: { $code }
page-no-code = Das Terminal des Hosts zeigt den Code.
page-rules = Regeln
page-no-news = Noch keine Neuigkeiten.
page-older-news = Frühere Neuigkeiten
page-news = Neuigkeiten
page-table = Die Tabelle
page-no-table = Es wurde noch keine Tabelle gezeigt.
page-people = Mitspielende
page-alive = am Leben
page-dead = tot
page-away = weg
page-nobody = Niemand
page-nothing-asked = Du wirst gerade nichts gefragt.
page-counts = Wähle einen Namen und bestätige. Du kannst deine Antwort ändern, bis alle geantwortet haben.
page-counts-two = Wähle zwei Namen und bestätige. Du kannst deine Antwort ändern, bis alle geantwortet haben.
page-as-if = Antworte trotzdem, als ginge es; deine Antwort bewirkt nichts.
page-refused = Du hast erfahren, dass du { $names } nicht angreifen kannst. Wähle neu.
page-decline = Niemand
page-confirm = Bestätigen
page-change = Ändern
page-answer = Deine Antwort: { $name }
page-own-sheet = Dein eigenes Blatt
page-only-you = Nur für deine Augen.
page-card = Deine Karte: { $card }
page-number = Deine Nummer: { $number }
page-deck = Karten und Chancen
page-chances = Deine Chancen
page-vote = Abstimmung
page-spoken = Stimmt laut ab. Die Spielleitung trägt das Ergebnis ein.
page-second-vote = Es gab Stimmengleichheit. Stimmt noch einmal ab: { $names }.
page-voted-for = { $voter }: { $name }
page-have-voted = Schon abgestimmt: { $names }
page-waiting-votes = { $n ->
         [one] { $n } Stimme fehlt noch
        *[other] { $n } Stimmen fehlen noch
    }
page-waiting-choices = { $n ->
         [one] { $n } Person hat noch nicht geantwortet
        *[other] { $n } Personen haben noch nicht geantwortet
    }
page-paused = Das Spiel ist unterbrochen
page-you-are-dead = Du bist tot.
page-dead-rules = Du kannst alles Öffentliche lesen. Sag nichts über das, was nur du weißt.
page-who-was-what = Wer war was
page-working = Es wird ausgerechnet, wer was hätte wissen können …
page-could-know = Wer was hätte wissen können
page-progress = Wird berechnet: { $done } von { $total }
page-whose = Wessen Wissen
page-about = über
page-by-facts = Was { $viewer } am Ende jeder Phase aus dem eigenen Blatt und den Neuigkeiten hätte wissen können
page-by-exact = Dasselbe, mit allem, was aus den Zahlen der Tabellen folgt
page-given-up = { $n ->
         [one] { $n } Frage dauerte zu lange oder war zu groß.
        *[other] { $n } Fragen dauerten zu lange oder waren zu groß.
    }
page-whole-story = Jeder Schritt des Spiels, mit allen Tabellen und Diagrammen
page-share = Die Geschichte als Seite, zum Speichern oder Teilen
page-master = Spielleitung
page-key = Schlüssel (das Terminal des Hosts zeigt ihn)
page-enter = Eintreten
page-sure = { $what }: sicher?
page-end-phase = Phase beenden
page-end-pass = Beenden, Fehlendes übergehen
page-end-random = Beenden, Fehlendes auslosen
page-undo = Letzte Abstimmung oder Phase zurücknehmen
page-undo-phase = Diese Phase zurücknehmen
page-pause = Pause
page-resume = Weiter
page-act-for = Für jemanden wählen
page-for-whom = Für wen
page-target = Ziel
page-vision = ansehen
page-attack = angreifen
page-link = verkuppeln
page-protect = beschützen
page-heal = retten
page-poison = vergiften
page-take = mitnehmen
page-vote-off = Abwählen
page-seats = Plätze
page-online = online
page-offline = Seite geschlossen
page-free = frei
page-free-seat = Den Platz von { $name } freigeben
page-remove = { $name } entfernen
page-is-away = { $name } ist weg
page-back = { $name } ist wieder da
page-show-secrets = Alle Geheimnisse zeigen
page-hide-secrets = Die Geheimnisse verbergen
page-choices = Entscheidungen
page-no-choices = Noch hat niemand gewählt.
page-no-votes = Noch hat niemand abgestimmt.
page-no-effect = ohne Wirkung
page-waiting-for = Noch nicht geantwortet: { $names }
page-last-steps = Die letzten Schritte

## What the host answers

game-has-begun = das Spiel hat schon begonnen
game-not-begun = das Spiel hat noch nicht begonnen
first-begins = { $player } war zuerst da und startet das Spiel
cannot-leave = das Spiel hat begonnen; sag der Spielleitung Bescheid, wenn du gehen musst
seat-taken = der Platz von { $player } ist besetzt; { $begun ->
         [yes] wenn es deiner ist, lass ihn von der Spielleitung freigeben
        *[no] nimm einen anderen Namen
    }
name-too-long = ein Name hat 1 bis { $n } Zeichen
table-is-full = der Tisch ist voll: höchstens { $n } können mitspielen
no-seat-here = dieses Gerät hat hier keinen Platz; { $master ->
         [yes] gib den Schlüssel der Spielleitung ein
        *[no] melde dich zuerst an
    }
seat-already = dieses Gerät hat schon den Platz von { $player }; lade die Seite neu
too-many-commands = zu viele Befehle; warte einen Moment
request-too-large = eine Anfrage darf höchstens { $n } Bytes groß sein
no-such-host = hier gibt es keinen Host „{ $host }“; nimm die Adresse, die der Host zeigt
too-many-codes = zu viele falsche Codes; warte eine Minute
wrong-code = das ist nicht der Code, den der Host zeigt
too-many-pages = zu viele Seiten sind offen; schließ einige
not-over = das Spiel ist noch nicht vorbei
another-game = dieses Spiel ist vorbei
as-usual = { $name ->
         [cards] keine
        *[other] wie üblich
    }
rules-in-short = { $rules ->
         [cisra] cisra: Wölfe mit Rängen, das Original
         [gekka] gekka: Tote behalten ihr Geheimnis
         [straat] straat: Leben gehen in Teilen verloren
        *[other] One Night: zehn Minuten, eine Abstimmung
    }
minutes = { $n ->
         [0] ohne Limit
        *[other] { $n } Min.
    }
report-not-ready = der Bericht ist noch nicht fertig; versuch es gleich noch einmal
not-saved = der Host konnte das nicht speichern ({ $reason }), darum wurde es nicht ausgeführt. Alles zuvor Bestätigte ist gespeichert. Schaff Platz auf der Festplatte des Hosts und versuch es noch einmal
about = Regeln: { $rules }{ $any ->
         [yes] , { $settings }
        *[no] { "" }
    }
setting = { WORD($name) }: { WORD($value) }

## The rules on one page

rules-title = Die Regeln von „{ $rules }“{ $deal ->
         [classical] , mit Karten
        *[quantum] { "" }
    }
looking-card = { $role ->
         [seer] eine Seherin{ $more ->
                 [yes] { " " }oder mehr
                *[no] { "" }
            }
        *[other] { WORD($role) }{ $more ->
                 [yes] { " " }(eine oder mehr)
                *[no] { " " }(eine Karte)
            }
    }
some-cards = { $n ->
         [1] { WORD($one) }
        *[other] { $n } { WORD($many) }
    }
rules-introduction = { $deal ->
         [quantum] Noch hat niemand eine Rolle. Jede Art, { $cards }, die Werwölfe und die Dorfbewohner zu verteilen, ist eine mögliche Welt. Du handelst, als hättest du jede Rolle. Im Lauf des Spiels fallen Welten weg.
        *[classical] Alle haben eine geheime Karte: { $cards }, Werwölfe und Dorfbewohner. Die Werwölfe kennen sich. Alle werden nach jeder Aktion gefragt; deine Antwort zählt nur, wenn deine Karte die Aktion erlaubt.
    }
talk-and-vote = diskutieren, dann jemanden abwählen{ $n ->
         [1] { "" }
        *[other] , bis zu { $n } Personen nacheinander
    }
and-later = { $phase } …
and-so-on = und so weiter
what-they-do = { $who ->
         [all] alle
         [possible] wer { $card } sein kann
        *[card] { $card }
    }: { $compulsory ->
         [yes] { "" }
        *[no] freiwillig{ " " }
    }{ $whom ->
         [two] zwei Personen
         [any] eine Person
         [dead] eine tote Person
        *[other] eine andere Person
    } { $action ->
         [vision] ansehen
         [attack] angreifen
         [link] verkuppeln
         [protect] beschützen
         [heal] retten
         [poison] vergiften
        *[other] wählen („{ $do }“)
    }
acts-of = { $role }: { $n ->
         [0] keine Aktion
        *[other] { $acts }
    }.
rule-declared = { $role }: Was die Karte tut, steht in der Datei, die sie festlegt.
rule-wolves = Werwölfe: meist { $n ->
         [0] 1 (2 ab 8 Personen, 3 ab 13, 4 ab 20)
        *[other] { $n }
    }, { $ranked ->
         [yes] mit den Rängen Alpha, Beta und so weiter
        *[no] alle vom gleichen Rang
    }.
rule-look = Wer jemanden ansieht, sieht { $shows ->
         [side] { WORD($good) } oder { WORD($evil) }; { $looker ->
                 [seer] die Seherin
                *[other] { WORD($looker) }
            } gilt als { WORD($good) }
         [kind] Dorfbewohner, { WORD($looker) } oder Werwolf
        *[role] die genaue Rolle
    }.
rule-look-drawn = Das Ergebnis wird unter den Welten ausgelost, in denen du { WORD($looker) } bist{ $alive ->
         [yes] { " " }und lebst
        *[no] { "" }
    }{ $nightfall ->
         [yes] , so wie sie bei Einbruch der Nacht waren
        *[no] { "" }
    }{ $alive ->
         [yes] ; gibt es keine, siehst du nichts
        *[no] { "" }
    }. Welten, in denen du nicht { WORD($looker) } bist, bleiben.
rule-attack = { $quantum ->
         [yes] Ein Angriff tötet in den Welten, in denen du der Leitwolf bist, also der ranghöchste lebende Werwolf; ist das Ziel dort ein Werwolf, fällt die Welt weg.
        *[no] Der Leitwolf ist der ranghöchste lebende Werwolf. Der Angriff eines anderen Werwolfs oder auf einen Werwolf bewirkt nichts.
    }
rule-attack-refused = Ein Angriff, der keine Welt übrig ließe, in der du der Leitwolf bist, wird abgelehnt; nur du erfährst es.
rule-bite = Ein Angriff kostet einen Bruchteil eines Lebens (eins geteilt durch die Zahl der { $intended ->
         [yes] lebenden Werwölfe
        *[no] Werwölfe
    }){ $quantum ->
         [yes] { " " }in den Welten, in denen du Werwolf bist und das Ziel nicht
        *[no] , außer wenn das Ziel ein Werwolf ist
    }. Ein neuer Angriff auf dieselbe Person ersetzt deinen alten; deine Angriffe { $intended ->
         [yes] verfallen
        *[no] bleiben
    }, wenn du stirbst.
rule-targets = Alle erfahren, wen jemand ansieht oder angreift.
rule-order = Nachts handeln alle { $order ->
         [random] in zufälliger Reihenfolge
        *[number] in der Reihenfolge ihrer Nummern
    }: Erst wird angesehen, dann angegriffen.
rule-announced = Bekannt gegeben: { $shows ->
         [death] der Tod, aber nicht die Rolle
         [side] { WORD($good) } oder { WORD($evil) }
         [kind] Dorfbewohner, { WORD($looker) } oder Werwolf
        *[role] die genaue Rolle
    }.
rule-voted-off = Jemand wird abgewählt.{ $role ->
         [drawn] { " " }Die Rolle wird ausgelost.
         [from-others] { " " }Welten, in denen diese Person schon tot war, fallen weg; die Rolle wird unter den anderen ausgelost.
         [from-all] { " " }Die Rolle wird unter allen Welten ausgelost, auch denen, in denen diese Person schon tot war.
        *[card] { "" }
    } { $told }
rule-news = { $whom ->
         [all] Alle erfahren
         [asked] Wer gefragt wird, erfährt
        *[concerned] Die Betroffenen erfahren
    }, wer { WORD($word) } ist.
rule-follows = Das geschieht { $moment ->
         [once] sofort
         [phase] am Ende jeder Phase
         [found] beim Auffinden der Toten
        *[morning] am Morgen
    }.
rule-seen-as = Wer diese Karte ansieht, sieht: { $card }.
rule-votes = Wer diese Karte in jeder Welt hat, hat { $n } Stimmen.
rule-found-dead = { $fractional ->
         [yes] Wer ein ganzes Leben verloren hat{ $quantum ->
                 [yes] { " " }(im Durchschnitt der Welten)
                *[no] { "" }
            }
        *[no] { $quantum ->
                 [yes] Wer in jeder Welt tot ist
                *[no] Wer getötet wurde
            }
    }, wird tot aufgefunden: { $order ->
         [lowest] die niedrigste Nummer zuerst; dann werden alle noch einmal geprüft
         [rounds] nacheinander in Sitzordnung, Runde um Runde
        *[together] alle auf einmal; dann werden alle noch einmal geprüft
    }.{ $quantum ->
         [yes] { " " }Die Rolle wird ausgelost.
        *[no] { "" }
    } { $told }
rule-told = { $told ->
         [role] Wenn für dich nur eine Rolle übrig ist, erfährst du, welche.
         [kind] Wenn sicher ist, dass du Dorfbewohner, { WORD($looker) } oder Werwolf bist, erfährst du es.
        *[probabilities] Zu Beginn jeder Phase erfährst du deine eigenen Chancen.
    }
rule-no-table = Es wird keine Tabelle gezeigt.
rule-table = Die Tabelle wird { $times ->
         [morning] jeden Morgen
         [nightfall] zu Beginn und jeden Abend
         [morning-nightfall] jeden Morgen sowie zu Beginn und jeden Abend
        *[nightfall-morning] zu Beginn und jeden Abend sowie jeden Morgen
    } gezeigt. Sie zeigt für { $anonymous ->
         [yes] jede Nummer
        *[no] jede Person
    }, in welchem Anteil der Welten dies gilt: { WORD($facts) }.
rule-own-number = Du erfährst nur deine eigene Nummer.
rule-certain-deaths = Die Tabelle zeigt Todesfälle erst, wenn sie sicher sind.
rule-number-of-worlds = Die Tabelle sagt, wie viele Welten übrig sind.
rule-good-wins = Das Dorf (Dorfbewohner und { WORD($looker) }) gewinnt, { $when ->
         [all-dead] wenn in jeder Welt alle Werwölfe tot sind
         [known-dead] wenn sicher ist, wer die Werwölfe sind, und dass alle tot sind
         [none-living] wenn in keiner Welt unter den Lebenden ein Werwolf ist
        *[cards] wenn alle Werwölfe tot sind
    }.
rule-evil-wins = Die Werwölfe gewinnen, { $when ->
         [parity] wenn sicher ist, wer die Werwölfe sind, und in jeder Welt mindestens die Hälfte der Lebenden Werwölfe sind
         [known-half] wenn mindestens die Hälfte der Lebenden sicher Werwölfe und sicher am Leben sind
         [all-wolves] wenn in jeder Welt alle Lebenden Werwölfe sind
         [cards-all] wenn alle Lebenden Werwölfe sind
        *[cards-half] wenn mindestens die Hälfte der Lebenden Werwölfe sind
    }.
rule-not-counted = Unter den Lebenden zählen hier nicht mit: { WORD($cards) }.
rule-collapse = { $when ->
         [annihilation] Hat niemand gewonnen, ist aber in jeder Welt eine Seite ausgestorben, so wird eine Welt ausgelost und entscheidet das Spiel.
        *[parity] Hat niemand gewonnen, sind aber in jeder Welt mindestens die Hälfte der Lebenden Werwölfe, so wird eine Welt ausgelost und entscheidet das Spiel.
    }
rule-draw = Lebt niemand mehr, endet das Spiel unentschieden.
rule-tested = Ob das Spiel vorbei ist, wird { $after ->
         [phase] nach jeder Phase
        *[vote] nur nach einer Abstimmung
    } geprüft{ $before ->
         [yes] , und nach einer Abstimmung, bevor jemand anders tot aufgefunden wird
        *[no] { "" }
    }.
rule-winning = Tot oder lebendig: Du gewinnst, wenn deine Seite gewinnt{ $quantum ->
         [yes] { " " }und sicher ist, dass du zu ihr gehörst
        *[no] { "" }
    }.

## One Night

place = { $n ->
         [0] { $player }
        *[other] Mitte { $n }
    }
card-of = { $n ->
         [0] { $own ->
                 [yes] { $told ->
                         [yes] die eigene Karte
                        *[no] deine eigene Karte
                    }
                *[no] die Karte von { $player }
            }
        *[other] Mittelkarte { $n }
    }
card-at = { $place } ({ WORD($card) })
night-dealt = Deine Karte beim Austeilen: { WORD($card) }.
night-knows = { $n ->
         [0] Niemand sonst ist { WORD($what) }
         [1] { $names } ist { WORD($what) }
        *[other] { LIST($names) } sind { $what ->
                 [wolf] Werwölfe
                *[other] { WORD($what) }
            }
    }.
night-move = { $own ->
         [yes] { $order ->
                 [nothing] Du tust nichts
                 [looks] Du siehst dir { LIST($looks) } an
                 [swaps] Du vertauschst { LIST($swapped) }
                 [swaps-looks] Du vertauschst { LIST($swapped) } und siehst dir { LIST($looks) } an
                *[other] Du siehst dir { LIST($looks) } an und vertauschst { LIST($swapped) }
            }
        *[no] { $actor } { $order ->
                 [nothing] tut nichts
                 [looks] sieht sich { LIST($looks) } an
                 [swaps] vertauscht { LIST($swapped) }
                 [swaps-looks] vertauscht { LIST($swapped) } und sieht sich { LIST($looks) } an
                *[other] sieht sich { LIST($looks) } an und vertauscht { LIST($swapped) }
            }
    }{ $named ->
             [yes] { " " }({ $name })
            *[no] { "" }
        }.
night-question = { $order ->
         [looks] Welche Karte siehst du dir an?
         [own] Gegen welche Karte tauschst du deine?
        *[other] Welche Karten vertauschst du?
    }
night-nothing = Mit deiner Karte hast du nichts zu wählen.
stage = { $stage ->
         [night] die Nacht
         [day] der Tag
        *[over] das Spiel ist vorbei
    }
night-settings = One Night mit { $n } Personen; Karten: { LIST(WORD($cards)) }; { $middle } in der Mitte.
night-too-many = Es gibt zu viele mögliche Nächte, um zu sagen, wie wahrscheinlich jede Karte ist.
night-result = Du bist jetzt { WORD($card) } und { $won ->
         [yes] gewinnst
        *[no] verlierst
    }.
night-winners = { $n ->
         [0] Niemand gewinnt.
        *[other] Gewonnen haben: { $names }.
    }
night-not-here = das gibt es in One Night nicht
night-vote-for-one = alle stimmen für genau eine Person
night-by-day = Redet über die Nacht, bevor ihr abstimmt.
night-hand-round = Die Nacht ist vorbei. Das Gerät geht noch einmal herum, damit alle lesen können, was sie gesehen haben.
night-story = Die Nacht
night-rules-title = Die Regeln von One Night
night-rules-introduction = Alle bekommen eine Karte, und { $middle } weitere liegen in der Mitte. Die Karten: { LIST(WORD($cards)) }. In der Nacht sehen sich alle, deren Karte etwas tut, Karten an oder vertauschen sie, in der Reihenfolge der Tabelle. Dabei zählt die Karte, die sie beim Austeilen bekamen, egal was inzwischen vor ihnen liegt. Am Tag reden alle und sagen, was sie wollen. Dann stimmen alle zugleich ab. Wer die meisten Stimmen hat, stirbt, wenn es mindestens zwei sind. Am Ende zählt die Karte, die dann vor dir liegt.
night-rules-village = Das Dorf gewinnt, wenn ein Werwolf stirbt, oder wenn niemand stirbt und niemand Werwolf ist.
night-rules-wolves = Die Werwölfe und ihre Freunde gewinnen, wenn jemand Werwolf ist und kein Werwolf stirbt.
night-rules-minion = Ist niemand Werwolf, gewinnt ein Günstling, wenn jemand anderes stirbt.

## The story of a game

phase-ends = Die Phase endet.
game-begins = Das Spiel beginnt.
episode = { $step }, { $phase }: { $told } [{ worlds }]
step-of-story = Schritt { $step }: { $told } [{ worlds }]
report-title = Quanten-Werwolf: { $rules }
still-running = Das Spiel ist nicht vorbei: Es ist { $phase }, noch übrig: { worlds }.
who-won = { $verdict ->
         [draw] Niemand hat gewonnen
         [wolves] Die Werwölfe haben gewonnen
         [village] Das Dorf hat gewonnen
         [lovers] Das Liebespaar hat gewonnen
         [fox] Der Fuchs hat gewonnen
        *[other] Gewonnen: { WORD($verdict) }
    }{ $forced ->
         [yes] { " " }(durch den erzwungenen Kollaps)
        *[no] { "" }
    }. { left-in-all }
plots = Diagramme
plot-of-the-table = Die Tabelle am Ende; dunkler ist wahrscheinlicher
plot-of-a-column = { WORD($fact) } im Lauf des Spiels; ein Kreuz ist ein Todesfall
what-changed = { $changed ->
         [yes] Was diese Phase änderte:
        *[no] Die Tabelle bleibt, wie sie war.
    }
table-made-public = Die Tabelle, die veröffentlicht wurde:
no-role = { $role ->
         [seer] keine Seherin
         [witch] keine Hexe
        *[other] kein { WORD($role) }
    }

## Die Geschichte nach dem Ende

tale-title = Die Geschichte eines Spiels nach „{ $rules }“
tale-deaths = Die Toten
tale-rise = { $phase }: { $told } Tot: { $before } → { $after }.
tale-course = { $bars } { $before } → { $after }
tale-counts = Das zählt nur in den Welten, in denen { $actor } { $card } ist: { $share } aller Welten.
tale-chances = Wie sich die Chancen entwickelten
tale-chances-note = Der Anteil der Welten, in denen es stimmt, am Anfang und am Ende jeder Phase: je höher der Balken, desto größer der Anteil.
tale-turns = Wendepunkte
tale-turn = { $phase }: { $told } Welten: { $before } → { $after }.
tale-knowledge = Wer was wann hätte wissen können
tale-reading = { $reading ->
         [facts] Für alle: nach welcher Phase sie aus dem eigenen Blatt und den Neuigkeiten zum ersten Mal sicher die eigene Karte, einen noch lebenden Werwolf und eine noch lebende Seherin kennen konnten.
        *[exact] Dasselbe mit allem, was aus den Zahlen der Tabellen folgt.
    }
tale-missing = { $n } von { $count } Fragen { $n ->
         [one] fehlt hier: Sie dauerte zu lange, war zu groß oder ist noch nicht beantwortet
        *[other] fehlen hier: Sie dauerten zu lange, waren zu groß oder sind noch nicht beantwortet
    }. Vielleicht konnte man es früher wissen.

## Words of the game

word-villager = Dorfbewohner
word-villagers = Dorfbewohner
word-seer = Seherin
word-seers = Seherinnen
word-wolf = Werwolf
word-wolves = Werwölfe
word-werewolf = Werwolf
word-werewolves = Werwölfe
word-human = Mensch
word-good = gut
word-evil = böse
word-dead = tot
word-alive = lebend
word-cupid = Amor
word-cupids = Amoren
word-hunter = Jäger
word-hunters = Jäger
word-bodyguard = Leibwächter
word-bodyguards = Leibwächter
word-witch = Hexe
word-witches = Hexen
word-fox = Fuchs
word-foxes = Füchse
word-drunk = Trunkenbold
word-drunks = Trunkenbolde
word-minion = Günstling
word-mason = Freimaurer
word-robber = Räuber
word-troublemaker = Unruhestifterin
word-insomniac = Schlaflose
word-alpha = Alpha
word-beta = Beta
word-gamma = Gamma
word-delta = Delta
word-epsilon = Epsilon
word-vision = Vision
word-attack = Angriff
word-take = Mitnehmen
word-link = Verkuppeln
word-protect = Beschützen
word-heal = Retten
word-poison = Vergiften
word-linked = verkuppelt
word-in-love = verliebt
word-attacked = angegriffen
word-lovers = das Liebespaar
word-village = das Dorf
word-draw = unentschieden
word-player = Name
word-number = Nr.
word-role = Rolle
word-died = gestorben
word-result = Ergebnis
word-won = gewonnen
word-lost = verloren
word-the-table = die Tabelle
word-quantum = Quanten
word-classical = klassisch
word-secret = geheim
word-public = öffentlich
word-targets = Ziele
word-deal = Spiel
word-ballot = Abstimmung
word-spoken = laut
word-open = offen
word-phase = Phase
word-what-you-do = was du tust
word-a-wolf = ein Werwolf
word-every-wolf = jeder Werwolf
word-the-leading-wolf = der Leitwolf
word-rule-of-cupid = Amor verkuppelt in der ersten Nacht zwei Personen: Stirbt eine, dann auch die andere. Sie gewinnen, wenn nur Verliebte übrig sind.
word-rule-of-hunter = Stirbt ein Jäger, nimmt er jemanden mit.
word-rule-of-bodyguard = Ein Leibwächter beschützt jeden Abend eine andere Person: Die Angriffe dieser Nacht töten sie nicht.
word-rule-of-witch = Im Morgengrauen darf eine Hexe einmal jemanden retten, der in der Nacht getötet wurde, und einmal jemand anderen vergiften.
word-rule-of-fox = Ein Fuchs steht auf niemandes Seite: Angriffe töten ihn nicht, der Blick der Seherin schon. Er gewinnt, wenn er am Ende noch lebt.
word-rule-of-drunk = Ein Trunkenbold hält sich für die Seherin und sieht das Gegenteil.
word-card = Karte
word-games = Spiele
word-rule_set = Regeln
word-cards = weitere Karten
word-suggested = wie empfohlen
word-night_seconds = Zeitlimit in der Nacht
word-day_seconds = Zeitlimit am Tag
word-chance = Chance
word-place = Platz
word-at-night = in der Nacht
word-dealt = ausgeteilt
word-at-the-end = am Ende
word-rule-of-night-wolf = Werwölfe sehen sich gegenseitig. Ein Werwolf, der allein ist, darf sich eine Karte in der Mitte ansehen.
word-rule-of-night-minion = Ein Günstling sieht, wer die Werwölfe sind, und gehört zu ihnen.
word-rule-of-night-mason = Freimaurer sehen sich gegenseitig.
word-rule-of-night-seer = Eine Seherin sieht sich die Karte einer anderen Person an, oder zwei Karten in der Mitte.
word-rule-of-night-robber = Ein Räuber darf seine Karte gegen die einer anderen Person tauschen und sieht sich die neue an.
word-rule-of-night-troublemaker = Eine Unruhestifterin darf die Karten von zwei anderen vertauschen, ohne sie anzusehen.
word-rule-of-night-drunk = Ein Trunkenbold tauscht seine Karte gegen eine in der Mitte, ohne sie anzusehen.
word-rule-of-night-insomniac = Eine Schlaflose sieht sich am Ende der Nacht ihre eigene Karte an.
word-rule-of-night-villager = Ein Dorfbewohner tut in der Nacht nichts.
word-and = und
