---------------------------- MODULE QuorumFence ----------------------------
(***************************************************************************)
(* Fencing tokens, and the lock itself, on N independent masters.          *)
(*                                                                         *)
(* A request is one attempt at the lock, with a token of its own; a client *)
(* that tries again is another request.                                    *)
(*                                                                         *)
(* Round 1, to all nodes: a node whose lock is free takes it for the       *)
(*   request, sets its counter to max(counter + Stride, proposal) and      *)
(*   returns it. Granted = the nodes whose reply arrived.                  *)
(* Fast path: a majority returned one and the same number. It is the token.*)
(* Slow path, round 2, only to Granted: a node that still has the lock for *)
(*   the request raises its counter to Stride above the largest number     *)
(*   returned. A majority of acknowledgements makes that number the token. *)
(*                                                                         *)
(* Any message may be lost or come late, and a proposal may be any number: *)
(* the clocks of clients may say anything. The counters start anywhere:    *)
(* that stands for requests before these that got no majority. A token     *)
(* stands for Stride numbers, because a client may hand the lock over      *)
(* locally, with another number for each hold.                             *)
(*                                                                         *)
(* Some of this needs no separate step. A reply that is lost is one        *)
(* that the request does not count when it goes on to round 2, a lost      *)
(* acknowledgement is one after which it does not stop; a message that is  *)
(* lost on its way is one that has not arrived yet; a request that gives up*)
(* is one that does nothing more.                                          *)
(*                                                                         *)
(* What is promised:                                                       *)
(*                                                                         *)
(* Growth, without any assumption about time (Timed = FALSE: a lock may    *)
(*   expire at any moment): no two tokens share a number, and a token is   *)
(*   larger than all that were issued before its request began.            *)
(*                                                                         *)
(* OneHolder, if clocks run at about the same rate (Timed = TRUE: a node's *)
(*   lock expires only after its request's own window is over): at most one*)
(*   request is within its window and has a token.                         *)
(*                                                                         *)
(* Restarted nodes. A node that loses its data has no lock and a counter   *)
(* of 0. Both promises then need more:                                     *)
(*                                                                         *)
(* - Quarantine: the node grants nothing until the windows are over of all *)
(*   requests that began before it lost its data (it abstains for the      *)
(*   longest lease). Without it the node helps a second request to a       *)
(*   majority while the first still holds.                                 *)
(*                                                                         *)
(* - Quarantine does not bring the counter back. After it, two nodes that  *)
(*   never saw the last token are a majority, and Growth is lost, even     *)
(*   if time behaves. What fills the hole is the clock in the proposal:    *)
(*   ClockAhead says that a request which begins after the loss proposes   *)
(*   more than the counter that was lost. Proposals are clocks in          *)
(*   microseconds and the node was out for the longest lease, so that this *)
(*   holds if clocks differ by less than that. So the promise that needs no*)
(*   clock is kept while no node loses data; otherwise it needs the        *)
(*   quarantine and a clock.                                               *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Nodes, Requests,
  Stride,
  MaxCounter,    \* counters start anywhere up to this
  Proposals,     \* what a request may propose
  MaxRestarts,   \* how many nodes lose their data

  Timed,         \* whether locks outlast the windows of their requests

  (* Parts of the algorithm, each of which can be switched off. *)
  FastPath,      \* FALSE: always two rounds, which must be as good
  LockCheck,     \* FALSE: round 2 writes without checking the holder of the lock
  SubsetRule,    \* FALSE: round 2 counts nodes that did not count in round 1
  WriteBack,     \* FALSE: round 2 checks the lock but does not raise the counter
  SecondRound,   \* FALSE: the largest reply is the token at once
  Majority,      \* FALSE: half of the nodes are enough
  Quarantine,    \* FALSE: a node that lost its data grants at once
  ClockAhead     \* FALSE: clocks may be behind a counter that was lost

VARIABLES
  lock,      \* node -> the request that has its lock, or None
  counter,   \* node -> its fencing counter
  barred,    \* node -> the requests whose windows it has to wait for
  phase,     \* request -> "idle", "one", "two", "issued"
  proposal,  \* request -> what it proposed
  reply,     \* request -> node -> 0: not asked yet, TooLate: of no use, else the reply
  token,     \* request -> the number that it requests, or has
  acked,     \* request -> nodes that acknowledged in round 2
  floor,     \* request -> the largest token that was issued before it began
  over,      \* requests whose window is over
  issued,    \* all tokens
  lost,      \* the largest counter that a node has lost
  restarts,
  grown      \* FALSE once a token was issued that breaks Growth

vars == <<lock, counter, barred, phase, proposal, reply, token, acked, floor, over, issued, lost, restarts, grown>>

None == "none"
TooLate == 999
Largest(S) == CHOOSE x \in S : \A y \in S : y <= x
Enough(S) == IF Majority THEN 2 * Cardinality(S) > Cardinality(Nodes) ELSE 2 * Cardinality(S) >= Cardinality(Nodes)
Granted(r) == {n \in Nodes : reply[r][n] \notin {0, TooLate}}
Replies(r) == {reply[r][n] : n \in Granted(r)}
Open(r) == r \notin over

Init ==
  /\ lock = [n \in Nodes |-> None]
  /\ counter \in [Nodes -> 0..MaxCounter]
  /\ barred = [n \in Nodes |-> {}]
  /\ phase = [r \in Requests |-> "idle"]
  /\ proposal = [r \in Requests |-> 0]
  /\ reply = [r \in Requests |-> [n \in Nodes |-> 0]]
  /\ token = [r \in Requests |-> 0]
  /\ acked = [r \in Requests |-> {}]
  /\ floor = [r \in Requests |-> 0]
  /\ over = {} /\ issued = {} /\ lost = 0 /\ restarts = 0 /\ grown = TRUE

Begin(r, p) ==
  /\ phase[r] = "idle"
  /\ (ClockAhead /\ restarts > 0) => p > lost
  /\ phase' = [phase EXCEPT ![r] = "one"]
  /\ proposal' = [proposal EXCEPT ![r] = p]
  /\ floor' = [floor EXCEPT ![r] = Largest(issued \cup {0})]
  /\ UNCHANGED <<lock, counter, barred, reply, token, acked, over, issued, lost, restarts, grown>>

(* Round 1 at a node. A request that finds the lock taken changes nothing, and so is no step here. *)
Take(r, n) ==
  /\ phase[r] # "idle" /\ reply[r][n] = 0 /\ lock[n] = None
  /\ barred[n] \subseteq over
  /\ lock' = [lock EXCEPT ![n] = r]
  /\ counter' = [counter EXCEPT ![n] = Largest({@ + Stride, proposal[r]})]
  /\ reply' = [reply EXCEPT ![r][n] = IF phase[r] = "one" THEN counter'[n] ELSE TooLate]
  /\ UNCHANGED <<barred, phase, proposal, token, acked, floor, over, issued, lost, restarts, grown>>

Overlap(t, u) == t < u + Stride /\ u < t + Stride

Issue(r, t) ==
  /\ Timed => Open(r)
  /\ phase' = [phase EXCEPT ![r] = "issued"]
  /\ token' = [token EXCEPT ![r] = t]
  /\ issued' = issued \cup {t}
  /\ grown' = (grown /\ (\A u \in issued : ~Overlap(t, u)) /\ (floor[r] > 0 => t >= floor[r] + Stride))
  (* The reply is of no more use; that the node was asked is. *)
  /\ reply' = [reply EXCEPT ![r] = [n \in Nodes |-> IF @[n] = 0 THEN 0 ELSE TooLate]]
  /\ acked' = [acked EXCEPT ![r] = {}]
  /\ floor' = [floor EXCEPT ![r] = 0]
  /\ UNCHANGED <<lock, counter, barred, proposal, over, lost, restarts>>

Fast(r) ==
  /\ FastPath /\ phase[r] = "one"
  /\ \E v \in Replies(r) : Enough({n \in Nodes : reply[r][n] = v}) /\ Issue(r, v)

AtOnce(r) ==
  /\ ~SecondRound /\ phase[r] = "one"
  /\ \E S \in SUBSET Granted(r) : Enough(S) /\ Issue(r, Largest({reply[r][n] : n \in S}))

(* To round 2 with the replies of S; of those only the largest is of use from here on. *)
Second(r, S) ==
  /\ SecondRound /\ phase[r] = "one" /\ S \subseteq Granted(r) /\ Enough(S)
  /\ phase' = [phase EXCEPT ![r] = "two"]
  /\ token' = [token EXCEPT ![r] = Largest({reply[r][n] : n \in S}) + Stride]
  /\ reply' = [reply EXCEPT ![r] = [n \in Nodes |-> IF n \in S THEN 1 ELSE IF @[n] = 0 THEN 0 ELSE TooLate]]
  /\ UNCHANGED <<lock, counter, barred, proposal, acked, floor, over, issued, lost, restarts, grown>>

(* Round 2 at a node. *)
Raise(r, n) ==
  /\ phase[r] = "two" /\ n \notin acked[r]
  /\ SubsetRule => n \in Granted(r)
  /\ LockCheck => lock[n] = r
  /\ counter' = IF WriteBack THEN [counter EXCEPT ![n] = Largest({@, token[r]})] ELSE counter
  /\ acked' = [acked EXCEPT ![r] = @ \cup {n}]
  /\ UNCHANGED <<lock, barred, phase, proposal, reply, token, floor, over, issued, lost, restarts, grown>>

Done(r) == phase[r] = "two" /\ Enough(acked[r]) /\ Issue(r, token[r])

(* The window of a request is over by its own clock. *)
WindowEnds(r) ==
  /\ Timed /\ phase[r] # "idle" /\ Open(r)
  /\ over' = over \cup {r}
  /\ UNCHANGED <<lock, counter, barred, phase, proposal, reply, token, acked, floor, issued, lost, restarts, grown>>

(* A lock is gone: expired or, which is the same here, released. *)
Expire(n) ==
  /\ lock[n] # None
  /\ Timed => lock[n] \in over
  /\ lock' = [lock EXCEPT ![n] = None]
  /\ UNCHANGED <<counter, barred, phase, proposal, reply, token, acked, floor, over, issued, lost, restarts, grown>>

Forget(n) ==
  /\ restarts < MaxRestarts
  /\ restarts' = restarts + 1
  /\ lost' = Largest({lost, counter[n]})
  /\ lock' = [lock EXCEPT ![n] = None]
  /\ counter' = [counter EXCEPT ![n] = 0]
  /\ barred' = [barred EXCEPT ![n] = IF Quarantine THEN {r \in Requests : phase[r] # "idle"} ELSE {}]
  /\ UNCHANGED <<phase, proposal, reply, token, acked, floor, over, issued, grown>>

Next ==
  \/ \E r \in Requests : Fast(r) \/ AtOnce(r) \/ Done(r) \/ WindowEnds(r)
  \/ \E r \in Requests, S \in SUBSET Nodes : Second(r, S)
  \/ \E r \in Requests, p \in Proposals : Begin(r, p)
  \/ \E r \in Requests, n \in Nodes : Take(r, n) \/ Raise(r, n)
  \/ \E n \in Nodes : Expire(n) \/ Forget(n)

Spec == Init /\ [][Next]_vars

Growth == grown
OneHolder == Timed => Cardinality({r \in Requests : phase[r] = "issued" /\ Open(r)}) <= 1

(* Nodes are alike, and so are requests: what holds for some holds for others of them. *)
Alike == Permutations(Nodes) \cup Permutations(Requests)
=============================================================================
