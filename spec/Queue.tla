------------------------------- MODULE Queue -------------------------------
(***************************************************************************)
(* The lock on one server, with its queue and its hand-over: what the      *)
(* scripts acquire.lua, release.lua and handover.lua do, each in one step, *)
(* and what a request does around them (Acquisition, Standing and the      *)
(* BackgroundReleaser, which is called Undo here).                         *)
(*                                                                         *)
(* A request has a token of its own and a client of its own. It asks, and  *)
(* is granted the lock or stands in the queue; from there it is handed the *)
(* lock by whoever frees it, with a message to its inbox; it looks again at*)
(* any time; it withdraws at any time before it holds, and releases after. *)
(*                                                                         *)
(* Whatever is on its way takes as long as it likes, and overtakes what it *)
(* likes. What goes wrong beyond that is counted, Faults at most: a command*)
(* whose outcome its sender never hears of, a message that is lost, a lease*)
(* that is over before its holder is done, a client that dies, a failover. *)
(*                                                                         *)
(* A failover loses nothing that is stored, but the channels by which      *)
(* clients listen may stay at the old server, which is a replica from then *)
(* on: they hear what is published at the new one, and are not counted     *)
(* there ("elsewhere").                                                    *)
(*                                                                         *)
(* Time is in one rule: a lease is over for its holder (LeaseEnds) before  *)
(* it is over at the server (Expire), because the holder counts from before*)
(* the grant and allows for drift. And in one assumption: what was sent    *)
(* before its sender gave up arrives before Undo stops asking (three times *)
(* in a second). Where that is not so, a lock is left until its lease ends.*)
(*                                                                         *)
(* What is promised:                                                       *)
(*                                                                         *)
(* OneHolder     at most one request believes that it holds the lock.      *)
(* HolderOwns    and the lock at the server is that request's.             *)
(* Ordered       fencing tokens grow in the order of the holds.            *)
(* NothingLeft   a request that has ended, and for which nothing is on its *)
(*               way, has neither the lock nor a place in the queue.       *)
(* NoLostWakeUp  a free lock has no queue, unless a lease ran out.         *)
(* HandedToEars  who is handed the lock has an inbox that is open.         *)
(* Served        who waits does not wait for ever.                         *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Requests,
  Faults,

  (* Parts of the algorithm, each of which can be switched off. *)
  GrantGivenBack,   \* FALSE: a withdrawal leaves the queue, and no more
  LooksAgain,       \* FALSE: who waits relies on messages
  ReleaseCompares,  \* FALSE: a release frees the lock whoever holds it
  UndoRepeats,      \* FALSE: one release for a request of unknown outcome
  JoinLooks,        \* FALSE: looking at the lock and joining the queue are two steps
  HandOverListens,  \* FALSE: the lock goes to the first in the queue, open inbox or not
  AsksFirst,        \* FALSE: the grant is published first, and made only if a listener at this server was counted
  UndoDoubtsYes,    \* FALSE: Undo stops at the first release that found something
  UndoAfterLate,    \* FALSE: after a grant that came too late only the lock is given back
  UndoAfterLoss     \* FALSE: after a lease that was lost nothing is given back

VARIABLES
  (* The server. *)
  lock,      \* the request that holds it, or None
  number,    \* the last fencing token
  queue,     \* requests
  ranOut,    \* whether the lock is free because a lease ran out
  (* The network. *)
  out,       \* request -> the command that it waits for: under way, or answered
  strays,    \* request -> how many "join" and "rejoin" of it are under way that it does not wait for
  grants,    \* messages to inboxes, <<request, fencing token>>
  (* The requests. *)
  phase,     \* "idle", "wanting", "holding", "leaving", "over", "dead"
  placed,    \* whether an answer said that it stands in the queue
  unknown,   \* whether a command of it had no answer
  early,     \* the fencing token of a grant that came while a command was under way, or 0
  undo,      \* what is given back in the background: "no", "lock", "all"
  listens,   \* where the inbox of its client is open: "here", "elsewhere", "no"
  window,    \* the fencing token of its lease as long as its lease is not over for itself, or 0
  (* For the checks. *)
  faults, last, ordered

server == <<lock, number, queue, ranOut>>
vars == <<lock, number, queue, ranOut, out, strays, grants, phase, placed, unknown, early, undo, listens, window,
          faults, last, ordered>>

None == "none"
Nothing == <<"nothing">>
Range(s) == {s[i] : i \in DOMAIN s}
InQueue(r) == r \in Range(queue)

Init ==
  /\ lock = None /\ number = 0 /\ queue = <<>> /\ ranOut = FALSE
  /\ out = [r \in Requests |-> Nothing]
  /\ strays = [r \in Requests |-> [join |-> 0, rejoin |-> 0]]
  /\ grants = {}
  /\ phase = [r \in Requests |-> "idle"]
  /\ placed = [r \in Requests |-> FALSE]
  /\ unknown = [r \in Requests |-> FALSE]
  /\ early = [r \in Requests |-> 0]
  /\ undo = [r \in Requests |-> "no"]
  /\ listens = [r \in Requests |-> "here"]
  /\ window = [r \in Requests |-> 0]
  /\ faults = 0 /\ last = 0 /\ ordered = TRUE

Fault == faults < Faults /\ faults' = faults + 1

-----------------------------------------------------------------------------
(* The scripts. Each says what becomes of lock, number, queue, ranOut, grants and window. *)

(* Out of the queue until one listens here, or until it is the turn of own. Misled are those that are told and not granted. *)
RECURSIVE Heir(_, _)
Heir(q, own) ==
  IF q = <<>> THEN [to |-> None, rest |-> <<>>, misled |-> {}]
  ELSE IF Head(q) = own THEN [to |-> None, rest |-> Tail(q), misled |-> {}]
  ELSE IF listens[Head(q)] = "here" \/ ~HandOverListens THEN [to |-> Head(q), rest |-> Tail(q), misled |-> {}]
  ELSE LET behind == Heir(Tail(q), own) IN
       IF listens[Head(q)] = "elsewhere" /\ ~AsksFirst
       THEN [behind EXCEPT !.misled = @ \cup {Head(q)}]
       ELSE behind

(* A message is all that a client knows of a grant: it cannot tell whether the lock was set. *)
Told(rs) == grants' = grants \cup {<<r, number + 1>> : r \in rs}
Believe(rs) == window' = [r \in Requests |-> IF r \in rs THEN number + 1 ELSE window[r]]

GivenTo(r, heir, q) ==
  /\ lock' = r /\ number' = number + 1 /\ queue' = q /\ ranOut' = FALSE
  /\ Believe({r} \cup heir.misled)

Without(r, q) ==
  IF r \notin Range(q) THEN q
  ELSE LET i == CHOOSE i \in DOMAIN q : q[i] = r /\ \A j \in DOMAIN q : q[j] = r => i <= j
       IN SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

Joined(r, how, q) == IF how = "rejoin" /\ r \in Range(q) THEN q ELSE Append(q, r)

(* reply is where the answer goes, if anybody waits for it. *)
Acquire(r, how, reply(_)) ==
  IF lock = None THEN
    LET heir == Heir(queue, r) IN
    IF heir.to = None THEN
      GivenTo(r, heir, heir.rest) /\ Told(heir.misled) /\ reply(<<"granted", number + 1>>)
    ELSE
      /\ GivenTo(heir.to, heir, Joined(r, how, heir.rest))
      /\ Told({heir.to} \cup heir.misled)
      /\ reply(<<"busy", number + 1>>)
  ELSE IF lock = r THEN
    (* The hold goes on, with the number that it has. *)
    /\ window' = [window EXCEPT ![r] = number]
    /\ reply(<<"granted", number>>)
    /\ UNCHANGED <<lock, number, queue, ranOut, grants>>
  ELSE
    /\ queue' = IF JoinLooks THEN Joined(r, how, queue) ELSE queue
    /\ reply(IF JoinLooks THEN <<"busy", number>> ELSE <<"joins", how>>)
    /\ UNCHANGED <<lock, number, ranOut, grants, window>>

Release(r, q, holds) ==
  IF ~holds THEN
    queue' = q /\ UNCHANGED <<lock, number, ranOut, grants, window>>
  ELSE
    LET heir == Heir(q, None) IN
    IF heir.to = None THEN
      /\ lock' = None /\ queue' = heir.rest /\ ranOut' = FALSE
      /\ number' = IF heir.misled = {} THEN number ELSE number + 1
      /\ Told(heir.misled) /\ Believe(heir.misled)
    ELSE
      /\ GivenTo(heir.to, heir, heir.rest)
      /\ Told({heir.to} \cup heir.misled)

Holds(r) == IF ReleaseCompares THEN lock = r ELSE lock # None

-----------------------------------------------------------------------------
(* Commands arrive at the server. *)

Arrive(r) ==
  /\ out[r] \in {<<"join">>, <<"rejoin">>}
  /\ Acquire(r, out[r][1], LAMBDA answer : out' = [out EXCEPT ![r] = answer])
  /\ UNCHANGED <<strays, phase, placed, unknown, early, undo, listens, faults, last, ordered>>

(* Only where looking and joining are two steps. *)
Join(r) ==
  /\ out[r][1] = "joins"
  /\ queue' = Joined(r, out[r][2], queue)
  /\ out' = [out EXCEPT ![r] = <<"busy", number>>]
  /\ UNCHANGED <<lock, number, ranOut, strays, grants, phase, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

ArriveStray(r, how) ==
  /\ strays[r][how] > 0
  /\ strays' = [strays EXCEPT ![r][how] = @ - 1]
  /\ Acquire(r, how, LAMBDA answer : TRUE)
  /\ UNCHANGED <<out, phase, placed, unknown, early, undo, listens, faults, last, ordered>>

LoseStray(r, how) ==
  /\ strays[r][how] > 0
  /\ strays' = [strays EXCEPT ![r][how] = @ - 1]
  /\ UNCHANGED <<lock, number, queue, ranOut, out, grants, phase, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

ArriveRelease(r) ==
  /\ out[r] \in {<<"withdraw">>, <<"release">>}
  /\ out' = [out EXCEPT ![r] = <<"released">>]
  /\ IF out[r] = <<"withdraw">>
     THEN Release(r, Without(r, queue), GrantGivenBack /\ Holds(r))
     ELSE Release(r, queue, Holds(r))
  /\ UNCHANGED <<strays, phase, placed, unknown, early, undo, listens, faults, last, ordered>>

(* A release in the background, and its answer. It stops when it has found nothing at last, and nothing can come after. *)
ArriveUndo(r) ==
  /\ undo[r] # "no"
  /\ LET q == IF undo[r] = "all" THEN Without(r, queue) ELSE queue
         nothing == q = queue /\ ~Holds(r) /\ strays[r] = [join |-> 0, rejoin |-> 0]
         believed == ~UndoDoubtsYes /\ Holds(r)
     IN /\ Release(r, q, Holds(r))
        /\ undo' = IF nothing \/ believed \/ ~UndoRepeats THEN [undo EXCEPT ![r] = "no"] ELSE undo
  /\ UNCHANGED <<out, strays, phase, placed, unknown, early, listens, faults, last, ordered>>

-----------------------------------------------------------------------------
(* What a request does. *)

Begin(r) ==
  /\ phase[r] = "idle"
  /\ phase' = [phase EXCEPT ![r] = "wanting"]
  /\ out' = [out EXCEPT ![r] = <<"join">>]
  /\ UNCHANGED <<lock, number, queue, ranOut, strays, grants, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

Look(r) ==
  /\ LooksAgain
  /\ phase[r] = "wanting" /\ out[r] = Nothing
  /\ out' = [out EXCEPT ![r] = <<"rejoin">>]
  /\ UNCHANGED <<lock, number, queue, ranOut, strays, grants, phase, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

(* It has ended; a command of it that had no answer may still come. *)
End(r, given) ==
  /\ phase' = [phase EXCEPT ![r] = "over"]
  /\ undo' = [undo EXCEPT ![r] = given]
  /\ early' = [early EXCEPT ![r] = 0]
  /\ placed' = [placed EXCEPT ![r] = FALSE]
  /\ unknown' = [unknown EXCEPT ![r] = FALSE]

Remaining(r) == IF unknown[r] THEN "all" ELSE "no"

(* It has the lock with number n, or had: then it gives back what it has, and asks anew, as another request. *)
Granted(r, n) ==
  /\ out' = [out EXCEPT ![r] = Nothing]
  /\ IF window[r] = n THEN
       /\ phase' = [phase EXCEPT ![r] = "holding"]
       /\ placed' = [placed EXCEPT ![r] = FALSE]
       /\ early' = [early EXCEPT ![r] = 0]
       /\ last' = n /\ ordered' = (ordered /\ n > last)
       /\ UNCHANGED <<undo, unknown>>
     ELSE
       /\ End(r, IF UndoAfterLate THEN "all" ELSE "lock")
       /\ UNCHANGED <<last, ordered>>

Answer(r) ==
  /\ out[r][1] \in {"granted", "busy", "released"}
  /\ CASE out[r][1] = "granted" /\ phase[r] = "wanting" -> Granted(r, out[r][2])
       [] out[r][1] = "granted" /\ phase[r] = "leaving" ->
            (* Withdrawn meanwhile. *)
            /\ out' = [out EXCEPT ![r] = <<"release">>]
            /\ placed' = [placed EXCEPT ![r] = FALSE]
            /\ early' = [early EXCEPT ![r] = 0]
            /\ UNCHANGED <<phase, unknown, undo, last, ordered>>
       [] out[r][1] = "busy" /\ phase[r] = "wanting" /\ early[r] > out[r][2] -> Granted(r, early[r])
       [] out[r][1] = "busy" /\ phase[r] = "wanting" /\ early[r] <= out[r][2] ->
            (* A grant that came before, and is older than this answer, was lost again. *)
            /\ out' = [out EXCEPT ![r] = Nothing]
            /\ placed' = [placed EXCEPT ![r] = TRUE]
            /\ early' = [early EXCEPT ![r] = 0]
            /\ UNCHANGED <<phase, unknown, undo, last, ordered>>
       [] out[r][1] = "busy" /\ phase[r] = "leaving" ->
            /\ out' = [out EXCEPT ![r] = <<"withdraw">>]
            /\ early' = [early EXCEPT ![r] = 0]
            /\ UNCHANGED <<phase, placed, unknown, undo, last, ordered>>
       [] out[r][1] = "released" ->
            /\ out' = [out EXCEPT ![r] = Nothing]
            /\ End(r, Remaining(r))
            /\ UNCHANGED <<last, ordered>>
  /\ UNCHANGED <<lock, number, queue, ranOut, strays, grants, listens, window, faults>>

(* A command has no answer: what it does at the server it may have done, may do yet, or never does. *)
Abandoned(r) ==
  strays' = IF out[r] \in {<<"join">>, <<"rejoin">>} THEN [strays EXCEPT ![r][out[r][1]] = @ + 1] ELSE strays

(* The connection is cut, and it asks once more. *)
AskOnceMore(r) ==
  /\ Fault /\ Abandoned(r)
  /\ phase[r] = "wanting" /\ out[r] # Nothing
  /\ out' = [out EXCEPT ![r] = <<"rejoin">>]
  /\ unknown' = [unknown EXCEPT ![r] = TRUE]
  /\ UNCHANGED <<lock, number, queue, ranOut, grants, phase, placed, early, undo, listens, window, last, ordered>>

(* It times out, and the request fails. *)
Fail(r) ==
  /\ Fault /\ Abandoned(r)
  /\ phase[r] \in {"wanting", "leaving"} /\ out[r] # Nothing
  /\ CASE out[r][1] \in {"withdraw", "release", "released"} ->
            out' = [out EXCEPT ![r] = Nothing] /\ End(r, IF out[r] = <<"release">> /\ ~unknown[r] THEN "lock" ELSE "all")
       [] OTHER -> IF placed[r]
            THEN
              /\ phase' = [phase EXCEPT ![r] = "leaving"]
              /\ out' = [out EXCEPT ![r] = <<"withdraw">>]
              /\ unknown' = [unknown EXCEPT ![r] = TRUE]
              /\ early' = [early EXCEPT ![r] = 0]
              /\ UNCHANGED <<placed, undo>>
            ELSE out' = [out EXCEPT ![r] = Nothing] /\ End(r, "all")
  /\ UNCHANGED <<lock, number, queue, ranOut, grants, listens, window, last, ordered>>

Withdraw(r) ==
  /\ phase[r] = "wanting"
  /\ phase' = [phase EXCEPT ![r] = "leaving"]
  /\ out' = IF out[r] = Nothing THEN [out EXCEPT ![r] = <<"withdraw">>] ELSE out
  /\ UNCHANGED <<lock, number, queue, ranOut, strays, grants, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

GiveBack(r) ==
  /\ phase[r] = "holding"
  /\ phase' = [phase EXCEPT ![r] = "leaving"]
  /\ out' = [out EXCEPT ![r] = <<"release">>]
  /\ UNCHANGED <<lock, number, queue, ranOut, strays, grants, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

(* A message reaches the inbox. One for a request that does not wait is of no use. *)
Hear(r, n) ==
  /\ <<r, n>> \in grants
  /\ grants' = grants \ {<<r, n>>}
  /\ IF phase[r] # "wanting" THEN UNCHANGED <<out, phase, placed, unknown, early, undo, last, ordered>>
     ELSE IF out[r] = Nothing THEN Granted(r, n)
     ELSE early' = [early EXCEPT ![r] = n] /\ UNCHANGED <<out, phase, placed, unknown, undo, last, ordered>>
  /\ UNCHANGED <<lock, number, queue, ranOut, strays, listens, window, faults>>

LoseMessage(r, n) ==
  /\ Fault
  /\ <<r, n>> \in grants
  /\ grants' = grants \ {<<r, n>>}
  /\ UNCHANGED <<lock, number, queue, ranOut, out, strays, phase, placed, unknown, early, undo, listens, window,
                 last, ordered>>

-----------------------------------------------------------------------------
(* Time, and death. *)

LeaseEnds(r) ==
  /\ window[r] # 0
  /\ window' = [window EXCEPT ![r] = 0]
  /\ IF phase[r] \in {"wanting", "holding", "leaving"} THEN Fault ELSE UNCHANGED faults
  /\ IF phase[r] = "holding"
     THEN End(r, IF UndoAfterLoss THEN Remaining(r) ELSE "no")
     ELSE UNCHANGED <<phase, placed, unknown, early, undo>>
  /\ UNCHANGED <<lock, number, queue, ranOut, out, strays, grants, listens, last, ordered>>

Expire ==
  /\ lock # None /\ window[lock] = 0
  /\ lock' = None /\ ranOut' = TRUE
  /\ UNCHANGED <<number, queue, out, strays, grants, phase, placed, unknown, early, undo, listens, window,
                 faults, last, ordered>>

Die(r) ==
  /\ Fault /\ Abandoned(r)
  /\ phase[r] \notin {"idle", "dead"}
  /\ phase' = [phase EXCEPT ![r] = "dead"]
  /\ out' = [out EXCEPT ![r] = Nothing]
  /\ undo' = [undo EXCEPT ![r] = "no"]
  /\ placed' = [placed EXCEPT ![r] = FALSE]
  /\ unknown' = [unknown EXCEPT ![r] = FALSE]
  /\ early' = [early EXCEPT ![r] = 0]
  /\ UNCHANGED <<lock, number, queue, ranOut, grants, listens, window, last, ordered>>

(* The server notices that the connection of its inbox is closed. *)
Deaf(r) ==
  /\ phase[r] = "dead" /\ listens[r] # "no"
  /\ listens' = [listens EXCEPT ![r] = "no"]
  /\ grants' = {g \in grants : g[1] # r}
  /\ UNCHANGED <<lock, number, queue, ranOut, out, strays, phase, placed, unknown, early, undo, window,
                 faults, last, ordered>>

(* Another server has what the old one had, and the inboxes stay where they are. *)
Failover ==
  /\ Fault
  /\ LET moved == {r \in Requests : listens[r] = "here" /\ phase[r] # "idle"} IN
     /\ moved # {}
     /\ listens' = [r \in Requests |-> IF r \in moved THEN "elsewhere" ELSE listens[r]]
  /\ UNCHANGED <<lock, number, queue, ranOut, out, strays, grants, phase, placed, unknown, early, undo, window,
                 last, ordered>>

(* A probe finds that the server does not know the inbox, and it is opened again, there. *)
Reopen(r) ==
  /\ listens[r] = "elsewhere" /\ phase[r] # "dead"
  /\ listens' = [listens EXCEPT ![r] = "here"]
  /\ UNCHANGED <<lock, number, queue, ranOut, out, strays, grants, phase, placed, unknown, early, undo, window,
                 faults, last, ordered>>

Next ==
  \/ \E r \in Requests :
       \/ Arrive(r) \/ Join(r) \/ ArriveRelease(r) \/ ArriveUndo(r)
       \/ Begin(r) \/ Look(r) \/ Answer(r) \/ AskOnceMore(r) \/ Fail(r) \/ Withdraw(r) \/ GiveBack(r)
       \/ LeaseEnds(r) \/ Die(r) \/ Deaf(r) \/ Reopen(r)
       \/ \E how \in {"join", "rejoin"} : ArriveStray(r, how) \/ LoseStray(r, how)
  \/ \E g \in grants : Hear(g[1], g[2]) \/ LoseMessage(g[1], g[2])
  \/ Expire \/ Failover

Spec == Init /\ [][Next]_vars

(* What is on its way arrives, holders release, leases end, and who waits looks again; nobody has to withdraw. *)
Fair ==
  /\ WF_vars(Expire)
  /\ WF_vars(\E g \in grants : Hear(g[1], g[2]))
  /\ \A r \in Requests :
       /\ WF_vars(Arrive(r)) /\ WF_vars(Join(r)) /\ WF_vars(ArriveRelease(r)) /\ WF_vars(ArriveUndo(r))
       /\ WF_vars(Look(r)) /\ WF_vars(Answer(r)) /\ WF_vars(GiveBack(r)) /\ WF_vars(LeaseEnds(r)) /\ WF_vars(Deaf(r))

FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
Believes(r) == phase[r] = "holding" /\ window[r] # 0

OneHolder == Cardinality({r \in Requests : Believes(r)}) <= 1
HolderOwns == \A r \in Requests : Believes(r) => lock = r
Ordered == ordered
NothingLeft == \A r \in Requests :
  phase[r] = "over" /\ undo[r] = "no" /\ strays[r] = [join |-> 0, rejoin |-> 0]
    => ~InQueue(r) /\ (lock = r => window[r] = 0)
NoLostWakeUp == lock = None /\ queue # <<>> => ranOut

(* Not the one whose own command takes the lock: that one asks, and so is not handed anything. *)
HandedToEars ==
  [][\A r \in Requests : grants' # grants /\ <<r, number'>> \in grants' \ grants => listens[r] = "here"]_vars

Served == \A r \in Requests : phase[r] = "wanting" ~> phase[r] # "wanting"

Alike == Permutations(Requests)
=============================================================================
