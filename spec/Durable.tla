------------------------------ MODULE Durable ------------------------------
(***************************************************************************)
(* Grants that survive a failover: one lock on a master with replicas, any *)
(* of which may be promoted. DurableGrants.java and Quarantine.java are    *)
(* the code.                                                               *)
(*                                                                         *)
(* An incarnation is a server between two promotions. A node is the master *)
(* of an incarnation, or follows one; a former master goes on until it is  *)
(* told of the new one, at any time or never. Replication copies all that  *)
(* the master has, at any time. A grant counts when enough replicas have   *)
(* copied it (WAIT). A new incarnation grants only after its quarantine:   *)
(* a client writes that it begins, waits until enough replicas have that,  *)
(* lets the longest lease pass, and writes that it is over.                *)
(*                                                                         *)
(* Time is counted down, in all places at once: clocks are perfect.        *)
(* Renewals are grants, and a hand-over is an acquire, so neither is here. *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  First,        \* the first master
  Others,       \* its replicas
  Clients,
  None,         \* no client
  Lease,        \* the length of every lease
  MaxInc,       \* how many incarnations there are
  MaxLosses,    \* how often a node loses its data
  Acks,         \* how many replicas must have a write
  Quarantine,   \* "none", "sight": from when it was first seen, "confirmed"
  Named,        \* whether every quarantine has a name of its own
  GoesBack      \* whether a node may follow an older incarnation again

VARIABLES
  inc,          \* node -> the incarnation that it is or follows
  master,       \* node -> whether it believes that it is the master
  lock,         \* node -> the holder, and how long it holds
  mark,         \* node -> the incarnation that may grant, or is in quarantine
  hold,         \* client -> its request, or its lease
  quar,         \* client -> the quarantine that it waits for
  top,          \* the newest incarnation
  names,        \* how many names were used
  losses

vars == <<inc, master, lock, mark, hold, quar, top, names, losses>>

Nodes == {First} \cup Others
Alike == Permutations(Others) \cup Permutations(Clients)

Free == [by |-> None, left |-> 0]
NoMark == [inc |-> 0, armed |-> FALSE, name |-> 0]
Idle == [st |-> "idle", inc |-> 0, acks |-> {}, left |-> 0]
NoQuar == [st |-> "none", inc |-> 0, name |-> 0, acks |-> {}, left |-> 0]

Init ==
  /\ inc = [n \in Nodes |-> 1]
  /\ master = [n \in Nodes |-> n = First]
  /\ lock = [n \in Nodes |-> Free]
  /\ mark = [n \in Nodes |-> [inc |-> 1, armed |-> TRUE, name |-> 0]]
  /\ hold = [c \in Clients |-> Idle]
  /\ quar = [c \in Clients |-> NoQuar]
  /\ top = 1
  /\ names = 0
  /\ losses = 0

IsArmed(m) == mark[m].inc = inc[m] /\ mark[m].armed
MayGrant(m) == Quarantine = "none" \/ IsArmed(m)

Acquire(c, m) ==
  /\ hold[c].st = "idle"
  /\ master[m] /\ MayGrant(m) /\ lock[m].left = 0
  /\ lock' = [lock EXCEPT ![m] = [by |-> c, left |-> Lease]]
  /\ hold' = [hold EXCEPT ![c] = [st |-> "asked", inc |-> inc[m], acks |-> {}, left |-> Lease]]
  /\ UNCHANGED <<inc, master, mark, quar, top, names, losses>>

Granted(c) ==
  /\ hold[c].st = "asked" /\ Cardinality(hold[c].acks) >= Acks
  /\ hold' = [hold EXCEPT ![c] = [Idle EXCEPT !.st = "held", !.left = hold[c].left]]
  /\ UNCHANGED <<inc, master, lock, mark, quar, top, names, losses>>

(* Of a hold, or of a grant that too few replicas have. *)
Release(c, m) ==
  /\ hold[c].st # "idle"
  /\ master[m] /\ lock[m].by = c
  /\ lock' = [lock EXCEPT ![m] = Free]
  /\ hold' = [hold EXCEPT ![c] = Idle]
  /\ UNCHANGED <<inc, master, mark, quar, top, names, losses>>

(* Writes also if the quarantine has begun: what it waits for is its own write. *)
Begin(c, m) ==
  /\ Quarantine # "none"
  /\ master[m] /\ ~IsArmed(m)
  /\ LET begun == mark[m].inc = inc[m]
         name == IF begun THEN mark[m].name ELSE IF Named THEN names + 1 ELSE 0
     IN /\ ~(quar[c].st # "none" /\ quar[c].inc = inc[m] /\ quar[c].name = name)
        /\ mark' = [mark EXCEPT ![m] = [inc |-> inc[m], armed |-> FALSE, name |-> name]]
        /\ names' = IF begun \/ ~Named THEN names ELSE names + 1
        /\ quar' = [quar EXCEPT ![c] =
             [st |-> IF Quarantine = "sight" THEN "confirmed" ELSE "written",
              inc |-> inc[m], name |-> name, acks |-> {}, left |-> Lease]]
  /\ UNCHANGED <<inc, master, lock, hold, top, losses>>

Confirm(c) ==
  /\ quar[c].st = "written" /\ Cardinality(quar[c].acks) >= Acks
  /\ quar' = [quar EXCEPT ![c].st = "confirmed", ![c].acks = {}]
  /\ UNCHANGED <<inc, master, lock, mark, hold, top, names, losses>>

Arm(c, m) ==
  /\ quar[c].st = "confirmed" /\ quar[c].left = 0
  /\ master[m] /\ inc[m] = quar[c].inc
  /\ mark[m] = [inc |-> inc[m], armed |-> FALSE, name |-> quar[c].name]
  /\ mark' = [mark EXCEPT ![m].armed = TRUE]
  /\ quar' = [quar EXCEPT ![c] = NoQuar]
  /\ UNCHANGED <<inc, master, lock, hold, top, names, losses>>

(* A client that ends, and comes back without what it knew. *)
Forget(c) ==
  /\ quar[c] # NoQuar
  /\ quar' = [quar EXCEPT ![c] = NoQuar]
  /\ UNCHANGED <<inc, master, lock, mark, hold, top, names, losses>>

(* All writes of the master that are waited for are on this replica now. *)
Copied(r, m) ==
  /\ lock' = [lock EXCEPT ![r] = lock[m]]
  /\ mark' = [mark EXCEPT ![r] = mark[m]]
  /\ hold' = [c \in Clients |->
       IF hold[c].st = "asked" /\ hold[c].inc = inc[m]
       THEN [hold[c] EXCEPT !.acks = @ \cup {r}] ELSE hold[c]]
  /\ quar' = [c \in Clients |->
       IF quar[c].st = "written" /\ quar[c].inc = inc[m]
       THEN [quar[c] EXCEPT !.acks = @ \cup {r}] ELSE quar[c]]

Replicate(r, m) ==
  /\ ~master[r] /\ master[m] /\ inc[r] = inc[m]
  /\ Copied(r, m)
  /\ UNCHANGED <<inc, master, top, names, losses>>

(* A replica is promoted, whatever it has; or a master is restarted, or demoted and promoted again. *)
Promote(n) ==
  /\ top < MaxInc
  /\ top' = top + 1
  /\ inc' = [inc EXCEPT ![n] = top + 1]
  /\ master' = [master EXCEPT ![n] = TRUE]
  /\ UNCHANGED <<lock, mark, hold, quar, names, losses>>

Follow(r, m) ==
  /\ r # m /\ master[m]
  /\ inc[m] > inc[r] \/ (GoesBack /\ inc[m] # inc[r])
  /\ inc' = [inc EXCEPT ![r] = inc[m]]
  /\ master' = [master EXCEPT ![r] = FALSE]
  /\ Copied(r, m)
  /\ UNCHANGED <<top, names, losses>>

Lose(n) ==
  /\ losses < MaxLosses
  /\ losses' = losses + 1
  /\ lock' = [lock EXCEPT ![n] = Free]
  /\ mark' = [mark EXCEPT ![n] = NoMark]
  /\ UNCHANGED <<inc, master, hold, quar, top, names>>

Less(n) == IF n = 0 THEN 0 ELSE n - 1

Tick ==
  /\ lock' = [n \in Nodes |->
       IF lock[n].left <= 1 THEN Free ELSE [lock[n] EXCEPT !.left = @ - 1]]
  /\ hold' = [c \in Clients |->
       IF hold[c].left <= 1 THEN Idle ELSE [hold[c] EXCEPT !.left = @ - 1]]
  /\ quar' = [c \in Clients |->
       IF quar[c].st = "confirmed" THEN [quar[c] EXCEPT !.left = Less(@)] ELSE quar[c]]
  /\ UNCHANGED <<inc, master, mark, top, names, losses>>

Next ==
  \/ \E c \in Clients, m \in Nodes : Acquire(c, m) \/ Release(c, m) \/ Begin(c, m) \/ Arm(c, m)
  \/ \E c \in Clients : Granted(c) \/ Confirm(c) \/ Forget(c)
  \/ \E r, m \in Nodes : Replicate(r, m) \/ Follow(r, m)
  \/ \E n \in Nodes : Promote(n) \/ Lose(n)
  \/ Tick

Spec == Init /\ [][Next]_vars

OneHolder == Cardinality({c \in Clients : hold[c].st = "held"}) <= 1
=============================================================================
