# Wat spelers lezen en horen, in het Nederlands.

## The language

language-name = Nederlands
language-plural = { $n ->
         [1] one
        *[other] other
    }
language-thousands = .
language-decimals = ,
language-percentage = { $number }%
language-list = { $items }, { $item }
language-list-end = { $items } en { $item }

## Building blocks

sequence = { $first } { $second }
clauses = { $first }; { $second }
labelled = { $label }: { $text }
list = { $items }
word = { WORD($word) }
changed = { $before } → { $after }
share = { WORD($fact) } { $share }
worlds = { $n ->
         [one] { $n } wereld
        *[other] { $n } werelden
    }
left = nog over: { worlds }
left-in-all = Nog over: { worlds }.
phase = { $kind ->
         [vote] dag { $n }
         [night] nacht { $n }
         [evening] nacht { $n }, avond
         [visions] nacht { $n }, visioenen
         [attacks] nacht { $n }, aanvallen
         [dawn] nacht { $n }, dageraad
        *[other] nacht { $n }, { $kind }
    }
game-is-over = het spel is afgelopen
game-over = Het spel is afgelopen.
over = Het spel is afgelopen
game-is-paused = het spel is gepauzeerd
cards = { $n } { $n ->
         [1] { WORD($one) }
        *[other] { WORD($many) }
    }
sample = een willekeurige steekproef van hoogstens { $most } van de { $worlds } werelden
sampled-at-first = { $sample } aan het begin
no-world-left = ?: er is geen wereld meer over
hidden-until-certain = ?: verborgen zolang het niet zeker is
bitten-perhaps = ?: misschien gebeten, maar dat iemand een deel van een leven kwijt is, staat in geen enkele wereld vast
settings = { $n } spelers met de regels ‘{ $rules }’: { $cards }; { $deal ->
         [classical] met kaarten
        *[quantum] kwantumspel
    }, doelwitten { $targets ->
         [public] openbaar
        *[secret] geheim
    }{ $some ->
         [yes] ; { $sample }
        *[no] { "" }
    }.
house-rules = Huisregels: { $rules }
players = Spelers: { $names }.

## What happens: actions

deed = { $action ->
         [vision] { $hidden ->
                 [yes] De ziener
                *[no] { $actor }
            } bekijkt { LIST($targets) }
         [attack] { $hidden ->
                 [yes] Een weerwolf
                *[no] { $actor }
            } valt { LIST($targets) } aan
         [link] { $hidden ->
                 [yes] Cupido
                *[no] { $actor }
            } koppelt { LIST($targets) }
         [protect] { $hidden ->
                 [yes] De lijfwacht
                *[no] { $actor }
            } beschermt { LIST($targets) }
         [heal] { $hidden ->
                 [yes] De heks
                *[no] { $actor }
            } redt { LIST($targets) }
         [poison] { $hidden ->
                 [yes] De heks
                *[no] { $actor }
            } vergiftigt { LIST($targets) }
         [take] { $hidden ->
                 [yes] Iemand
                *[no] { $actor }
            } neemt { LIST($targets) } mee in de dood
        *[other] { $hidden ->
                 [yes] Iemand
                *[no] { $actor }
            } kiest { LIST($targets) } (‘{ $does }’)
    }
acted = { deed }.
acted-in-full = { deed }{ $result ->
         [none] { $action ->
                 [vision] { " " }en ziet niets: er is geen wereld meer om te zien
                *[other] { "" }
            }
        *[other] { " " }en ziet: { WORD($result) }{ $drawn }
    }.
your-deed = { $action ->
         [vision] Je bekijkt { LIST($targets) }
         [attack] Je valt { LIST($targets) } aan
         [link] Je koppelt { LIST($targets) }
         [protect] Je beschermt { LIST($targets) }
         [heal] Je redt { LIST($targets) }
         [poison] Je vergiftigt { LIST($targets) }
         [take] Je neemt { LIST($targets) } mee in de dood
        *[other] Je kiest { LIST($targets) } (‘{ $do }’)
    }
acted-yourself = { your-deed }{ $result ->
         [none] { $action ->
                 [vision] { " " }en ziet niets
                *[other] { "" }
            }
        *[other] { " " }en ziet: { WORD($result) }
    }.
declined = { $action ->
         [vision] { $hidden ->
                 [yes] De ziener
                *[no] { $actor }
            } ziet af van het visioen
         [attack] { $hidden ->
                 [yes] Een weerwolf
                *[no] { $actor }
            } ziet af van de aanval
        *[other] { $hidden ->
                 [yes] Iemand
                *[no] { $actor }
            } ziet af van de actie ‘{ WORD($action) }’
    }.
declined-yourself = Je ziet af van { $action ->
         [vision] het visioen
         [attack] de aanval
        *[other] de actie ‘{ WORD($action) }’
    }.
drawn-of = { " " }(uit { worlds }: { $parts })
role-in-worlds = { WORD($role) } { $n }
refused = De aanval van { $actor } op { $target } is geweigerd.
refused-yourself = Je kunt { $target } niet aanvallen: in elke wereld waarin jij de leidende weerwolf bent, is { $target } ook een weerwolf.

## What happens: votes and deaths

lot-among = { LIST($tied) } staan gelijk; het lot beslist.
lot-decides = { LIST($tied) } hebben evenveel stemmen; het lot beslist.
was-role = { WORD($role) }
was-announced = { WORD($announced) }
voted-off-in-full = { $player } is weggestemd{ $role ->
         [none] ; de rol is onbekend
        *[other] { " " }en was { was-role }
    }{ $drawn }.
voted-off = { $player } is weggestemd{ $announced ->
         [none] { "" }
        *[other] { " " }en was { was-announced }
    }.
found-dead-in-full = { $player } { $role ->
         [none] is dood: er is geen wereld meer over
        *[other] is dood aangetroffen en was { was-role }{ $drawn }
    }.
found-dead = { $player } is dood aangetroffen{ $announced ->
         [none] { "" }
        *[other] { " " }en was { was-announced }
    }.
taken-along-in-full = { $actor } neemt { $player } mee in de dood; die was { $role ->
         [none] ?
        *[other] { was-role }
    }{ $drawn }.
taken-along = { $actor } neemt { $player } mee in de dood{ $announced ->
         [none] { "" }
        *[other] ; die was { was-announced }
    }.
is-spared = { $player } wordt gespaard: de stemming doodt niet.
nobody-voted-off = Niemand is weggestemd.
nobody-found-dead = Niemand is dood aangetroffen.

## What happens: words, and the end

told-in-full = { $speaker } vertelt { LIST($to) }, { $noticed ->
         [yes] terwijl de anderen het zien
        *[no] zonder dat de anderen het merken
    }: { $formula }.
said = { $speaker } { $believed ->
         [yes] zegt, en wordt geloofd
        *[no] beweert
    }: { $formula }.
told-whether = { $speaker } vertelt { LIST($to) } of dit klopt: { $formula }.
told-you = { $speaker } vertelt je: { $formula }.
told-role = { $player } krijgt te horen dat er maar één rol over is: { WORD($role) }.
told-your-role = Er is voor jou nog maar één rol over: { WORD($role) }.
collapsed-in-full = Er kan niets meer veranderen; er wordt één wereld geloot: { WORD($roles) }.
collapsed = Er kan niets meer veranderen; er wordt één wereld geloot.
left-out = { $hidden ->
         [yes] { WORD($action) }
        *[no] { $player } ({ WORD($action) })
    }
passed-over = Overgeslagen: { $who }.
end-of = Einde van { $phase }.
as-of-the-end = Stand na { $phase }.
game-ended = { $verdict ->
         [draw] Het spel eindigt onbeslist
         [wolves] De weerwolven winnen
         [village] Het dorp wint
         [lovers] De geliefden winnen
         [fox] De vos wint
        *[other] Winst voor: { WORD($verdict) }
    }{ $forced ->
         [yes] , door de gedwongen ineenstorting
        *[no] { "" }
    }{ $any ->
         [yes] ; winnaars: { $winners }
        *[no] { "" }
    }.
died = { $how ->
         [voted_off] weggestemd
         [found_dead] dood aangetroffen
        *[taken_along] meegenomen
    }, { $phase }

## What a player is told

your-number = Je nummer is { $number }.
your-role = Je rol is { WORD($role) }.
with-rank = { $ranked ->
         [yes] { $player } ({ WORD($role) })
        *[no] { $player }
    }
other-wolves = { $n ->
         [0] Je bent de enige weerwolf.
        *[other] De andere weerwolven: { $others }.
    }
has-role = { $player } is { WORD($role) }
you-are-told = Je hoort: { $who }.
shown = Wie { WORD($word) } is: { $n ->
         [0] niemand
        *[other] { LIST($names) }
    }.
chances-at-first = Je kansen aan het begin: { $chances }.
your-chances = Je kansen: { $chances }.
asked-for = Je krijgt de vraag wie je { $action ->
         [vision] bekijkt
         [attack] aanvalt
         [link] koppelt
         [protect] beschermt
         [heal] redt
         [poison] vergiftigt
         [take] meeneemt
        *[other] kiest (‘{ WORD($action) }’)
    }.
not-asked = Je krijgt niet de vraag wie je { $action ->
         [vision] bekijkt
         [attack] aanvalt
         [link] koppelt
         [protect] beschermt
         [heal] redt
         [poison] vergiftigt
         [take] meeneemt
        *[other] kiest (‘{ WORD($action) }’)
    }.
you-are-passed-over = Je bent overgeslagen: je had nog { $action ->
         [vision] een visioen
         [attack] een aanval
        *[other] een beurt ‘{ WORD($action) }’
    }.
acted-by-then = Toen waren al aan de beurt geweest: { $who }.
in-fractions = Als breuken: { $shares }.
in-fraction = { $share } is { $values }
now = Nu: { $phase }. In leven: { $n ->
         [0] niemand
        *[other] { $names }
    }.
handout-mark = (kripke-werewolf handout { $version } nl)
what-is-known = Wat { $n ->
         [0] iedereen
        *[other] { $player }
    } weet
who-is-alive = In leven: { $n ->
         [0] niemand
        *[other] { $names }
    }.
who-is-dead = Dood: { $names }.

## Why something is refused

being = { $card ->
         [dominant] de leidende weerwolf
         [wolf] een weerwolf
         [witch] de heks
         [cupid] Cupido
        *[other] de { WORD($card) }
    }
being-such = iemand voor wie { $schema } waar is
cannot-do = { $actor } kan { LIST($targets) } niet { $action ->
         [vision] bekijken
         [attack] aanvallen
         [link] koppelen
         [protect] beschermen
         [heal] redden
         [poison] vergiftigen
         [take] meenemen
        *[other] kiezen (‘{ $do }’)
    }: { $reason }
needs-two = noem twee verschillende spelers
needs-one = noem één speler
no-world-to-see = { $actor } ziet niets: er is geen wereld meer waarin { $actor } { $card } is{ $alive ->
         [yes] { " " }en leeft
        *[no] { "" }
    }
is-compulsory = { $action ->
         [vision] het visioen
         [attack] de aanval
        *[other] ‘{ WORD($action) }’
    } is verplicht volgens de regels ‘{ $rules }’
cannot-decline = { $actor } kan niet afzien van { $action ->
         [vision] het visioen
         [attack] de aanval
        *[other] ‘{ WORD($action) }’
    }: { $reason }
attack-is-allowed = de aanval mag
nothing-to-refuse = een aanval van { $actor } op { $target } kan niet worden geweigerd: { $reason }
no-vote-in = er is geen stemming in { $phase }
no-vote-end = er is geen stemming in { $phase }; met ‘{ typed-end } { typed-pass }’ sluit je de fase af
cannot-be-voted-off = { $player } kan niet worden weggestemd: { $reason }
nobody-is-named = er is niemand genoemd bij de stemming; wordt niemand weggestemd, sluit dan de fase af
cannot-be-tied = { $tied }: geen gelijke stand mogelijk; noem twee of meer levende spelers, elk één keer
not-one-of-the-tied = { $player } is niet een van de spelers die gelijk staan: { $tied }
cannot-take-along = { $actor } kan { $player } niet meenemen: { $reason }
cannot-speak = { $speaker } kan niet spreken: { $reason }
cannot-tell = { $speaker } kan dat { $to } niet vertellen: noem anderen, elk één keer
first-names-somebody = wie dood is, wijst eerst iemand aan om mee te nemen: { LIST($dead) }
is-dead = { $player } is dood
is-alive = { $player } leeft nog
no-such-action = er zijn geen { $action ->
         [vision] visioenen
         [attack] aanvallen
        *[other] beurten ‘{ WORD($action) }’
    } in { $first ->
         [yes] de eerste nacht
        *[no] { $phase }
    }
next-ones-are = de volgende zijn er in { $phase }
nobody-dead-yet = er is nog niemand officieel dood
in-no-world = { $player } is in geen enkele overgebleven wereld { $card }
already-used = { $player } heeft { $action ->
         [vision] het visioen
         [attack] de aanval
        *[other] ‘{ WORD($action) }’
    } van { $phase } al gebruikt of laten schieten
vision-comes-first = eerst komt het visioen van { $player }, dan de aanval
turn-of = { $player } is aan de beurt
is-wolf-where = { $target } is een weerwolf in elke overgebleven wereld waarin { $actor } { $card } is
not-on-oneself = de regels ‘{ $rules }’ staan { $action ->
         [vision] geen visioen over jezelf
         [attack] geen aanval op jezelf
        *[other] geen ‘{ WORD($action) }’ bij jezelf
    } toe

## Votes

votes-for = { $anybody ->
         [yes] { $player }
        *[no] niemand
    } { $n }
vote-of = { $voter } op { $anybody ->
         [yes] { $player }
        *[no] niemand
    }
tally = Stemmen: { $n ->
         [0] geen
        *[other] { $counts }
    }{ $opened ->
         [yes] { " " }({ $by })
        *[no] { "" }
    }.
votes-again = { LIST($tied) } hebben evenveel stemmen; het dorp stemt opnieuw.
nobody-can-vote = niemand kan stemmen: het spel is afgelopen
votes-aloud = hier stemt het dorp hardop, niet via een toestel
dead-have-no-vote = { $voter } is dood en heeft geen stem
only-the-tied = gelijke stand: er kan alleen op { $names } gestemd worden
are-tied = { LIST($names) } staan gelijk{ $ties ->
         [village] { " " }en het dorp beslist: noem een van hen
        *[nobody] : niemand wordt weggestemd; ‘{ typed-end }’ sluit de dag af
    }

## Answers to commands

this-is-over = te laat: { $over ->
         [yes] het spel is afgelopen
        *[no] het is nu { $phase }
    }; er is niets veranderd
for-the-master = dat is voor de spelleider
only-for-oneself = { $player } kan alleen voor zichzelf kiezen
only-the-master-decides = alleen de spelleider bepaalt wat een visioen laat zien
pausing = { $paused ->
         [yes] gepauzeerd
        *[no] het spel gaat verder
    }
noted = genoteerd
noted-choice = genoteerd: { $actor } heeft gekozen
noted-vote = genoteerd: { $voter } heeft gestemd
is-away = { $player } is { $away ->
         [yes] weg
        *[no] terug
    }
action-refused = { $action ->
         [vision] het visioen van { $actor }
         [attack] de aanval van { $actor }
        *[other] ‘{ WORD($action) }’ van { $actor }
    } kan niet: { $reason }
choice-is-final = { $actor } heeft al gekozen en kan dat niet meer veranderen
same-is-true = { $reason }; hetzelfde geldt voor { $others }
over-already = de fase kan niet eindigen: het spel is afgelopen
cannot-end-yet = de fase kan nog niet eindigen: { $reason }
phase-cannot-end = { $phase } kan nog niet eindigen: { $hidden ->
         [yes] iemand heeft nog niet gekozen
        *[no] { $n ->
                 [one] er ontbreekt { $n } keuze
                *[other] er ontbreken { $n } keuzes
            }
    }; met ‘{ typed-end } { typed-pass }’ ga je zonder die keuzes verder
not-together = { $reason }; samen met de andere keuzes kan dat niet
all-taken-back = alle keuzes zijn teruggenomen; het is { $phase }
last-taken-back = de laatste keuze is teruggenomen
nothing-to-undo = er is niets om terug te nemen: het spel is net begonnen
phase-taken-back = teruggenomen; het is { $phase }
at-least-one = { steps } terugnemen gaat niet; geef een getal van minstens 1
steps = { $n ->
         [one] { $n } stap
        *[other] { $n } stappen
    }
not-so-many-steps = { steps } terugnemen gaat niet: het spel heeft { $steps ->
         [one] { $steps } stap
        *[other] { $steps } stappen
    }
not-so-many-moments = { $count } stemmingen en fasen terugnemen kan niet; { $n ->
         [0] er zijn er geen
        *[other] 1 tot { $n } kan wel
    }
steps-taken-back = teruggenomen: { $nights ->
         [yes] { steps }
        *[no] de laatste stemmingen en fasen
    }; het is { $phase }

## Questions at night

whom = Wie { $action ->
         [vision] bekijk je
         [attack] val je aan
         [link] koppel je
         [protect] bescherm je
         [heal] red je
         [poison] vergiftig je
         [take] neem je mee
        *[other] kies je (‘{ $do }’)
    }?
nobody-to = Er is niemand die je { $asked ->
         [yes] zou kunnen
        *[no] kunt
    } { $action ->
         [vision] bekijken
         [attack] aanvallen
         [link] koppelen
         [protect] beschermen
         [heal] redden
         [poison] vergiftigen
         [take] meenemen
        *[other] kiezen (‘{ $do }’)
    }.
together = { LIST($names) }

## What an action does, and what has changed

explained = { $deal ->
         [quantum] In de werelden waarin jij { $card } bent,
        *[classical] Ben jij { $card }, dan
    } { $kind ->
         [look] hoor je een van deze woorden over je doelwit: { $results }.
         [bite] verliest je doelwit een deel van een leven, tenzij je doelwit daar een weerwolf is.
         [kill] sterft je doelwit{ $unless ->
                 [yes] , tenzij die speler beschermd is
                *[no] { "" }
            }.
         [save] overleeft je doelwit wat die speler deze nacht zou hebben gedood.
         [ward] sterft je doelwit{ $tonight ->
                 [yes] { " " }deze nacht
                *[no] { "" }
            } niet door een aanval.
         [join] horen je twee doelwitten bij elkaar: waar de een dood is, is de ander het ook.
        *[other] gaat je keuze in.
    } { $deal ->
         [quantum] { $also ->
                 [look] Van die werelden blijven alleen die waarin dat klopt;
                 [misled] Van die werelden blijven alleen die waarin dat klopt, en van die waarin jij { $misled } bent alleen die waarin het niet klopt;
                 [wolf] Van die werelden vervallen die waarin je doelwit een weerwolf is;
                 [some] Van die werelden vervallen die waarin dat niet kan;
                *[none] Iedereen maakt zo’n keuze, voor het geval dat die telt;
            } in alle andere werelden gebeurt er niets.
        *[classical] { $also ->
                 [wolf] Is je doelwit een weerwolf, of ben je iemand anders, dan gebeurt er niets.
                *[none] Ben je iemand anders, dan gebeurt er niets.
            }
    }
explained-take = { $deal ->
         [quantum] Wie jij noemt, sterft met jou in elke wereld.
        *[classical] Wie jij noemt, sterft met jou.
    } Iedereen ziet wie je meeneemt.
page-what-it-does = Wat dit doet
changed-for-you = { $any ->
         [yes] Wat { $night } voor jou heeft veranderd: { $parts }.
        *[no] Voor zover jij weet, heeft { $night } voor jou niets veranderd.
    }
if-you-are = ben jij { $card }, dan is { $player } { $role ->
         [wolf] een weerwolf
         [villager] een dorpeling
         [seer] de ziener
        *[other] { WORD($role) }
    }
no-longer-you = je kunt dit niet meer zijn: { $cards }
your-chances-moved = je kansen: { $moved }
since-the-table = { $parts } (sinds de tabel van { $since })
chance-moved = { WORD($fact) } van { $old } naar { $new }
hint = Afgaand op wat je gehoord hebt (zonder de getallen in de tabellen) { $kind ->
         [look] weet je het minst over
         [vote] is de kans op een weerwolf het grootst bij
         [ward] is de kans op een weerwolf het kleinst en bescherming dus misschien zinvol bij
         [save] is de kans op een weerwolf het kleinst en redden dus misschien zinvol bij
        *[other] zijn de kans op een weerwolf en dus je verlies het kleinst bij
    }: { $names }.
no-hint = { $hard ->
         [yes] Dit is te veel om hier uit te rekenen.
        *[no] Afgezien van de getallen in de tabellen pleit niets van wat je gehoord hebt meer voor de ene naam dan voor de andere.
    }
page-what-could-i-do = Wat kan ik doen?
asked = { $answer } (gelezen als { $read }{ $more ->
         [yes] ; de tabellen kunnen meer zeggen
        *[no] { "" }
    })
page-ask = Vraag wat je kunt weten (in het Engels)
page-ask-it = Vraag

## Robots and watchers

robots-play = { $n ->
         [0] Er speelt geen robot mee.
         [one] Oefenspel: het programma speelt voor { $names }.
        *[other] Oefenspel: het programma speelt voor { LIST($names) }.
    }
number-of-robots = { $n } robots kunnen niet meespelen; geef een getal van 0 tot { $most }
watched = { $n ->
         [one] { $n } persoon kijkt mee en ziet alles.
        *[other] { $n } mensen kijken mee en zien alles.
    }
promise-first = wie alles wil zien, belooft eerst niets tegen de spelers te zeggen
too-many-watch = er kunnen hoogstens { $n } mensen meekijken
no-watcher-here = dit toestel kijkt niet mee; typ de code
watchers-do-not-play = dit toestel kijkt mee, en kan dus niet meespelen
players-do-not-watch = dit toestel heeft een plaats in het spel, en kan dus niet meekijken
page-robots = Robots die meespelen, om te oefenen: { $n }
page-more-robots = Eén robot meer
page-fewer-robots = Eén robot minder
page-robot-plays = Een robot speelt voor { $name }
page-robot-stops = Geen robot meer voor { $name }
page-watch = Meekijken
page-watch-code = Code voor meekijkers
page-promise = Ik beloof voor het einde niets tegen de spelers te zeggen.
page-watchers = Wie mag meekijken
page-watch-all = Alles, voor wie belooft te zwijgen: { $link }
page-watch-nobody = niemand
page-new-link = Nieuwe link; wie nu meekijkt, moet eruit
page-no-link = Niemand toelaten

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
typed-vote = stem
typed-end = klaar
typed-undo = terug
typed-again = opnieuw
typed-away = weg
typed-back = aanwezig
typed-table = tabel
typed-status = stand
typed-help = hulp
typed-quit = stop
typed-later = later
typed-nobody = niemand
typed-hint = tip
typed-pass = zonder
typed-random = loten

## The console: where the game stands

no-table-yet = er is nog geen tabel bekendgemaakt
where-it-stands = { $phase }{ $secret ->
         [yes] , { steps } gedaan
        *[no] { "" }
    }
alive = in leven: { $names }
nobody-alive = in leven: niemand
dead = dood: { $names }
away = weg: { $names }
voted = gestemd: { $votes }
choices-noted = genoteerd: { $choices }
choice = { $actor } ({ $any ->
         [yes] { WORD($action) }: { $target }{ $forced ->
                 [yes] { " " }als { WORD($result) }
                *[no] { "" }
            }
        *[no] geen { WORD($action) }
    })
to-vote = moeten nog stemmen: { $names }
village-votes = het dorp stemt
due = { $player } ({ LIST(WORD($actions)) })
to-act = nog te doen: { $due }
nothing-to-do = niemand hoeft iets te doen: met ‘{ typed-end }’ ga je verder

## The console: the game master's screen

tell = zeg tegen { $player }: { $text }
tell-all = zeg tegen iedereen: { $text }
master-prompt = { $over ->
         [yes] afgelopen
        *[no] { $phase }
    }>
prompt = { $phase }>

## The console: one device for everybody

whose-turn = { $player }, { $phase }
leave = Druk op Enter; het scherm wordt leeggemaakt.
leave-anew = Noem iemand anders en druk op Enter; het scherm wordt leeggemaakt.
over-press-enter = Het spel is afgelopen. Druk op Enter.
it-is = Het is { $phase }. In leven: { $names }.
who-is-voted-off = Wie wordt weggestemd?{ $ties ->
         [lot] { " " }Meerdere namen betekenen een gelijke stand; schrijf
        *[other] { " " }Schrijf
    } ‘{ typed-end }’ als het niemand is.
not-all-have-voted = Nog niet iedereen heeft gestemd. Enter: vraag het opnieuw; ‘{ typed-end }’ telt de stemmen die er zijn.
votes-so-far = Stemmen tot nu toe: { $votes }.
vote-was-tied = Het was een gelijke stand; er kan alleen op { $names } gestemd worden.
vote-for-whom = { $opened ->
         [yes] { $player }, op wie
        *[no] Op wie
    } stem je?
it-is-noted = Het is genoteerd.
not-for-this-screen = Dat is geheim en niet voor dit scherm; spelers kiezen als ze het toestel hebben.
gets-no-device = { $player } is dood of wordt door een robot gespeeld, en krijgt het toestel niet.
everybody-votes = Hier stemt iedereen zelf, zodra daarom gevraagd wordt.
ends-after-the-round = { $phase } eindigt als het toestel rond is geweest.
your-card = { $player }, dit is je kaart.
not-all-have-chosen = Nog niet iedereen heeft gekozen. Enter: het toestel gaat nog een keer rond; met ‘{ typed-end } { typed-pass }’ ga je
    zonder hen verder, met ‘{ typed-end } { typed-random }’ worden de ontbrekende keuzes geloot.
hand-to = Geef het toestel aan { $player }. { $player }: druk op Enter.
you-chose = Je antwoord: { $anybody ->
         [yes] { $target }
        *[no] niemand
    }. Met Enter blijft het zo.
as-if-there-were = { $why } Antwoord toch alsof het kon: je antwoord telt niet, maar niemand ziet dat.
somebody-all-the-same = Noem toch iemand.
may-decline = { $question } (‘{ typed-nobody }’ om ervan af te zien)
answers = Schrijf een naam; { $decline ->
         [yes] ‘{ typed-nobody }’ om ervan af te zien,{ " " }
        *[no] { "" }
    }‘{ typed-later }’ om te antwoorden als het toestel weer langskomt; ‘{ typed-hint }’, ‘{ typed-table }’, ‘{ typed-status }’.
questions-too = Ook een vraag in het Engels, die op ‘?’ eindigt, wordt beantwoord; de tabtoets vult hem aan.
for-everybodys-screen = ‘{ typed }’ is voor het scherm dat iedereen ziet; kies eerst, of schrijf ‘{ typed-later }’.
night-is-over = { $player }, de nacht is voorbij.
refusal = Geweigerd: { $reason }

## The console: its commands

help = { $command ->
         [vision] laat een speler een ander bekijken
         [attack] laat een speler een ander aanvallen
         [do] een andere actie van een kaart, zoals protect (beschermen)
         [decline] noteer dat een speler van een actie afziet
         [vote] stem een speler weg; meerdere namen: gelijke stand
         [ballot] een speler stemt op een ander of op niemand (open en geheime stemming)
         [end] sluit de fase af: niemand wordt weggestemd; wie mag afzien, ziet af
         [undo] neem de laatste keuze of stap terug, meer stappen of de fase
         [again] geef een speler het toestel opnieuw, om een keuze te zien en te veranderen
         [away] een speler is weggegaan
         [back] een speler is terug
         [table] de openbare tabel{ $secret ->
                 [yes] { " " }of die van de spelleider
                *[no] { "" }
            }
         [status] hoe het spel ervoor staat
         [numbers] wie welk nummer heeft
         [help] deze lijst
        *[quit] stop; alles is bewaard
    }
word-of-the-game = niemand kan hier ‘{ $name }’ heten: dat is een woord van het spel; neem een andere naam
impossible-name = deze naam kan hier niet: er zit een onzichtbaar teken of een regeleinde in, of iemand heet al bijna zo; neem een andere
only-in-case = de namen ‘{ $one }’ en ‘{ $other }’ lijken te veel op elkaar; neem een andere naam
not-understood = ‘{ $text }’ is niet te begrijpen { $after ->
         [yes] na ‘{ $command }’
        *[no] aan het eind
    }; schrijf: { $usage }
may-be = ‘{ $text }’ is niet eenduidig: { $names }; { $exactly ->
         [yes] schrijf het precies
        *[no] schrijf meer letters
    }
who = wie? Schrijf: { $usage }
unknown-name = { $kind ->
         [player] onbekende speler
         [command] onbekende opdracht
        *[other] onbekend
    } ‘{ $name }’{ $n ->
         [0] { " " }(bekend: { $known })
        *[other] ; bedoel je { $near }?
    }

## Pages on phones and the shared screen

page-title = Kwantumweerwolven
page-needs-script = Deze pagina heeft JavaScript nodig.
page-choose-language = Taal
page-comma = { ", " }
page-space = { " " }
page-cut-off = Geen verbinding met de host. Opnieuw proberen … Er is niets verloren; controleer de wifi.
page-sound = Geluid
page-vibration = Trillen
page-awake = Scherm aan laten
page-sending = Versturen …
page-no-answer = Geen antwoord van de host. Probeer het opnieuw.
page-private = Houd deze telefoon voor jezelf: hij laat zien wat alleen jij mag weten.
page-join = Meedoen
page-code = Code van de avond
page-your-name = Je naam
page-join-next = Je naam, voor het volgende spel
page-which-seat = Wie ben je?
page-lobby = Voor het spel
page-here = { $n ->
         [one] { $n } speler is er
        *[other] { $n } spelers zijn er
    }
page-begin = Iedereen is er: begin
page-first-begins = { $name } begint het spel als iedereen er is.
page-leave = Weggaan
page-again = Nog een spel, zelfde plaatsen
page-again-draw = Nog een spel, nieuwe plaatsen
page-score = De avond tot nu toe
page-waits = Er is een spel bezig. Je doet mee aan het volgende.
page-choose-rules = Het volgende spel
page-code-is = Code: { $code }
page-no-code = De terminal van de host toont de code.
page-rules = Regels
page-no-news = Nog geen nieuws.
page-older-news = Eerder nieuws
page-news = Nieuws
page-table = De tabel
page-no-table = Er is nog geen tabel getoond.
page-people = Spelers
page-alive = in leven
page-dead = dood
page-away = weg
page-nobody = Niemand
page-nothing-asked = Er wordt nu niets van je gevraagd.
page-counts = Kies een naam en bevestig. Je kunt je keuze veranderen tot iedereen heeft geantwoord.
page-counts-two = Kies twee namen en bevestig. Je kunt je keuze veranderen tot iedereen heeft geantwoord.
page-as-if = Antwoord toch alsof het kon; je antwoord doet niets.
page-refused = Je hebt gehoord dat je { $names } niet kunt aanvallen. Kies opnieuw.
page-decline = Niemand
page-confirm = Bevestigen
page-change = Veranderen
page-answer = Je antwoord: { $name }
page-own-sheet = Je eigen blad
page-only-you = Alleen voor jouw ogen.
page-card = Je kaart: { $card }
page-number = Je nummer: { $number }
page-deck = Kaarten en kansen
page-chances = Je kansen
page-vote = Stem
page-spoken = Stem hardop. De spelleider schrijft de uitslag op.
page-second-vote = Gelijke stand. Stem opnieuw: { $names }.
page-voted-for = { $voter }: { $name }
page-have-voted = Al gestemd: { $names }
page-waiting-votes = { $n ->
         [one] Er ontbreekt nog { $n } stem
        *[other] Er ontbreken nog { $n } stemmen
    }
page-waiting-choices = { $n ->
         [one] { $n } speler heeft nog niet geantwoord
        *[other] { $n } spelers hebben nog niet geantwoord
    }
page-paused = Het spel is gepauzeerd
page-you-are-dead = Je bent dood.
page-dead-rules = Je kunt alles lezen wat openbaar is. Zeg niets over wat alleen jij weet.
page-who-was-what = Wie was wat
page-working = Uitrekenen wie wat had kunnen weten …
page-could-know = Wie wat had kunnen weten
page-progress = Bezig met rekenen: { $done } van { $total }
page-whose = Wiens kennis
page-about = over
page-by-facts = Wat { $viewer } aan het eind van elke fase had kunnen weten uit het eigen blad en het nieuws
page-by-exact = Hetzelfde, met alles wat uit de getallen van de tabellen volgt
page-given-up = { $n ->
         [one] { $n } vraag duurde te lang of was te groot.
        *[other] { $n } vragen duurden te lang of waren te groot.
    }
page-whole-story = Elke stap van het spel, met alle tabellen en grafieken
page-share = Het verhaal als pagina, om te bewaren of te delen
page-master = Spelleider
page-key = Sleutel (de terminal van de host toont hem)
page-enter = Naar binnen
page-sure = { $what }: zeker weten?
page-end-phase = Fase afsluiten
page-end-pass = Afsluiten zonder de ontbrekende keuzes
page-end-random = Afsluiten en de ontbrekende keuzes loten
page-undo = Laatste stemming of fase terugnemen
page-undo-phase = Deze fase terugnemen
page-pause = Pauze
page-resume = Verder
page-act-for = Namens iemand kiezen
page-for-whom = Namens wie
page-target = Doelwit
page-vision = bekijken
page-attack = aanvallen
page-link = koppelen
page-protect = beschermen
page-heal = redden
page-poison = vergiftigen
page-take = meenemen
page-vote-off = Wegstemmen
page-seats = Plaatsen
page-online = online
page-offline = pagina gesloten
page-free = vrij
page-free-seat = De plaats van { $name } vrijmaken
page-remove = { $name } verwijderen
page-is-away = { $name } is weg
page-back = { $name } is terug
page-show-secrets = Alle geheimen tonen
page-hide-secrets = De geheimen verbergen
page-choices = Keuzes
page-no-choices = Er heeft nog niemand gekozen.
page-no-votes = Er heeft nog niemand gestemd.
page-no-effect = doet niets
page-waiting-for = Nog niet geantwoord: { $names }
page-last-steps = De laatste stappen

## What the host answers

game-has-begun = het spel is al begonnen
game-not-begun = het spel is nog niet begonnen
first-begins = { $player } was er het eerst en begint het spel
cannot-leave = het spel is begonnen; zeg het tegen de spelleider als je weg moet
seat-taken = de plaats van { $player } is bezet; { $begun ->
         [yes] is het jouw plaats, laat de spelleider die dan vrijmaken
        *[no] neem een andere naam
    }
name-too-long = een naam heeft 1 tot { $n } tekens
table-is-full = de tafel is vol: hoogstens { $n } kunnen meedoen
no-seat-here = dit toestel heeft hier geen plaats; { $master ->
         [yes] typ de sleutel van de spelleider
        *[no] doe eerst mee
    }
seat-already = dit toestel heeft al de plaats van { $player }; laad de pagina opnieuw
too-many-commands = te veel opdrachten; wacht even
request-too-large = een verzoek mag hoogstens { $n } bytes groot zijn
no-such-host = hier is geen host ‘{ $host }’; gebruik het adres dat de host toont
too-many-codes = te veel verkeerde codes; wacht een minuut
wrong-code = dit is niet de code die de host toont
too-many-pages = er staan te veel pagina’s open; sluit er een paar
not-over = het spel is nog niet afgelopen
another-game = dat spel is afgelopen
as-usual = { $name ->
         [cards] geen
        *[other] standaard
    }
rules-in-short = { $rules ->
         [cisra] cisra: wolven met rangen, het origineel
         [gekka] gekka: de doden houden hun geheim
         [straat] straat: levens gaan in delen verloren
        *[other] One Night: tien minuten, één stemming
    }
minutes = { $n ->
         [0] geen limiet
        *[other] { $n } min
    }
report-not-ready = het verslag is nog niet klaar; probeer het zo weer
not-saved = de host kon dit niet bewaren ({ $reason }), dus is het niet gebeurd. Alles wat eerder bevestigd was, is bewaard. Maak ruimte op de schijf van de host en probeer het opnieuw
about = Regels: { $rules }{ $any ->
         [yes] , { $settings }
        *[no] { "" }
    }
setting = { WORD($name) }: { WORD($value) }

## The rules on one page

rules-title = De regels van ‘{ $rules }’{ $deal ->
         [classical] , met kaarten
        *[quantum] { "" }
    }
looking-card = één { WORD($role) }{ $more ->
         [yes] { " " }of meer
        *[no] { "" }
    }
some-cards = { $n ->
         [1] { WORD($one) }
        *[other] { $n } { WORD($many) }
    }
rules-introduction = { $deal ->
         [quantum] Nog niemand heeft een rol. Elke manier om { $cards }, de weerwolven en de dorpelingen te verdelen is een mogelijke wereld. Je handelt alsof je elke rol hebt. In de loop van het spel vallen er werelden af.
        *[classical] Iedereen heeft een geheime kaart: { $cards }, weerwolven en dorpelingen. De weerwolven kennen elkaar. Iedereen krijgt elke vraag; je antwoord telt alleen als je kaart de actie toestaat.
    }
talk-and-vote = overleg, en stem dan iemand weg{ $n ->
         [1] { "" }
        *[other] , hoogstens { $n } spelers na elkaar
    }
and-later = { $phase } …
and-so-on = enzovoort
what-they-do = { $who ->
         [all] iedereen
         [possible] wie { $card } kan zijn
        *[card] { $card }
    }: { $compulsory ->
         [yes] { "" }
        *[no] vrijwillig{ " " }
    }{ $whom ->
         [two] twee spelers
         [any] een speler
         [dead] een dode
        *[other] een andere speler
    } { $action ->
         [vision] bekijken
         [attack] aanvallen
         [link] koppelen
         [protect] beschermen
         [heal] redden
         [poison] vergiftigen
        *[other] kiezen (‘{ $do }’)
    }
acts-of = { $role }: { $n ->
         [0] geen actie
        *[other] { $acts }
    }.
rule-declared = { $role }: wat de kaart doet, staat in het bestand waarin hij is vastgelegd.
rule-wolves = Weerwolven: meestal { $n ->
         [0] 1 (2 vanaf 8 spelers, 3 vanaf 13, 4 vanaf 20)
        *[other] { $n }
    }, { $ranked ->
         [yes] met de rangen alfa, bèta enzovoort
        *[no] allemaal van gelijke rang
    }.
rule-look = Wie iemand bekijkt, ziet { $shows ->
         [side] { WORD($good) } of { WORD($evil) }; de { WORD($looker) } is { WORD($good) }
         [kind] een dorpeling, de { WORD($looker) } of een weerwolf
        *[role] de precieze rol
    }.
rule-look-drawn = Het resultaat wordt geloot uit de werelden waarin jij de { WORD($looker) } bent{ $alive ->
         [yes] { " " }en leeft
        *[no] { "" }
    }{ $nightfall ->
         [yes] , zoals ze bij het vallen van de nacht waren
        *[no] { "" }
    }{ $alive ->
         [yes] ; zijn die er niet, dan zie je niets
        *[no] { "" }
    }. Werelden waarin je niet de { WORD($looker) } bent, blijven.
rule-attack = { $quantum ->
         [yes] Een aanval doodt in de werelden waarin jij de leidende weerwolf bent, de levende weerwolf met de hoogste rang; is het doelwit daar een weerwolf, dan vervalt die wereld.
        *[no] De leidende weerwolf is de levende weerwolf met de hoogste rang. Een aanval door een andere weerwolf, of op een weerwolf, doet niets.
    }
rule-attack-refused = Een aanval die geen wereld overlaat waarin jij de leidende weerwolf bent, wordt geweigerd; alleen jij hoort dat.
rule-bite = Een aanval kost een deel van een leven (één gedeeld door het aantal { $intended ->
         [yes] levende weerwolven
        *[no] weerwolven
    }) { $quantum ->
         [yes] in de werelden waarin jij een weerwolf bent en het doelwit niet
        *[no] tenzij het doelwit een weerwolf is
    }. Een nieuwe aanval op dezelfde speler vervangt je oude; je aanvallen { $intended ->
         [yes] vervallen
        *[no] blijven
    } als je sterft.
rule-targets = Iedereen hoort wie een speler bekijkt of aanvalt.
rule-order = ’s Nachts handelen de spelers { $order ->
         [random] in willekeurige volgorde
        *[number] in de volgorde van hun nummers
    }: ieder kijkt eerst en valt dan aan.
rule-announced = Bekendgemaakt: { $shows ->
         [death] de dood, maar niet de rol
         [side] { WORD($good) } of { WORD($evil) }
         [kind] dorpeling, { WORD($looker) } of weerwolf
        *[role] de precieze rol
    }.
rule-voted-off = Een speler wordt weggestemd.{ $role ->
         [drawn] { " " }De rol wordt geloot.
         [from-others] { " " }Werelden waarin die speler al dood was, vervallen; de rol wordt uit de andere geloot.
         [from-all] { " " }De rol wordt uit alle werelden geloot, ook die waarin de speler al dood was.
        *[card] { "" }
    } { $told }
rule-news = { $whom ->
         [all] Iedereen hoort
         [asked] Wie een vraag krijgt, hoort
        *[concerned] Wie het aangaat, hoort
    } wie { WORD($word) } is.
rule-follows = Dat gebeurt { $moment ->
         [once] meteen
         [phase] aan het eind van elke fase
         [found] als de doden gevonden worden
        *[morning] in de ochtend
    }.
rule-seen-as = Wie deze kaart bekijkt, ziet: { $card }.
rule-votes = Wie deze kaart in elke wereld heeft, heeft { $n } stemmen.
rule-found-dead = { $fractional ->
         [yes] Wie een heel leven kwijt is{ $quantum ->
                 [yes] { " " }(gemiddeld over de werelden)
                *[no] { "" }
            }
        *[no] { $quantum ->
                 [yes] Wie in elke wereld dood is
                *[no] Wie gedood is
            }
    }, wordt dood aangetroffen: { $order ->
         [lowest] het laagste nummer eerst; daarna wordt iedereen opnieuw gecontroleerd
         [rounds] een voor een in zitvolgorde, ronde na ronde
        *[together] allemaal tegelijk; daarna wordt iedereen opnieuw gecontroleerd
    }.{ $quantum ->
         [yes] { " " }De rol wordt geloot.
        *[no] { "" }
    } { $told }
rule-told = { $told ->
         [role] Als er voor jou nog maar één rol over is, hoor je welke.
         [kind] Als zeker is dat je een dorpeling, de { WORD($looker) } of een weerwolf bent, hoor je dat.
        *[probabilities] Aan het begin van elke fase hoor je je eigen kansen.
    }
rule-no-table = Er wordt geen tabel getoond.
rule-table = De tabel wordt { $times ->
         [morning] elke ochtend
         [nightfall] aan het begin en elke avond
         [morning-nightfall] elke ochtend, en aan het begin en elke avond
        *[nightfall-morning] aan het begin en elke avond, en elke ochtend
    } getoond. Hij laat voor { $anonymous ->
         [yes] elk nummer
        *[no] elke speler
    } zien in welk deel van de werelden dit geldt: { WORD($facts) }.
rule-own-number = Je hoort alleen je eigen nummer.
rule-certain-deaths = De tabel toont sterfgevallen pas als ze zeker zijn.
rule-number-of-worlds = De tabel zegt hoeveel werelden er over zijn.
rule-good-wins = Het dorp (dorpelingen en { WORD($looker) }) wint { $when ->
         [all-dead] als in elke wereld alle weerwolven dood zijn
         [known-dead] als zeker is wie de weerwolven zijn en dat ze allemaal dood zijn
         [none-living] als in geen enkele wereld een levende speler een weerwolf is
        *[cards] als alle weerwolven dood zijn
    }.
rule-evil-wins = De weerwolven winnen { $when ->
         [parity] als zeker is wie de weerwolven zijn, en in elke wereld minstens de helft van de levenden weerwolf is
         [known-half] als minstens de helft van de levenden zeker weerwolf en zeker in leven is
         [all-wolves] als elke levende speler in elke wereld een weerwolf is
         [cards-all] als elke levende speler een weerwolf is
        *[cards-half] als minstens de helft van de levenden weerwolf is
    }.
rule-not-counted = Bij de levenden tellen hier niet mee: { WORD($cards) }.
rule-collapse = { $when ->
         [annihilation] Heeft niemand gewonnen, maar is in elke wereld één kamp uitgestorven, dan wordt er één wereld geloot die het spel beslist.
        *[parity] Heeft niemand gewonnen, maar is in elke wereld minstens de helft van de levenden weerwolf, dan wordt er één wereld geloot die het spel beslist.
    }
rule-draw = Is er niemand meer in leven, dan eindigt het spel onbeslist.
rule-tested = Of het spel afgelopen is, wordt { $after ->
         [phase] na elke fase
        *[vote] alleen na een stemming
    } gecontroleerd{ $before ->
         [yes] , en na een stemming voordat iemand anders dood wordt aangetroffen
        *[no] { "" }
    }.
rule-winning = Dood of levend: je wint als jouw kamp wint{ $quantum ->
         [yes] { " " }en het zeker is dat je erbij hoort
        *[no] { "" }
    }.

## One Night

place = { $n ->
         [0] { $player }
        *[other] midden { $n }
    }
card-of = { $n ->
         [0] { $own ->
                 [yes] { $told ->
                         [yes] de eigen kaart
                        *[no] je eigen kaart
                    }
                *[no] de kaart van { $player }
            }
        *[other] middenkaart { $n }
    }
card-at = { $place } ({ WORD($card) })
night-dealt = Je kaart bij het delen: { WORD($card) }.
night-knows = { $n ->
         [0] Geen andere speler is { WORD($what) }
         [1] { $names } is { WORD($what) }
        *[other] { LIST($names) } zijn { WORD($what) }
    }.
night-move = { $own ->
         [yes] { $order ->
                 [nothing] Je doet niets
                 [looks] Je bekijkt { LIST($looks) }
                 [swaps] Je verwisselt { LIST($swapped) }
                 [swaps-looks] Je verwisselt { LIST($swapped) } en bekijkt { LIST($looks) }
                *[other] Je bekijkt { LIST($looks) } en verwisselt { LIST($swapped) }
            }
        *[no] { $actor } { $order ->
                 [nothing] doet niets
                 [looks] bekijkt { LIST($looks) }
                 [swaps] verwisselt { LIST($swapped) }
                 [swaps-looks] verwisselt { LIST($swapped) } en bekijkt { LIST($looks) }
                *[other] bekijkt { LIST($looks) } en verwisselt { LIST($swapped) }
            }
    }{ $named ->
             [yes] { " " }({ $name })
            *[no] { "" }
        }.
night-question = { $order ->
         [looks] Welke kaart bekijk je?
         [own] Tegen welke kaart ruil je die van jou?
        *[other] Welke kaarten verwissel je?
    }
night-nothing = Met jouw kaart valt er niets te kiezen.
stage = { $stage ->
         [night] de nacht
         [day] de dag
        *[over] het spel is afgelopen
    }
night-settings = One Night met { $n } spelers; kaarten: { LIST(WORD($cards)) }; { $middle } in het midden.
night-too-many = Er zijn te veel mogelijke nachten om te zeggen hoe waarschijnlijk elke kaart is.
night-result = Je bent nu { WORD($card) } en { $won ->
         [yes] wint
        *[no] verliest
    }.
night-winners = { $n ->
         [0] Niemand wint.
        *[other] Winnaars: { $names }.
    }
night-not-here = dat kan niet in One Night
night-vote-for-one = iedereen stemt op één speler
night-by-day = Praat over de nacht voordat je stemt.
night-hand-round = De nacht is voorbij. Het toestel gaat nog een keer rond, zodat alle spelers kunnen lezen wat ze hebben gezien.
night-story = De nacht
night-rules-title = De regels van One Night
night-rules-introduction = Iedereen krijgt een kaart, en er liggen er nog { $middle } in het midden. De kaarten: { LIST(WORD($cards)) }. ’s Nachts bekijken of verwisselen spelers kaarten als hun kaart dat zegt, in de volgorde van de tabel. Daarbij telt de kaart die je bij het delen kreeg, ook als er intussen een andere voor je ligt. Overdag wordt er gepraat, en iedereen mag zeggen wat hij of zij wil. Dan stemt iedereen tegelijk. Wie de meeste stemmen heeft, gaat dood, als dat er minstens twee zijn. Aan het eind telt de kaart die dan voor je ligt.
night-rules-village = Het dorp wint als er een weerwolf doodgaat, of als niemand doodgaat en niemand een weerwolf is.
night-rules-wolves = De weerwolven en hun vrienden winnen als iemand een weerwolf is en er geen weerwolf doodgaat.
night-rules-minion = Als niemand een weerwolf is, wint een handlanger als een andere speler doodgaat.

## The story of a game

phase-ends = De fase eindigt.
game-begins = Het spel begint.
episode = { $step }, { $phase }: { $told } [{ worlds }]
step-of-story = Stap { $step }: { $told } [{ worlds }]
report-title = Kwantumweerwolven: { $rules }
still-running = Het spel is niet afgelopen: het is { $phase }, met { worlds } over.
who-won = { $verdict ->
         [draw] Niemand heeft gewonnen
         [wolves] De weerwolven hebben gewonnen
         [village] Het dorp heeft gewonnen
         [lovers] De geliefden hebben gewonnen
         [fox] De vos heeft gewonnen
        *[other] Gewonnen: { WORD($verdict) }
    }{ $forced ->
         [yes] { " " }door de gedwongen ineenstorting
        *[no] { "" }
    }. { left-in-all }
plots = Grafieken
plot-of-the-table = De tabel aan het eind; donkerder is waarschijnlijker
plot-of-a-column = { WORD($fact) } in de loop van het spel; een kruis is een sterfgeval
what-changed = { $changed ->
         [yes] Wat deze fase veranderde:
        *[no] De tabel blijft zoals hij was.
    }
table-made-public = De tabel die bekendgemaakt werd:
no-role = geen { WORD($role) }

## Het verhaal na afloop

tale-title = Het verhaal van een spel met de regels ‘{ $rules }’
tale-deaths = De doden
tale-rise = { $phase }: { $told } Dood: { $before } → { $after }.
tale-course = { $bars } { $before } → { $after }
tale-counts = Dit telt alleen in de werelden waarin { $actor } { $card } is: { $share } van alle werelden.
tale-chances = Hoe de kansen verliepen
tale-chances-note = Het deel van de werelden waarin het klopt, aan het begin en aan het eind van elke fase: hoe hoger het balkje, hoe groter dat deel.
tale-turns = Keerpunten
tale-turn = { $phase }: { $told } Werelden: { $before } → { $after }.
tale-knowledge = Wie wat had kunnen weten, en wanneer
tale-reading = { $reading ->
         [facts] Voor elke speler: na welke fase die voor het eerst zeker kon zijn van de eigen kaart, van een weerwolf die nog leefde en van een ziener die nog leefde, op grond van het eigen blad en het nieuws.
        *[exact] Hetzelfde, met alles wat uit de getallen in de tabellen volgt.
    }
tale-missing = { $n } van de { $count } vragen { $n ->
         [one] is weggelaten: die duurde te lang, was te groot of is nog niet beantwoord
        *[other] zijn weggelaten: ze duurden te lang, waren te groot of zijn nog niet beantwoord
    }. Misschien kon iemand het al eerder weten.

## Words of the game

word-villager = dorpeling
word-villagers = dorpelingen
word-seer = ziener
word-seers = zieners
word-wolf = weerwolf
word-wolves = weerwolven
word-werewolf = weerwolf
word-werewolves = weerwolven
word-human = mens
word-good = goed
word-evil = slecht
word-dead = dood
word-alive = levend
word-cupid = Cupido
word-cupids = Cupido’s
word-hunter = jager
word-hunters = jagers
word-bodyguard = lijfwacht
word-bodyguards = lijfwachten
word-witch = heks
word-witches = heksen
word-fox = vos
word-foxes = vossen
word-drunk = dronkaard
word-drunks = dronkaards
word-minion = handlanger
word-mason = vrijmetselaar
word-robber = dief
word-troublemaker = onruststoker
word-insomniac = slapeloze
word-alpha = alfa
word-beta = bèta
word-gamma = gamma
word-delta = delta
word-epsilon = epsilon
word-vision = visioen
word-attack = aanval
word-take = meenemen
word-link = koppelen
word-protect = beschermen
word-heal = redden
word-poison = vergiftigen
word-linked = gekoppeld
word-in-love = verliefd
word-attacked = aangevallen
word-lovers = de geliefden
word-village = het dorp
word-draw = onbeslist
word-player = speler
word-number = nr.
word-role = rol
word-died = gestorven
word-result = uitslag
word-won = gewonnen
word-lost = verloren
word-the-table = de tabel
word-quantum = kwantum
word-classical = klassiek
word-secret = geheim
word-public = openbaar
word-targets = doelwitten
word-deal = spel
word-ballot = stemming
word-spoken = hardop
word-open = open
word-phase = fase
word-what-you-do = wat je doet
word-a-wolf = een weerwolf
word-every-wolf = elke weerwolf
word-the-leading-wolf = de leidende weerwolf
word-rule-of-cupid = Cupido koppelt de eerste nacht twee spelers: sterft de een, dan ook de ander. Ze winnen als alleen geliefden over zijn.
word-rule-of-hunter = Een jager die sterft, neemt een andere speler mee in de dood.
word-rule-of-bodyguard = Een lijfwacht beschermt elke avond een andere speler: die speler sterft die nacht niet door een aanval.
word-rule-of-witch = Bij dageraad mag een heks één keer iemand redden die in de nacht gedood is, en één keer een ander vergiftigen.
word-rule-of-fox = Een vos hoort bij niemand: aanvallen doden hem niet, een blik van de ziener wel. Hij wint als hij aan het eind nog leeft.
word-rule-of-drunk = Een dronkaard denkt de ziener te zijn en ziet het omgekeerde.
word-card = kaart
word-games = spellen
word-rule_set = regels
word-cards = extra kaarten
word-suggested = aanbevolen
word-night_seconds = tijdslimiet ’s nachts
word-day_seconds = tijdslimiet overdag
word-chance = kans
word-place = plaats
word-at-night = ’s nachts
word-dealt = gekregen
word-at-the-end = aan het eind
word-rule-of-night-wolf = Weerwolven zien elkaar. Een weerwolf die alleen is, mag een kaart in het midden bekijken.
word-rule-of-night-minion = Een handlanger ziet wie de weerwolven zijn, en hoort bij hen.
word-rule-of-night-mason = Vrijmetselaars zien elkaar.
word-rule-of-night-seer = Een ziener bekijkt de kaart van een andere speler, of twee kaarten in het midden.
word-rule-of-night-robber = Een dief mag de eigen kaart ruilen met die van een andere speler, en bekijkt de nieuwe.
word-rule-of-night-troublemaker = Een onruststoker mag de kaarten van twee andere spelers verwisselen, zonder te kijken.
word-rule-of-night-drunk = Een dronkaard ruilt de eigen kaart met een kaart in het midden, zonder te kijken.
word-rule-of-night-insomniac = Een slapeloze bekijkt aan het eind van de nacht de eigen kaart.
word-rule-of-night-villager = Een dorpeling doet ’s nachts niets.
word-and = en
