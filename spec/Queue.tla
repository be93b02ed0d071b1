------------------------------- MODULE Queue -------------------------------
(***************************************************************************)
(* The lock on one server, with its queue and its hand-over: the scripts   *)
(* acquire.lua, release.lua and handover.lua, each as one step, and the    *)
(* request around them (Acquisition, QueueSlot, BackgroundReleaser).       *)
(*                                                                         *)
(* Each request has its own token and its own client. It asks, and is      *)
(* granted the lock or enters the queue. From there the lock is handed     *)
(* over to it by a release, with a message on its grant channel. It polls  *)
(* at any time, withdraws at any time before it holds, and releases after. *)
(*                                                                         *)
(* Messages take any time and overtake each other. Other faults are        *)
(* counted, Faults at most: a command whose outcome its sender never       *)
(* learns, a message that is lost, a lease that ends before its holder is  *)
(* done, a client that dies, a failover.                                   *)
(*                                                                         *)
(* A failover loses no stored data, but the grant channels of clients may  *)
(* stay on the old server, which is then a replica: they receive what the  *)
(* new master publishes, and are not counted there ("elsewhere").          *)
(*                                                                         *)
(* Time is in one rule: a lease ends for its holder (LeaseEnds) before it  *)
(* ends on the server (Expire), because the holder counts from before the  *)
(* grant and allows for drift. And in one assumption: a command that was   *)
(* sent before its sender gave up arrives before the background release    *)
(* stops (three replies in a second). Otherwise a lock is left until its   *)
(* lease ends.                                                             *)
(*                                                                         *)
(* What is promised:                                                       *)
(*                                                                         *)
(* OneHolder         at most one request believes that it holds the lock.  *)
(* HolderOwns        and the lock on the server is held by that request.   *)
(* Ordered           fencing tokens grow in the order of the holds.        *)
(* NothingLeft       a request that has ended, and of which nothing is in  *)
(*                   flight, has neither the lock nor an entry in the      *)
(*                   queue.                                                *)
(* NoLostWakeUp      a free lock has no queue, unless a lease expired.     *)
(* HandedToListener  the lock is handed over only to an open grant         *)
(*                   channel.                                              *)
(* Served            no request waits for ever.                            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Requests,
  Faults,

  (* Parts of the algorithm, each of which can be switched off. *)
  WithdrawalReleases,      \* FALSE: a withdrawal only leaves the queue
  Polls,                   \* FALSE: a waiter relies on messages
  ReleaseCompares,         \* FALSE: a release frees the lock of any holder
  ReleaseRepeats,          \* FALSE: one release for a request of unknown outcome
  JoinIsAtomic,            \* FALSE: reading the lock and entering the queue are two steps
  HandOverChecksListener,  \* FALSE: the lock goes to the head of the queue, with or without an open channel
  ChecksBeforePublish,     \* FALSE: the grant is published first, and made only if a subscriber at this server was counted
  ReleaseDoubtsYes,        \* FALSE: the background release stops at the first reply that it released something
  ReleaseAfterLate,        \* FALSE: after a grant that came too late only the lock is released
  ReleaseAfterLoss         \* FALSE: after a lease that was lost nothing is released

VARIABLES
  (* The server. *)
  lock,        \* the request that holds it, or None
  number,      \* the last fencing token
  queue,       \* requests
  ranOut,      \* whether the lock is free because a lease ran out
  (* The network. *)
  out,         \* request -> the command that it waits for: in flight, or replied
  late,        \* request -> how many "join" and "rejoin" of it are in flight that it no longer waits for
  grants,      \* messages on grant channels, <<request, fencing token>>
  (* The requests. *)
  phase,       \* "idle", "waiting", "holding", "leaving", "over", "dead"
  queued,      \* whether a reply said that it is in the queue
  unknown,     \* whether a command of it had no reply
  early,       \* the fencing token of a grant that came while a command was in flight, or 0
  background,  \* what is released in the background: "no", "lock", "all"
  listens,     \* where the grant channel of its client is open: "here", "elsewhere", "no"
  window,      \* the fencing token of its lease until that ends for itself, or 0
  (* For the checks. *)
  faults, last, ordered

server == <<lock, number, queue, ranOut>>
vars == <<lock, number, queue, ranOut, out, late, grants, phase, queued, unknown, early, background, listens, window,
          faults, last, ordered>>

None == "none"
Nothing == <<"nothing">>
Range(s) == {s[i] : i \in DOMAIN s}
InQueue(r) == r \in Range(queue)

Init ==
  /\ lock = None /\ number = 0 /\ queue = <<>> /\ ranOut = FALSE
  /\ out = [r \in Requests |-> Nothing]
  /\ late = [r \in Requests |-> [join |-> 0, rejoin |-> 0]]
  /\ grants = {}
  /\ phase = [r \in Requests |-> "idle"]
  /\ queued = [r \in Requests |-> FALSE]
  /\ unknown = [r \in Requests |-> FALSE]
  /\ early = [r \in Requests |-> 0]
  /\ background = [r \in Requests |-> "no"]
  /\ listens = [r \in Requests |-> "here"]
  /\ window = [r \in Requests |-> 0]
  /\ faults = 0 /\ last = 0 /\ ordered = TRUE

Fault == faults < Faults /\ faults' = faults + 1

-----------------------------------------------------------------------------
(* The scripts. Each sets lock, number, queue, ranOut, grants and window. *)

(* Removes entries up to the first that listens here, or up to own. Misled requests get a message and no lock. *)
RECURSIVE Successor(_, _)
Successor(q, own) ==
  IF q = <<>> THEN [to |-> None, rest |-> <<>>, misled |-> {}]
  ELSE IF Head(q) = own THEN [to |-> None, rest |-> Tail(q), misled |-> {}]
  ELSE IF listens[Head(q)] = "here" \/ ~HandOverChecksListener THEN [to |-> Head(q), rest |-> Tail(q), misled |-> {}]
  ELSE LET behind == Successor(Tail(q), own) IN
       IF listens[Head(q)] = "elsewhere" /\ ~ChecksBeforePublish
       THEN [behind EXCEPT !.misled = @ \cup {Head(q)}]
       ELSE behind

(* A message is all that a client knows of a grant: it cannot tell whether the lock was set. *)
Published(rs) == grants' = grants \cup {<<r, number + 1>> : r \in rs}
Believe(rs) == window' = [r \in Requests |-> IF r \in rs THEN number + 1 ELSE window[r]]

GrantTo(r, successor, q) ==
  /\ lock' = r /\ number' = number + 1 /\ queue' = q /\ ranOut' = FALSE
  /\ Believe({r} \cup successor.misled)

Without(r, q) ==
  IF r \notin Range(q) THEN q
  ELSE LET i == CHOOSE i \in DOMAIN q : q[i] = r /\ \A j \in DOMAIN q : q[j] = r => i <= j
       IN SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

Joined(r, how, q) == IF how = "rejoin" /\ r \in Range(q) THEN q ELSE Append(q, r)

(* reply handles the result, if a request waits for it. *)
Acquire(r, how, reply(_)) ==
  IF lock = None THEN
    LET successor == Successor(queue, r) IN
    IF successor.to = None THEN
      GrantTo(r, successor, successor.rest) /\ Published(successor.misled) /\ reply(<<"granted", number + 1>>)
    ELSE
      /\ GrantTo(successor.to, successor, Joined(r, how, successor.rest))
      /\ Published({successor.to} \cup successor.misled)
      /\ reply(<<"busy", number + 1>>)
  ELSE IF lock = r THEN
    (* The hold goes on, with the number that it has. *)
    /\ window' = [window EXCEPT ![r] = number]
    /\ reply(<<"granted", number>>)
    /\ UNCHANGED <<lock, number, queue, ranOut, grants>>
  ELSE
    /\ queue' = IF JoinIsAtomic THEN Joined(r, how, queue) ELSE queue
    /\ reply(IF JoinIsAtomic THEN <<"busy", number>> ELSE <<"joins", how>>)
    /\ UNCHANGED <<lock, number, ranOut, grants, window>>

Release(r, q, holds) ==
  IF ~holds THEN
    queue' = q /\ UNCHANGED <<lock, number, ranOut, grants, window>>
  ELSE
    LET successor == Successor(q, None) IN
    IF successor.to = None THEN
      /\ lock' = None /\ queue' = successor.rest /\ ranOut' = FALSE
      /\ number' = IF successor.misled = {} THEN number ELSE number + 1
      /\ Published(successor.misled) /\ Believe(successor.misled)
    ELSE
      /\ GrantTo(successor.to, successor, successor.rest)
      /\ Published({successor.to} \cup successor.misled)

Holds(r) == IF ReleaseCompares THEN lock = r ELSE lock # None

-----------------------------------------------------------------------------
(* Commands arrive at the server. *)

Arrive(r) ==
  /\ out[r] \in {<<"join">>, <<"rejoin">>}
  /\ Acquire(r, out[r][1], LAMBDA result : out' = [out EXCEPT ![r] = result])
  /\ UNCHANGED <<late, phase, queued, unknown, early, background, listens, faults, last, ordered>>

(* Only where reading and joining are two steps. *)
Join(r) ==
  /\ out[r][1] = "joins"
  /\ queue' = Joined(r, out[r][2], queue)
  /\ out' = [out EXCEPT ![r] = <<"busy", number>>]
  /\ UNCHANGED <<lock, number, ranOut, late, grants, phase, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

ArriveLate(r, how) ==
  /\ late[r][how] > 0
  /\ late' = [late EXCEPT ![r][how] = @ - 1]
  /\ Acquire(r, how, LAMBDA result : TRUE)
  /\ UNCHANGED <<out, phase, queued, unknown, early, background, listens, faults, last, ordered>>

LoseLate(r, how) ==
  /\ late[r][how] > 0
  /\ late' = [late EXCEPT ![r][how] = @ - 1]
  /\ UNCHANGED <<lock, number, queue, ranOut, out, grants, phase, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

ArriveRelease(r) ==
  /\ out[r] \in {<<"withdraw">>, <<"release">>}
  /\ out' = [out EXCEPT ![r] = <<"released">>]
  /\ IF out[r] = <<"withdraw">>
     THEN Release(r, Without(r, queue), WithdrawalReleases /\ Holds(r))
     ELSE Release(r, queue, Holds(r))
  /\ UNCHANGED <<late, phase, queued, unknown, early, background, listens, faults, last, ordered>>

(* A background release, and its reply. It stops when it has found nothing, and nothing can arrive later. *)
ArriveBackgroundRelease(r) ==
  /\ background[r] # "no"
  /\ LET q == IF background[r] = "all" THEN Without(r, queue) ELSE queue
         nothing == q = queue /\ ~Holds(r) /\ late[r] = [join |-> 0, rejoin |-> 0]
         believed == ~ReleaseDoubtsYes /\ Holds(r)
     IN /\ Release(r, q, Holds(r))
        /\ background' = IF nothing \/ believed \/ ~ReleaseRepeats THEN [background EXCEPT ![r] = "no"] ELSE background
  /\ UNCHANGED <<out, late, phase, queued, unknown, early, listens, faults, last, ordered>>

-----------------------------------------------------------------------------
(* What a request does. *)

Begin(r) ==
  /\ phase[r] = "idle"
  /\ phase' = [phase EXCEPT ![r] = "waiting"]
  /\ out' = [out EXCEPT ![r] = <<"join">>]
  /\ UNCHANGED <<lock, number, queue, ranOut, late, grants, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

Poll(r) ==
  /\ Polls
  /\ phase[r] = "waiting" /\ out[r] = Nothing
  /\ out' = [out EXCEPT ![r] = <<"rejoin">>]
  /\ UNCHANGED <<lock, number, queue, ranOut, late, grants, phase, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

(* It has ended; a command of it without a reply may still arrive. *)
End(r, given) ==
  /\ phase' = [phase EXCEPT ![r] = "over"]
  /\ background' = [background EXCEPT ![r] = given]
  /\ early' = [early EXCEPT ![r] = 0]
  /\ queued' = [queued EXCEPT ![r] = FALSE]
  /\ unknown' = [unknown EXCEPT ![r] = FALSE]

Remaining(r) == IF unknown[r] THEN "all" ELSE "no"

(* It has the lock with number n, or had it: then it releases what it has, and asks again, as another request. *)
Granted(r, n) ==
  /\ out' = [out EXCEPT ![r] = Nothing]
  /\ IF window[r] = n THEN
       /\ phase' = [phase EXCEPT ![r] = "holding"]
       /\ queued' = [queued EXCEPT ![r] = FALSE]
       /\ early' = [early EXCEPT ![r] = 0]
       /\ last' = n /\ ordered' = (ordered /\ n > last)
       /\ UNCHANGED <<background, unknown>>
     ELSE
       /\ End(r, IF ReleaseAfterLate THEN "all" ELSE "lock")
       /\ UNCHANGED <<last, ordered>>

HandleReply(r) ==
  /\ out[r][1] \in {"granted", "busy", "released"}
  /\ CASE out[r][1] = "granted" /\ phase[r] = "waiting" -> Granted(r, out[r][2])
       [] out[r][1] = "granted" /\ phase[r] = "leaving" ->
            (* Withdrawn meanwhile. *)
            /\ out' = [out EXCEPT ![r] = <<"release">>]
            /\ queued' = [queued EXCEPT ![r] = FALSE]
            /\ early' = [early EXCEPT ![r] = 0]
            /\ UNCHANGED <<phase, unknown, background, last, ordered>>
       [] out[r][1] = "busy" /\ phase[r] = "waiting" /\ early[r] > out[r][2] -> Granted(r, early[r])
       [] out[r][1] = "busy" /\ phase[r] = "waiting" /\ early[r] <= out[r][2] ->
            (* A grant that came before, and is older than this reply, was lost again. *)
            /\ out' = [out EXCEPT ![r] = Nothing]
            /\ queued' = [queued EXCEPT ![r] = TRUE]
            /\ early' = [early EXCEPT ![r] = 0]
            /\ UNCHANGED <<phase, unknown, background, last, ordered>>
       [] out[r][1] = "busy" /\ phase[r] = "leaving" ->
            /\ out' = [out EXCEPT ![r] = <<"withdraw">>]
            /\ early' = [early EXCEPT ![r] = 0]
            /\ UNCHANGED <<phase, queued, unknown, background, last, ordered>>
       [] out[r][1] = "released" ->
            /\ out' = [out EXCEPT ![r] = Nothing]
            /\ End(r, Remaining(r))
            /\ UNCHANGED <<last, ordered>>
  /\ UNCHANGED <<lock, number, queue, ranOut, late, grants, listens, window, faults>>

(* A command has no reply: it was executed, may still be, or never is. *)
Abandoned(r) ==
  late' = IF out[r] \in {<<"join">>, <<"rejoin">>} THEN [late EXCEPT ![r][out[r][1]] = @ + 1] ELSE late

(* The connection is cut, and it asks once more. *)
Retry(r) ==
  /\ Fault /\ Abandoned(r)
  /\ phase[r] = "waiting" /\ out[r] # Nothing
  /\ out' = [out EXCEPT ![r] = <<"rejoin">>]
  /\ unknown' = [unknown EXCEPT ![r] = TRUE]
  /\ UNCHANGED <<lock, number, queue, ranOut, grants, phase, queued, early, background, listens, window, last, ordered>>

(* It times out, and the request fails. *)
Fail(r) ==
  /\ Fault /\ Abandoned(r)
  /\ phase[r] \in {"waiting", "leaving"} /\ out[r] # Nothing
  /\ CASE out[r][1] \in {"withdraw", "release", "released"} ->
            out' = [out EXCEPT ![r] = Nothing] /\ End(r, IF out[r] = <<"release">> /\ ~unknown[r] THEN "lock" ELSE "all")
       [] OTHER -> IF queued[r]
            THEN
              /\ phase' = [phase EXCEPT ![r] = "leaving"]
              /\ out' = [out EXCEPT ![r] = <<"withdraw">>]
              /\ unknown' = [unknown EXCEPT ![r] = TRUE]
              /\ early' = [early EXCEPT ![r] = 0]
              /\ UNCHANGED <<queued, background>>
            ELSE out' = [out EXCEPT ![r] = Nothing] /\ End(r, "all")
  /\ UNCHANGED <<lock, number, queue, ranOut, grants, listens, window, last, ordered>>

Withdraw(r) ==
  /\ phase[r] = "waiting"
  /\ phase' = [phase EXCEPT ![r] = "leaving"]
  /\ out' = IF out[r] = Nothing THEN [out EXCEPT ![r] = <<"withdraw">>] ELSE out
  /\ UNCHANGED <<lock, number, queue, ranOut, late, grants, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

StartRelease(r) ==
  /\ phase[r] = "holding"
  /\ phase' = [phase EXCEPT ![r] = "leaving"]
  /\ out' = [out EXCEPT ![r] = <<"release">>]
  /\ UNCHANGED <<lock, number, queue, ranOut, late, grants, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

(* A message arrives on the grant channel. One for a request that does not wait is ignored. *)
ReceiveGrant(r, n) ==
  /\ <<r, n>> \in grants
  /\ grants' = grants \ {<<r, n>>}
  /\ IF phase[r] # "waiting" THEN UNCHANGED <<out, phase, queued, unknown, early, background, last, ordered>>
     ELSE IF out[r] = Nothing THEN Granted(r, n)
     ELSE early' = [early EXCEPT ![r] = n] /\ UNCHANGED <<out, phase, queued, unknown, background, last, ordered>>
  /\ UNCHANGED <<lock, number, queue, ranOut, late, listens, window, faults>>

LoseMessage(r, n) ==
  /\ Fault
  /\ <<r, n>> \in grants
  /\ grants' = grants \ {<<r, n>>}
  /\ UNCHANGED <<lock, number, queue, ranOut, out, late, phase, queued, unknown, early, background, listens, window,
                 last, ordered>>

-----------------------------------------------------------------------------
(* Time, and death. *)

LeaseEnds(r) ==
  /\ window[r] # 0
  /\ window' = [window EXCEPT ![r] = 0]
  /\ IF phase[r] \in {"waiting", "holding", "leaving"} THEN Fault ELSE UNCHANGED faults
  /\ IF phase[r] = "holding"
     THEN End(r, IF ReleaseAfterLoss THEN Remaining(r) ELSE "no")
     ELSE UNCHANGED <<phase, queued, unknown, early, background>>
  /\ UNCHANGED <<lock, number, queue, ranOut, out, late, grants, listens, last, ordered>>

Expire ==
  /\ lock # None /\ window[lock] = 0
  /\ lock' = None /\ ranOut' = TRUE
  /\ UNCHANGED <<number, queue, out, late, grants, phase, queued, unknown, early, background, listens, window,
                 faults, last, ordered>>

Die(r) ==
  /\ Fault /\ Abandoned(r)
  /\ phase[r] \notin {"idle", "dead"}
  /\ phase' = [phase EXCEPT ![r] = "dead"]
  /\ out' = [out EXCEPT ![r] = Nothing]
  /\ background' = [background EXCEPT ![r] = "no"]
  /\ queued' = [queued EXCEPT ![r] = FALSE]
  /\ unknown' = [unknown EXCEPT ![r] = FALSE]
  /\ early' = [early EXCEPT ![r] = 0]
  /\ UNCHANGED <<lock, number, queue, ranOut, grants, listens, window, last, ordered>>

(* The server notices that the grant channel of a dead client is closed. *)
ChannelCloses(r) ==
  /\ phase[r] = "dead" /\ listens[r] # "no"
  /\ listens' = [listens EXCEPT ![r] = "no"]
  /\ grants' = {g \in grants : g[1] # r}
  /\ UNCHANGED <<lock, number, queue, ranOut, out, late, phase, queued, unknown, early, background, window,
                 faults, last, ordered>>

(* Another server has the data of the old one, and the grant channels stay on the old one. *)
Failover ==
  /\ Fault
  /\ LET moved == {r \in Requests : listens[r] = "here" /\ phase[r] # "idle"} IN
     /\ moved # {}
     /\ listens' = [r \in Requests |-> IF r \in moved THEN "elsewhere" ELSE listens[r]]
  /\ UNCHANGED <<lock, number, queue, ranOut, out, late, grants, phase, queued, unknown, early, background, window,
                 last, ordered>>

(* A probe finds that the server does not have the grant channel, and it is opened there again. *)
Reopen(r) ==
  /\ listens[r] = "elsewhere" /\ phase[r] # "dead"
  /\ listens' = [listens EXCEPT ![r] = "here"]
  /\ UNCHANGED <<lock, number, queue, ranOut, out, late, grants, phase, queued, unknown, early, background, window,
                 faults, last, ordered>>

Next ==
  \/ \E r \in Requests :
       \/ Arrive(r) \/ Join(r) \/ ArriveRelease(r) \/ ArriveBackgroundRelease(r)
       \/ Begin(r) \/ Poll(r) \/ HandleReply(r) \/ Retry(r) \/ Fail(r) \/ Withdraw(r) \/ StartRelease(r)
       \/ LeaseEnds(r) \/ Die(r) \/ ChannelCloses(r) \/ Reopen(r)
       \/ \E how \in {"join", "rejoin"} : ArriveLate(r, how) \/ LoseLate(r, how)
  \/ \E g \in grants : ReceiveGrant(g[1], g[2]) \/ LoseMessage(g[1], g[2])
  \/ Expire \/ Failover

Spec == Init /\ [][Next]_vars

(* Messages arrive, holders release, leases end, and waiters poll; no request has to withdraw. *)
Fair ==
  /\ WF_vars(Expire)
  /\ WF_vars(\E g \in grants : ReceiveGrant(g[1], g[2]))
  /\ \A r \in Requests :
       /\ WF_vars(Arrive(r)) /\ WF_vars(Join(r)) /\ WF_vars(ArriveRelease(r)) /\ WF_vars(ArriveBackgroundRelease(r))
       /\ WF_vars(Poll(r)) /\ WF_vars(HandleReply(r)) /\ WF_vars(StartRelease(r)) /\ WF_vars(LeaseEnds(r)) /\ WF_vars(ChannelCloses(r))

FairSpec == Spec /\ Fair

-----------------------------------------------------------------------------
Believes(r) == phase[r] = "holding" /\ window[r] # 0

OneHolder == Cardinality({r \in Requests : Believes(r)}) <= 1
HolderOwns == \A r \in Requests : Believes(r) => lock = r
Ordered == ordered
NothingLeft == \A r \in Requests :
  phase[r] = "over" /\ background[r] = "no" /\ late[r] = [join |-> 0, rejoin |-> 0]
    => ~InQueue(r) /\ (lock = r => window[r] = 0)
NoLostWakeUp == lock = None /\ queue # <<>> => ranOut

(* Not the request whose own command takes the lock: nothing is handed over to that one. *)
HandedToListener ==
  [][\A r \in Requests : grants' # grants /\ <<r, number'>> \in grants' \ grants => listens[r] = "here"]_vars

Served == \A r \in Requests : phase[r] = "waiting" ~> phase[r] # "waiting"

Alike == Permutations(Requests)
=============================================================================
