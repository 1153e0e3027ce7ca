# What players read and hear, in English: the source of all other catalogues.
# Names of messages and of variables stay as they are in every language.

## The language

language-name = English
language-plural = { $n ->
         [1] one
        *[other] other
    }
language-thousands = ,
language-decimals = .
language-percentage = { $number }%
language-list = { $items }, { $item }
language-list-end = { $items } and { $item }

## Building blocks

sequence = { $first } { $second }
clauses = { $first }; { $second }
labelled = { $label }: { $text }
list = { $items }
word = { WORD($word) }
changed = { $before } → { $after }
share = { WORD($fact) } { $share }
worlds = { $n ->
         [one] { $n } world
        *[other] { $n } worlds
    }
left = left: { worlds }
left-in-all = Left: { worlds }.
phase = { $kind ->
         [vote] day { $n }
         [night] night { $n }
         [evening] night { $n }, evening
         [visions] night { $n }, visions
         [attacks] night { $n }, attacks
         [dawn] night { $n }, dawn
        *[other] night { $n }, { WORD($kind) }
    }
game-is-over = the game is over
game-over = The game is over.
over = The game is over
game-is-paused = the game is paused
cards = { $n } { $n ->
         [1] { WORD($one) }
        *[other] { WORD($many) }
    }
sample = a random sample of at most { $most } of { $worlds } worlds
sampled-at-first = { $sample } at the start
no-world-left = ?: no world is left
hidden-until-certain = ?: hidden until it is certain
bitten-perhaps = ?: perhaps bitten, but losing part of a life is not a fact in any world
settings = { $n } players under the rules '{ $rules }': { $cards }; { WORD($deal) } deal, { WORD($targets) } targets{ $some ->
         [yes] , { $sample }
        *[no] { "" }
    }.
house-rules = House rules: { $rules }
players = Players: { $names }.

## What happens: actions

deed = { $action ->
         [vision] { $hidden ->
                 [yes] The seer
                *[no] { $actor }
            } looks at { LIST($targets) }
         [attack] { $hidden ->
                 [yes] A wolf
                *[no] { $actor }
            } attacks { LIST($targets) }
        *[other] { $hidden ->
                 [yes] Somebody
                *[no] { $actor }
            } { $does } { LIST($targets) }
    }
acted = { deed }.
acted-in-full = { deed }{ $result ->
         [none] { $action ->
                 [vision] { " " }and sees nothing: no world is left to see
                *[other] { "" }
            }
        *[other] { " " }and sees { WORD($result) }{ $drawn }
    }.
your-deed = { $action ->
         [vision] You look at { LIST($targets) }
         [attack] You attack { LIST($targets) }
        *[other] You { $do } { LIST($targets) }
    }
acted-yourself = { your-deed }{ $result ->
         [none] { $action ->
                 [vision] { " " }and see nothing
                *[other] { "" }
            }
        *[other] { " " }and see: { WORD($result) }
    }.
declined = { $action ->
         [vision] { $hidden ->
                 [yes] The seer
                *[no] { $actor }
            } declines the vision
         [attack] { $hidden ->
                 [yes] A wolf
                *[no] { $actor }
            } declines the attack
        *[other] { $hidden ->
                 [yes] Somebody
                *[no] { $actor }
            } chooses not to { $action }
    }.
declined-yourself = You { $action ->
         [vision] decline the vision
         [attack] decline the attack
        *[other] choose not to { $action }
    }.
drawn-of = { " " }(of { worlds }: { $parts })
role-in-worlds = { WORD($role) } { $n }
refused = { $actor } is refused an attack on { $target }.
refused-yourself = You cannot attack { $target }, who is a wolf in every world where you are the leading wolf.

## What happens: votes and deaths

lot-among = { LIST($tied) } are tied; the lot decides.
lot-decides = The vote is tied between { LIST($tied) }; the lot decides.
was-role = { $role ->
         [good] { WORD($role) }
         [evil] { WORD($role) }
         [human] { WORD($role) }
         [alpha] { WORD($role) }
         [beta] { WORD($role) }
         [gamma] { WORD($role) }
         [delta] { WORD($role) }
         [epsilon] { WORD($role) }
         [zeta] { WORD($role) }
         [eta] { WORD($role) }
         [theta] { WORD($role) }
        *[other] a { WORD($role) }
    }
was-announced = { $announced ->
         [good] { WORD($announced) }
         [evil] { WORD($announced) }
         [human] { WORD($announced) }
         [alpha] { WORD($announced) }
         [beta] { WORD($announced) }
         [gamma] { WORD($announced) }
         [delta] { WORD($announced) }
         [epsilon] { WORD($announced) }
         [zeta] { WORD($announced) }
         [eta] { WORD($announced) }
         [theta] { WORD($announced) }
        *[other] a { WORD($announced) }
    }
voted-off-in-full = { $player } is voted off{ $role ->
         [none] ; their role is unknown
        *[other] { " " }and was { was-role }
    }{ $drawn }.
voted-off = { $player } is voted off{ $announced ->
         [none] { "" }
        *[other] { " " }and was { was-announced }
    }.
found-dead-in-full = { $player } { $role ->
         [none] is dead: no world is left
        *[other] is found dead and was { was-role }{ $drawn }
    }.
found-dead = { $player } is found dead{ $announced ->
         [none] { "" }
        *[other] { " " }and was { was-announced }
    }.
taken-along-in-full = { $actor } takes along { $player }, who was { $role ->
         [none] ?
        *[other] { was-role }
    }{ $drawn }.
taken-along = { $actor } takes along { $player }{ $announced ->
         [none] { "" }
        *[other] , who was { was-announced }
    }.
is-spared = { $player } is spared: the vote does not kill.
nobody-voted-off = Nobody is voted off.
nobody-found-dead = Nobody is found dead.

## What happens: words, and the end

told-in-full = { $speaker } tells { LIST($to) }, { $noticed ->
         [yes] while the others see it
        *[no] unnoticed by the others
    }: { $formula }.
said = { $speaker } { $believed ->
         [yes] says, and is believed
        *[no] claims
    }: { $formula }.
told-whether = { $speaker } tells { LIST($to) } whether { $formula }.
told-you = { $speaker } tells you: { $formula }.
told-role = { $player } is told that only one role is left: { WORD($role) }.
told-your-role = Only one role is left for you: { WORD($role) }.
collapsed-in-full = Nothing can change any more; one world is drawn: { WORD($roles) }.
collapsed = Nothing can change any more; one world is drawn.
left-out = { $hidden ->
         [yes] { WORD($action) }
        *[no] { $player } ({ WORD($action) })
    }
passed-over = Passed over: { $who }.
end-of = End of { $phase }.
as-of-the-end = As of the end of { $phase }.
game-ended = { $verdict ->
         [draw] The game is a draw
        *[other] The { WORD($verdict) } { $several ->
                 [yes] win
                *[no] wins
            }
    }{ $forced ->
         [yes] , by the forced collapse
        *[no] { "" }
    }{ $any ->
         [yes] ; winners: { $winners }
        *[no] { "" }
    }.
died = { $how ->
         [voted_off] voted off
         [found_dead] found dead
        *[taken_along] taken along
    }, { $phase }

## What a player is told

your-number = Your number is { $number }.
your-role = Your role is { WORD($role) }.
with-rank = { $ranked ->
         [yes] { $player } ({ WORD($role) })
        *[no] { $player }
    }
other-wolves = { $n ->
         [0] You are the only wolf.
        *[other] The other wolves: { $others }.
    }
has-role = { $player } is { was-role }
you-are-told = You are told: { $who }.
shown = Who is { WORD($word) }: { $n ->
         [0] nobody
        *[other] { LIST($names) }
    }.
chances-at-first = Your chances at the start: { $chances }.
your-chances = Your chances: { $chances }.
asked-for = You are asked for { $action ->
         [vision] a vision
         [attack] an attack
         [take] a turn to take somebody along
        *[other] a turn to { $action }
    }.
not-asked = You are not asked for { $action ->
         [vision] a vision
         [attack] an attack
         [take] a turn to take somebody along
        *[other] a turn to { $action }
    }.
you-are-passed-over = You are passed over: you had { $action ->
         [vision] a vision
         [attack] an attack
         [take] a turn to take somebody along
        *[other] a turn to { $action }
    }.
acted-by-then = Had acted by then: { $who }.
in-fractions = In fractions: { $shares }.
in-fraction = { $share } is { $values }
now = Now: { $phase }. Alive: { $n ->
         [0] nobody
        *[other] { $names }
    }.
handout-mark = (kripke-werewolf handout { $version } en)
what-is-known = What { $n ->
         [0] everybody
        *[other] { $player }
    } knows
who-is-alive = Alive: { $n ->
         [0] nobody
        *[other] { $names }
    }.
who-is-dead = Dead: { $names }.

## Why something is refused

being = { $card ->
         [dominant] the leading wolf
         [wolf] a wolf
        *[other] the { WORD($card) }
    }
being-such = somebody of whom { $schema } is true
cannot-do = { $actor } cannot { $action ->
         [vision] look at
         [attack] attack
        *[other] { $do }
    } { LIST($targets) }: { $reason }
needs-two = name two different players
needs-one = name one player
no-world-to-see = { $actor } sees nothing: no world is left in which { $actor } is { $card }{ $alive ->
         [yes] { " " }and alive
        *[no] { "" }
    }
is-compulsory = { $action ->
         [vision] the vision
         [attack] the attack
        *[other] '{ WORD($action) }'
    } is compulsory under the rules '{ $rules }'
cannot-decline = { $actor } cannot decline { $action ->
         [vision] the vision
         [attack] the attack
        *[other] '{ WORD($action) }'
    }: { $reason }
attack-is-allowed = the attack is allowed
nothing-to-refuse = an attack by { $actor } on { $target } cannot be refused: { $reason }
no-vote-in = there is no vote in { $phase }
no-vote-end = there is no vote in { $phase }; 'end pass' ends it
cannot-be-voted-off = { $player } cannot be voted off: { $reason }
nobody-is-named = nobody is named in the vote; if nobody is voted off, end the phase
cannot-be-tied = { $tied } cannot be tied: give two or more living players, each once
not-one-of-the-tied = { $player } is not one of the tied: { $tied }
cannot-take-along = { $actor } cannot take { $player } along: { $reason }
cannot-speak = { $speaker } cannot speak: { $reason }
cannot-tell = { $speaker } cannot tell { $to }: name others, each once
first-names-somebody = { LIST($dead) } must first name somebody to take along
is-dead = { $player } is dead
is-alive = { $player } is alive
no-such-action = there are no { $action ->
         [vision] visions
         [attack] attacks
         [take] turns of the dead
        *[other] turns to { $action }
    } { $first ->
         [yes] on the first night
        *[no] in { $phase }
    }
nobody-dead-yet = nobody is officially dead yet
in-no-world = { $player } is not { $card } in any remaining world
next-ones-are = the next are in { $phase }
already-used = { $player } has already used or declined { $action ->
         [vision] the vision
         [attack] the attack
        *[other] '{ WORD($action) }'
    } of { $phase }
vision-comes-first = the vision of { $player } comes before the attack
turn-of = it is { $player }'s turn
is-wolf-where = { $target } is a wolf in every remaining world in which { $actor } is { $card }
not-on-oneself = the rules '{ $rules }' allow no { $action ->
         [vision] vision
         [attack] attack
        *[other] '{ WORD($action) }'
    } on oneself

## Votes

votes-for = { $anybody ->
         [yes] { $player }
        *[no] nobody
    } { $n }
vote-of = { $voter } for { $anybody ->
         [yes] { $player }
        *[no] nobody
    }
tally = Votes: { $n ->
         [0] none
        *[other] { $counts }
    }{ $opened ->
         [yes] { " " }({ $by })
        *[no] { "" }
    }.
votes-again = The vote is tied between { LIST($tied) }; the village votes again.
nobody-can-vote = nobody can vote: the game is over
votes-aloud = the village votes aloud here; nobody votes on a device
dead-have-no-vote = { $voter } is dead and has no vote
only-the-tied = the vote is tied: only { $names } can be voted for
are-tied = { LIST($names) } are tied{ $ties ->
         [village] , and the village decides: name one of them
        *[nobody] : nobody is voted off; 'end' ends the day
    }

## Answers to commands

this-is-over = too late: { $over ->
         [yes] the game is over
        *[no] it is { $phase } now
    }; nothing was changed
for-the-master = that is for the game master
only-for-oneself = { $player } can choose only for themselves
only-the-master-decides = only the game master decides what a vision shows
pausing = { $paused ->
         [yes] paused
        *[no] the game goes on
    }
noted = noted
noted-choice = noted: { $actor } has chosen
noted-vote = noted: { $voter } has voted
is-away = { $player } is { $away ->
         [yes] away
        *[no] back
    }
action-refused = { $action ->
         [vision] the vision
         [attack] the attack
        *[other] '{ WORD($action) }'
    } of { $actor } is refused: { $reason }
choice-is-final = { $actor } has already chosen, and cannot change that now
same-is-true = { $reason }; the same is true of { $others }
over-already = the phase cannot end: the game is over
cannot-end-yet = the phase cannot end: { $reason }
phase-cannot-end = { $phase } cannot end: { $hidden ->
         [yes] somebody has not chosen yet
        *[no] { $n ->
                 [one] { $n } choice is missing
                *[other] { $n } choices are missing
            }
    }; 'end pass' continues without them
not-together = { $reason }; it is not possible together with the other choices
all-taken-back = all choices are taken back; it is { $phase }
last-taken-back = the last choice is taken back
nothing-to-undo = there is nothing to undo: the game has just begun
phase-taken-back = taken back; it is { $phase }
at-least-one = cannot take back { steps }; give a number of at least 1
steps = { $n ->
         [one] { $n } step
        *[other] { $n } steps
    }
not-so-many-steps = cannot take back { steps }: the game has { $steps ->
         [one] { $steps } step
        *[other] { $steps } steps
    }
not-so-many-moments = cannot take back { $count } votes and phases; { $n ->
         [0] there are none
        *[other] 1 to { $n } can be
    }
steps-taken-back = taken back: { $nights ->
         [yes] { steps }
        *[no] the last votes and phases
    }; it is { $phase }

## Questions at night

whom = Whom do you { $action ->
         [vision] look at
         [attack] attack
        *[other] { $do }
    }?
nobody-to = There is nobody { $asked ->
         [yes] you could
        *[no] for you to
    } { $action ->
         [vision] look at
         [attack] attack
        *[other] { $do }
    }.
together = { LIST($names) }

## What an action does, and what has changed

explained = { $deal ->
         [quantum] In the worlds where you are { $card },
        *[classical] If you are { $card },
    } { $kind ->
         [look] you will be told one of these words about your target: { $results }.
         [bite] your target loses part of a life, unless they are a wolf there.
         [kill] your target dies{ $unless ->
                 [yes] , unless something protects them
                *[no] { "" }
            }.
         [save] your target is saved from what would have killed them this night.
         [ward] attacks do not kill your target{ $tonight ->
                 [yes] { " " }tonight
                *[no] { "" }
            }.
         [join] your two targets belong together: where one is dead, so is the other.
        *[other] your choice takes effect.
    } { $deal ->
         [quantum] { $also ->
                 [look] Of these worlds, only those where that is true remain;
                 [misled] Of these worlds, only those where that is true remain, and of those where you are { $misled }, only those where it is not;
                 [wolf] Of these worlds, those where your target is a wolf are removed;
                 [some] Of these worlds, those where that cannot happen are removed;
                *[none] Everybody makes such a choice, in case it is theirs to make;
            } in all other worlds nothing happens.
        *[classical] { $also ->
                 [wolf] If your target is a wolf, or if you are somebody else, nothing happens.
                *[none] If you are somebody else, nothing happens.
            }
    }
explained-take = { $deal ->
         [quantum] The player whom you name dies with you in every world.
        *[classical] The player whom you name dies with you.
    } Everybody sees whom you take along.
page-what-it-does = What this does
changed-for-you = { $any ->
         [yes] What { $night } changed for you: { $parts }.
        *[no] As far as you were told, { $night } changed nothing for you.
    }
if-you-are = if you are { $card }, { $player } is { $role ->
         [wolf] a wolf
         [villager] a villager
         [seer] the seer
        *[other] { WORD($role) }
    }
no-longer-you = you can no longer be { $cards }
your-chances-moved = your chances: { $moved }
since-the-table = { $parts } (since the table of { $since })
chance-moved = { WORD($fact) } from { $old } to { $new }
hint = From what you were told, apart from the numbers in the tables, { $kind ->
         [look] you know least about
         [vote] the most likely to be a wolf
         [ward] the least likely to be a wolf, so perhaps worth guarding
         [save] the least likely to be a wolf, so perhaps worth saving
        *[other] the least likely to be a wolf, so you would lose least
    }: { $names }.
no-hint = { $hard ->
         [yes] This is too much to work out here.
        *[no] Nothing that you were told, apart from the numbers in the tables, favours one name over another.
    }
page-what-could-i-do = What could I do?
asked = { $answer } (read as { $read }{ $more ->
         [yes] ; the tables may say more
        *[no] { "" }
    })
page-ask = Ask what you can know
page-ask-it = Ask

## Robots and watchers

robots-play = { $n ->
         [0] No robots are playing.
         [one] Practice: the program plays for { $names }.
        *[other] Practice: the program plays for { LIST($names) }.
    }
number-of-robots = { $n } robots cannot play; give a number from 0 to { $most }
watched = { $n ->
         [one] { $n } person watches and sees everything.
        *[other] { $n } people watch and see everything.
    }
promise-first = to see everything, promise first to say nothing to the players
too-many-watch = at most { $n } can watch
no-watcher-here = this device does not watch; type the code
watchers-do-not-play = this device watches the game, and cannot play in it
players-do-not-watch = this device has a seat in the game, and cannot watch it
page-robots = Robots, for practice: { $n }
page-more-robots = One more robot
page-fewer-robots = One fewer robot
page-robot-plays = A robot plays for { $name }
page-robot-stops = Stop the robot for { $name }
page-watch = Watch
page-watch-code = Code for spectators
page-promise = I promise to say nothing to the players before the end.
page-watchers = Who may watch
page-watch-all = Everything, after a promise of silence: { $link }
page-watch-nobody = nobody
page-new-link = New link; those who watch now are sent away
page-no-link = Let nobody watch

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
typed-vote = vote
typed-end = end
typed-undo = undo
typed-again = again
typed-away = away
typed-back = back
typed-table = table
typed-status = status
typed-help = help
typed-quit = quit
typed-later = later
typed-nobody = nobody
typed-hint = hint
typed-pass = pass
typed-random = random

## The console: where the game stands

no-table-yet = no table has been made public yet
where-it-stands = { $phase }{ $secret ->
         [yes] , { steps } made
        *[no] { "" }
    }
alive = alive: { $names }
nobody-alive = alive: nobody
dead = dead: { $names }
away = away: { $names }
voted = voted: { $votes }
choices-noted = noted: { $choices }
choice = { $actor } ({ $any ->
         [yes] { WORD($action) } { $target }{ $forced ->
                 [yes] { " " }as { WORD($result) }
                *[no] { "" }
            }
        *[no] no { WORD($action) }
    })
to-vote = to vote: { $names }
village-votes = the village votes
due = { $player } ({ LIST(WORD($actions)) })
to-act = to act: { $due }
nothing-to-do = nobody has anything to do: 'end' continues

## The console: the game master's screen

tell = tell { $player }: { $text }
tell-all = tell all: { $text }
master-prompt = { $over ->
         [yes] over
        *[no] { $phase }
    }>
prompt = { $phase }>

## The console: one device for everybody

whose-turn = { $player }, { $phase }
leave = Press Enter; the screen is cleared.
leave-anew = Name somebody else, and press Enter; the screen is cleared.
over-press-enter = The game is over. Press Enter.
it-is = It is { $phase }. Alive: { $names }.
who-is-voted-off = Who is voted off?{ $ties ->
         [lot] { " " }Several names mean a tie; write
        *[other] { " " }Write
    } 'end' if nobody is.
not-all-have-voted = Not everybody has voted. Enter: ask them again; 'end' counts the votes so far.
votes-so-far = Votes so far: { $votes }.
vote-was-tied = The vote was tied; only { $names } can be voted for.
vote-for-whom = { $opened ->
         [yes] { $player }, whom
        *[no] Whom
    } do you vote for?
it-is-noted = It is noted.
not-for-this-screen = That is secret and not for this screen; players choose when they have the device.
gets-no-device = { $player } is dead or played by a robot, and does not get the device.
everybody-votes = Everybody casts their own vote here, when they are asked.
ends-after-the-round = { $phase } ends when the device has gone round.
your-card = { $player }, this is your card.
not-all-have-chosen = Not everybody has chosen. Enter: hand the device round again; 'end pass' continues without
    them, 'end random' draws the missing choices by lot.
hand-to = Hand the device to { $player }. { $player }: press Enter.
you-chose = Your answer: { $anybody ->
         [yes] { $target }
        *[no] nobody
    }. Enter keeps it.
as-if-there-were = { $why } Answer all the same: it does not count, but nobody else can tell.
somebody-all-the-same = Name somebody all the same.
may-decline = { $question } ('nobody' to decline)
answers = Write a name; { $decline ->
         [yes] 'nobody' to decline,{ " " }
        *[no] { "" }
    }'later' to answer when the device comes round again; 'hint', 'table', 'status'.
questions-too = A question in English that ends with '?' is answered, too; the tab key completes it.
for-everybodys-screen = '{ typed }' is for the screen that everybody sees; choose first, or write 'later'.
night-is-over = { $player }, the night is over.
refusal = Refused: { $reason }

## The console: its commands

help = { $command ->
         [vision] let a player look at another
         [attack] let a player attack another
         [do] another action of a card, such as protect
         [decline] note that a player declines
         [vote] vote a player off; several are a tie
         [ballot] a player votes for another, or for nobody (open and secret ballots)
         [end] end the phase: nobody is voted off; those who may decline do
         [undo] take back the last choice or step, several steps, or the phase
         [again] hand the device to a player again, to see and change a choice
         [away] a player has left the table
         [back] a player is back
         [table] the public table{ $secret ->
                 [yes] , or the game master's
                *[no] { "" }
            }
         [status] where the game stands
         [numbers] who has which number
         [help] this list
        *[quit] stop; everything is saved
    }
word-of-the-game = nobody can be called '{ $name }' here: it is a word of the game; take another name
impossible-name = { $english }
only-in-case = the names '{ $one }' and '{ $other }' look alike; take another name
not-understood = '{ $text }' is not understood { $after ->
         [yes] after '{ $command }'
        *[no] at the end
    }; write: { $usage }
may-be = '{ $text }' is ambiguous: { $names }; { $exactly ->
         [yes] write it exactly
        *[no] write more of it
    }
who = who? Write: { $usage }
unknown-name = { $english }

## Pages on phones and the shared screen

page-title = Quantum Werewolf
page-needs-script = This page needs JavaScript.
page-choose-language = Language
page-comma = { ", " }
page-space = { " " }
page-cut-off = The connection to the host is lost. Trying again … Nothing is lost; check the Wi-Fi.
page-sound = Sound
page-vibration = Vibration
page-awake = Keep the screen on
page-sending = Sending …
page-no-answer = No answer from the host. Try again.
page-private = Keep this phone to yourself: it will show what only you may know.
page-join = Join
page-code = Code for this game
page-your-name = Your name
page-join-next = Your name, for the next game
page-which-seat = Who are you?
page-lobby = Before the game
page-here = { $n ->
         [one] { $n } player is here
        *[other] { $n } players are here
    }
page-begin = Everybody is here: begin
page-first-begins = { $name } starts the game when everybody is here.
page-leave = Leave
page-again = Another game, same seats
page-again-draw = Another game, new seats
page-score = This evening so far
page-waits = A game is under way. You will play in the next one.
page-choose-rules = The next game
page-code-is = Code: { $code }
page-no-code = The host's terminal shows the code.
page-rules = Rules
page-no-news = No news yet.
page-older-news = Earlier news
page-news = News
page-table = The table
page-no-table = No table has been shown yet.
page-people = Players
page-alive = alive
page-dead = dead
page-away = away
page-nobody = Nobody
page-nothing-asked = Nothing is asked of you now.
page-counts = Choose a name, then confirm. You can change it until all have answered.
page-counts-two = Choose two names, then confirm. You can change them until all have answered.
page-as-if = Answer all the same; it has no effect.
page-refused = You were told that you cannot attack { $names }. Choose again.
page-decline = Nobody
page-confirm = Confirm
page-change = Change
page-answer = Your answer: { $name }
page-own-sheet = Your own sheet
page-only-you = For your eyes only.
page-card = Your card: { $card }
page-number = Your number: { $number }
page-deck = Cards and chances
page-chances = Your chances
page-vote = Vote
page-spoken = Vote aloud. The game master writes down the result.
page-second-vote = The vote was tied. Vote again: { $names }.
page-voted-for = { $voter }: { $name }
page-have-voted = Voted so far: { $names }
page-waiting-votes = { $n ->
         [one] { $n } vote is missing
        *[other] { $n } votes are missing
    }
page-waiting-choices = { $n ->
         [one] { $n } player has not answered
        *[other] { $n } players have not answered
    }
page-paused = The game is paused
page-you-are-dead = You are dead.
page-dead-rules = You can read everything that is public. Say nothing about what only you know.
page-who-was-what = Who was what
page-working = Working out who could have known what …
page-could-know = Who could have known what
page-progress = Working it out: { $done } of { $total }
page-whose = Whose knowledge
page-about = about
page-by-facts = What { $viewer } could have known from their own sheet and the news, at the end of each phase
page-by-exact = The same, with all that follows from the numbers of the tables
page-given-up = { $n ->
         [one] { $n } question took too long or was too large.
        *[other] { $n } questions took too long or were too large.
    }
page-whole-story = Every step of the game, with all tables and plots
page-share = The story as a page, to save or share
page-master = Game master
page-key = Key (the host's terminal shows it)
page-enter = Enter
page-sure = { $what }: sure?
page-end-phase = End the phase
page-end-pass = End without the missing choices
page-end-random = End, with the missing choices drawn by lot
page-undo = Undo the last vote or phase
page-undo-phase = Undo this phase
page-pause = Pause
page-resume = Go on
page-act-for = Act for somebody
page-for-whom = For whom
page-target = Target
page-vision = look at
page-attack = attack
page-link = link
page-protect = protect
page-heal = heal
page-poison = poison
page-take = take along
page-vote-off = Vote off
page-seats = Seats
page-online = online
page-offline = page closed
page-free = free
page-free-seat = Free { $name }'s seat
page-remove = Remove { $name }
page-is-away = { $name } is away
page-back = { $name } is back
page-show-secrets = Show all secrets
page-hide-secrets = Hide the secrets
page-choices = Choices
page-no-choices = Nobody has chosen yet.
page-no-votes = Nobody has voted yet.
page-no-effect = does nothing
page-waiting-for = Yet to answer: { $names }
page-last-steps = The last steps

## What the host answers

game-has-begun = the game has already begun
game-not-begun = the game has not begun
first-begins = { $player } joined first, and starts the game
cannot-leave = the game has begun; tell the game master if you must leave
seat-taken = { $player }'s seat is taken; { $begun ->
         [yes] if it is yours, ask the game master to free it
        *[no] take another name
    }
name-too-long = a name has 1 to { $n } characters
table-is-full = the table is full: at most { $n } can play
no-seat-here = this device has no seat here; { $master ->
         [yes] type the key of the game master
        *[no] join first
    }
seat-already = this device already has { $player }'s seat; reload the page
too-many-commands = too many commands; wait a moment
request-too-large = a request may have at most { $n } bytes
no-such-host = there is no host '{ $host }' here; use the address that the host printed
too-many-codes = too many wrong codes; wait a minute
wrong-code = this is not the code that the host shows
too-many-pages = too many pages are open; close some
not-over = the game is not over
another-game = this game is over
as-usual = { $name ->
         [cards] none
        *[other] as usual
    }
rules-in-short = { $rules ->
         [cisra] cisra: ranked wolves, the original
         [gekka] gekka: the dead keep their secret
         [straat] straat: lives are lost in fractions
        *[other] One Night: ten minutes, one vote
    }
minutes = { $n ->
         [0] no limit
        *[other] { $n } min
    }
report-not-ready = the report is not ready; try again in a moment
not-saved = the host could not save this ({ $reason }), so it was not done. Everything confirmed before is saved. Free some space on the host's disk, then try again
about = Rules: { $rules }{ $any ->
         [yes] , { $settings }
        *[no] { "" }
    }
setting = { WORD($name) }: { WORD($value) }

## The rules on one page

rules-title = The rules of '{ $rules }'{ $deal ->
         [classical] , with cards
        *[quantum] { "" }
    }
looking-card = one { WORD($role) }{ $more ->
         [yes] { " " }or more
        *[no] { "" }
    }
some-cards = { $n ->
         [1] { WORD($one) }
        *[other] { $n } { WORD($many) }
    }
rules-introduction = { $deal ->
         [quantum] Nobody has a role yet. Every way to deal { $cards }, the wolves and the villagers is a possible world. You act as if you had every role. During the game, worlds are removed.
        *[classical] Everybody has a secret card: { $cards }, wolves and villagers. The wolves know each other. Everybody is asked for every action; your answer counts only if your card allows the action.
    }
talk-and-vote = talk, then vote somebody off{ $n ->
         [1] { "" }
        *[other] , up to { $n } players one after the other
    }
and-later = { $phase } …
and-so-on = and so on
what-they-do = { $who ->
         [all] everybody
         [possible] everybody who may be { $card }
        *[card] { $card }
    } { $compulsory ->
         [yes] { $action ->
                 [vision] looks at
                 [attack] attacks
                *[other] { $does }
            }
        *[no] may { $action ->
                 [vision] look at
                 [attack] attack
                *[other] { $do }
            }
    } { $whom ->
         [two] two players
         [any] a player
         [dead] somebody dead
        *[other] another player
    }
acts-of = { $role }: { $n ->
         [0] no action
        *[other] { $acts }
    }.
rule-declared = { $role }: the file that declares this card says what it does.
rule-wolves = Wolves: usually { $n ->
         [0] 1 (2 from 8 players, 3 from 13, 4 from 20)
        *[other] { $n }
    }, { $ranked ->
         [yes] ranked alpha, beta, and so on
        *[no] all of equal rank
    }.
rule-look = A look shows { $shows ->
         [side] { WORD($good) } or { WORD($evil) }; the { WORD($looker) } is { WORD($good) }
         [kind] a villager, the { WORD($looker) } or a wolf
        *[role] the exact role
    }.
rule-look-drawn = The result is drawn from the worlds where you are the { WORD($looker) }{ $alive ->
         [yes] { " " }and alive
        *[no] { "" }
    }{ $nightfall ->
         [yes] { " " }as they were at nightfall
        *[no] { "" }
    }{ $alive ->
         [yes] ; if there are none, you see nothing
        *[no] { "" }
    }. Worlds where you are not the { WORD($looker) } stay.
rule-attack = { $quantum ->
         [yes] An attack kills in the worlds where you are the leading wolf, the highest-ranked living wolf; if the target is a wolf there, the world is removed.
        *[no] The leading wolf is the highest-ranked living wolf. An attack by another wolf, or on a wolf, does nothing.
    }
rule-attack-refused = An attack that would leave no world where you are the leading wolf is refused; only you are told.
rule-bite = An attack takes a fraction of a life (one over the number of { $intended ->
         [yes] living wolves
        *[no] wolves
    }) { $quantum ->
         [yes] in the worlds where you are a wolf and the target is not
        *[no] unless the target is a wolf
    }. A new attack on the same player replaces your old one; your attacks { $intended ->
         [yes] vanish
        *[no] stay
    } when you die.
rule-targets = Everybody is told whom a player looks at or attacks.
rule-order = At night the players act { $order ->
         [random] in a random order
        *[number] in the order of their numbers
    }: each looks, then attacks.
rule-announced = Announced: { $shows ->
         [death] the death, but not the role
         [side] { WORD($good) } or { WORD($evil) }
         [kind] villager, { WORD($looker) } or wolf
        *[role] the exact role
    }.
rule-voted-off = A player is voted off.{ $role ->
         [drawn] { " " }Their role is drawn.
         [from-others] { " " }Worlds where they were already dead are removed; their role is drawn from the others.
         [from-all] { " " }Their role is drawn from all worlds, even those where they were already dead.
        *[card] { "" }
    } { $told }
rule-news = { $whom ->
         [all] Everybody is
         [asked] Whoever is asked is
        *[concerned] Those concerned are
    } told who is { WORD($word) }.
rule-follows = This takes effect { $moment ->
         [once] at once
         [phase] at the end of each phase
         [found] when the dead are found
        *[morning] in the morning
    }.
rule-seen-as = Whoever looks at this card sees: { $card }.
rule-votes = Their vote counts { $n } times once the card is theirs in every world.
rule-found-dead = { $fractional ->
         [yes] Players who have lost a whole life{ $quantum ->
                 [yes] , on average over the worlds,
                *[no] { "" }
            }
        *[no] { $quantum ->
                 [yes] Players who are dead in every world
                *[no] Players who were killed
            }
    } are found dead: { $order ->
         [lowest] the lowest number first; then everybody is checked again
         [rounds] one after the other in seat order, round after round
        *[together] all at once; then everybody is checked again
    }.{ $quantum ->
         [yes] { " " }Their roles are drawn.
        *[no] { "" }
    } { $told }
rule-told = { $told ->
         [role] When only one role is left for you, you are told which.
         [kind] When it is certain that you are a villager, the { WORD($looker) } or a wolf, you are told so.
        *[probabilities] At the beginning of every phase you are told your own chances.
    }
rule-no-table = No table is shown.
rule-table = The table is shown { $times ->
         [morning] every morning
         [nightfall] at the start and every evening
         [morning-nightfall] every morning, and at the start and every evening
        *[nightfall-morning] at the start and every evening, and every morning
    }. It says in what share of the worlds { $anonymous ->
         [yes] each number
        *[no] each player
    } is: { WORD($facts) }.
rule-own-number = You are told only your own number.
rule-certain-deaths = The table shows deaths only when they are certain.
rule-number-of-worlds = The table says how many worlds are left.
rule-good-wins = The village (villagers and { WORD($looker) }) wins { $when ->
         [all-dead] when all wolves are dead in every world
         [known-dead] when it is certain who the wolves are and that all of them are dead
         [none-living] when no living player is a wolf in any world
        *[cards] when all wolves are dead
    }.
rule-evil-wins = The wolves win { $when ->
         [parity] when it is certain who the wolves are, and in every world at least half of the living are wolves
         [known-half] when at least half of the living are certainly wolves and certainly alive
         [all-wolves] when every living player is a wolf in every world
         [cards-all] when every living player is a wolf
        *[cards-half] when at least half of the living are wolves
    }.
rule-not-counted = Not counted among the living here: { WORD($cards) }.
rule-collapse = { $when ->
         [annihilation] If nobody has won, but in every world one side is extinct, one world is drawn and decides the game.
        *[parity] If nobody has won, but in every world at least half of the living are wolves, one world is drawn and decides the game.
    }
rule-draw = If nobody is left alive, the game is a draw.
rule-tested = Whether the game is over is checked { $after ->
         [phase] after every phase
        *[vote] only after a vote
    }{ $before ->
         [yes] , and after a vote before anybody else is found dead
        *[no] { "" }
    }.
rule-winning = Dead or alive, you win if your side wins{ $quantum ->
         [yes] { " " }and it is certain that you are on it
        *[no] { "" }
    }.

## One Night

place = { $n ->
         [0] { $player }
        *[other] middle { $n }
    }
card-of = { $n ->
         [0] { $own ->
                 [yes] { $told ->
                         [yes] their own card
                        *[no] your own card
                    }
                *[no] { $player }'s card
            }
        *[other] middle card { $n }
    }
card-at = { $place } ({ WORD($card) })
night-dealt = You were dealt the { WORD($card) }.
night-knows = { $n ->
         [0] No other player is a { WORD($what) }
         [1] { $names } is a { WORD($what) }
        *[other] { LIST($names) } are { $what ->
                 [wolf] wolves
                 [mason] masons
                *[other] each a { WORD($what) }
            }
    }.
night-move = { $own ->
         [yes] You { $named ->
             [yes] { $name }:{ " " }
            *[no] { "" }
        }{ $order ->
                 [nothing] do nothing
                 [looks] look at { LIST($looks) }
                 [swaps] swap { LIST($swapped) }
                 [swaps-looks] swap { LIST($swapped) } and look at { LIST($looks) }
                *[other] look at { LIST($looks) } and swap { LIST($swapped) }
            }
        *[no] { $actor } { $named ->
             [yes] { $name }:{ " " }
            *[no] { "" }
        }{ $order ->
                 [nothing] does nothing
                 [looks] looks at { LIST($looks) }
                 [swaps] swaps { LIST($swapped) }
                 [swaps-looks] swaps { LIST($swapped) } and looks at { LIST($looks) }
                *[other] looks at { LIST($looks) } and swaps { LIST($swapped) }
            }
    }.
night-question = { $order ->
         [looks] Which card do you look at?
         [own] Which card do you swap yours for?
        *[other] Which cards do you swap?
    }
night-nothing = Your card gives you nothing to choose.
stage = { $stage ->
         [night] the night
         [day] the day
        *[over] the game is over
    }
night-settings = One Night with { $n } players; cards: { LIST(WORD($cards)) }; { $middle } in the middle.
night-too-many = Too many different nights are possible to say how likely each card is.
night-result = Your card is now the { WORD($card) }: you { $won ->
         [yes] win
        *[no] lose
    }.
night-winners = { $n ->
         [0] Nobody wins.
        *[other] Winners: { $names }.
    }
night-not-here = there is no such thing in One Night
night-vote-for-one = everybody votes for one player
night-by-day = Talk about the night before you vote.
night-hand-round = The night is over. The device goes round once more, so that everybody can read what they saw.
night-story = The night
night-rules-title = The rules of One Night
night-rules-introduction = Everybody is dealt a card, and { $middle } more lie in the middle. The cards: { LIST(WORD($cards)) }. At night, players whose card has an action look at cards or exchange them, in the order of the table. What they do depends on the card they were dealt, even if it has been exchanged by then. During the day everybody talks and says what they like. Then all vote at once. Those with the most votes die, if they have at least two. In the end the card that lies before you counts.
night-rules-village = The village wins if a wolf dies, or if nobody dies and nobody is a wolf.
night-rules-wolves = The wolves and their friends win if somebody is a wolf and no wolf dies.
night-rules-minion = If nobody is a wolf, a minion wins if another player dies.

## The story of a game

phase-ends = The phase ends.
game-begins = The game begins.
episode = { $step }, { $phase }: { $told } [{ worlds }]
step-of-story = Step { $step }: { $told } [{ worlds }]
report-title = Quantum Werewolf: { $rules }
still-running = The game is not over: it is { $phase }, with { worlds } left.
who-won = { $verdict ->
         [draw] Nobody
        *[other] The { WORD($verdict) }
    } won{ $forced ->
         [yes] { " " }by the forced collapse
        *[no] { "" }
    }. { left-in-all }
plots = Plots
plot-of-the-table = The table at the end; darker is more likely
plot-of-a-column = { WORD($fact) } over the game; a cross marks a death
what-changed = { $changed ->
         [yes] What this phase changed:
        *[no] The table stays as it was.
    }
table-made-public = The table that was made public:
no-role = no { WORD($role) }

## The story after the end

tale-title = The story of a game of '{ $rules }'
tale-deaths = The deaths
tale-rise = { $phase }: { $told } Dead: { $before } → { $after }.
tale-course = { $bars } { $before } → { $after }
tale-counts = This counts where { $actor } is { $card }: in { $share } of the worlds.
tale-chances = How the chances went
tale-chances-note = The shares of the worlds at the start and at the end of every phase: the higher the bar, the larger the share.
tale-turns = Turning points
tale-turn = { $phase }: { $told } Worlds: { $before } → { $after }.
tale-knowledge = Who could have known what, and when
tale-reading = { $reading ->
         [facts] For each player: after which phase they could first be sure of their own card, of a wolf who was still alive and of a seer who was still alive, from their own sheet and the news.
        *[exact] The same, with all that follows from the numbers of the tables.
    }
tale-missing = { $n } of { $count } questions { $n ->
         [one] is left out: it took too long, was too large, or is not answered yet
        *[other] are left out: they took too long, were too large, or are not answered yet
    }. It may have been known earlier.

## Words of the game

word-villager = villager
word-villagers = villagers
word-seer = seer
word-seers = seers
word-wolf = wolf
word-wolves = wolves
word-werewolf = werewolf
word-werewolves = werewolves
word-human = human
word-good = good
word-evil = evil
word-dead = dead
word-alive = alive
word-cupid = cupid
word-cupids = cupids
word-hunter = hunter
word-hunters = hunters
word-bodyguard = bodyguard
word-bodyguards = bodyguards
word-witch = witch
word-witches = witches
word-fox = fox
word-foxes = foxes
word-drunk = drunk
word-drunks = drunks
word-minion = minion
word-mason = mason
word-robber = robber
word-troublemaker = troublemaker
word-insomniac = insomniac
word-alpha = alpha
word-beta = beta
word-gamma = gamma
word-delta = delta
word-epsilon = epsilon
word-vision = vision
word-attack = attack
word-take = take
word-link = link
word-protect = protect
word-heal = heal
word-poison = poison
word-linked = linked
word-in-love = in love
word-attacked = attacked
word-lovers = lovers
word-village = village
word-draw = draw
word-player = player
word-number = number
word-role = role
word-died = died
word-result = result
word-won = won
word-lost = lost
word-the-table = the table
word-quantum = quantum
word-classical = classical
word-secret = secret
word-public = public
word-targets = targets
word-deal = deal
word-ballot = ballot
word-spoken = spoken
word-open = open
word-phase = phase
word-what-you-do = what you do
word-a-wolf = a wolf
word-every-wolf = every wolf
word-the-leading-wolf = the leading wolf
word-rule-of-cupid = Cupid links two players on the first night: where one is dead, so is the other. They win if only lovers are left.
word-rule-of-hunter = A hunter who has died takes another player along.
word-rule-of-bodyguard = A bodyguard protects another player every evening: the attacks of that night do not kill them.
word-rule-of-witch = At dawn a witch may once heal a player killed in the night, and may once poison another.
word-rule-of-fox = A fox is on nobody's side: attacks do not kill it, but the seer's look does. It wins if it is alive at the end.
word-rule-of-drunk = A drunk believes they are the seer, and sees the opposite.
word-card = card
word-games = games
word-rule_set = rules
word-cards = extra cards
word-suggested = as suggested
word-night_seconds = time limit at night
word-day_seconds = time limit by day
word-chance = chance
word-place = place
word-at-night = at night
word-dealt = dealt
word-at-the-end = at the end
word-rule-of-night-wolf = Wolves see each other. A wolf who is alone may look at a card in the middle.
word-rule-of-night-minion = A minion sees who the wolves are, and is on their side.
word-rule-of-night-mason = Masons see each other.
word-rule-of-night-seer = A seer looks at another player's card, or at two cards in the middle.
word-rule-of-night-robber = A robber may exchange their card for another player's, and looks at the new one.
word-rule-of-night-troublemaker = A troublemaker may exchange the cards of two other players, without looking.
word-rule-of-night-drunk = A drunk exchanges their card for one in the middle, without looking.
word-rule-of-night-insomniac = An insomniac looks at their own card at the end of the night.
word-rule-of-night-villager = A villager does nothing at night.
word-and = and
