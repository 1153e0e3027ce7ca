"""A problem of our own: parcels that may be fragile, shaken in one room and spoken of in another."""

DOMAIN = """\
(define (domain post-office)
    (:requirements :typing :facts :list-comprehensions)
    (:action-type-libraries intermediate)
    (:types room parcel)
    (:constants hall - room)
    (:predicates
        (at ?i - agent ?r - room)
        (fragile ?p - parcel)
        (:fact door ?r ?s - room))

    ; walking is seen by everyone
    (:event e-walk
        :parameters (?i - agent ?r ?s - room)
        :precondition (and (at ?i ?r) (door ?r ?s))
        :effects (:and (not (at ?i ?r)) (at ?i ?s)))
    (:action walk
        :parameters (?i - agent ?r ?s - room)
        :action-type (public-ontic (e-walk ?i ?r ?s))
        :observability-conditions (default Fully))

    ; those in the room see that a parcel is shaken, the others do not
    (:event e-rattles :parameters (?p - parcel) :precondition (fragile ?p))
    (:event e-silent :parameters (?p - parcel) :precondition (not (fragile ?p)))
    (:event nothing)
    (:action shake
        :parameters (?i - agent ?p - parcel)
        :action-type (quasi-private-sensing (e-rattles ?p) (e-silent ?p) (nothing))
        :observability-conditions
            (:and
                (?i Fully)
                (:forall (?j - agent | (/= ?j ?i))
                    (?j (if (exists (?r - room) (and (at ?i ?r) (at ?j ?r))) Partially
                         else Oblivious)))))

    (:event e-warn
        :parameters (?i - agent ?p - parcel)
        :precondition ([?i] (fragile ?p)))
    (:action warn
        :parameters (?i ?j - agent ?p - parcel | (/= ?i ?j))
        :action-type (private-announcement (e-warn ?i ?p) (nothing))
        :observability-conditions (:and (?i Fully) (?j Fully) (default Oblivious)))
)
"""

PROBLEM = """\
(define (problem vase)
    (:domain post-office)
    (:agents Ann Bob Cleo)
    (:objects yard - room vase - parcel)
    (:facts-init (door hall yard) (door yard hall))
    (:init
        (:and
            (fragile vase)
            ([C. All]
                (and (at Ann hall) (not (at Ann yard)) (at Bob hall) (not (at Bob yard))
                     (at Cleo yard) (not (at Cleo hall))))
            (:forall (?i - agent) ([C. All] (<Kw. ?i> (fragile vase))))))
    (:goal
        (and ([Cleo] (fragile vase)) ([Ann] (not ([Kw. Bob] (fragile vase))))))
)
"""

EXPLICIT = """\
(:init
        :worlds (w v)
        :relations (Ann (:forall (?x ?y - world) (?x ?y))
                    Bob (:and (w w) (v v))
                    Cleo (:forall (?x - world) (?x ?x)))
        :labels (w (:and (fragile vase) (at Ann hall) (at Bob hall) (at Cleo yard))
                 v (:and (at Ann hall) (at Bob hall) (at Cleo yard)))
        :designated (w))
"""

THEORY = PROBLEM[PROBLEM.index("(:init") : PROBLEM.index("    (:goal")]
EXPLICIT_PROBLEM = PROBLEM.replace(THEORY, EXPLICIT)
