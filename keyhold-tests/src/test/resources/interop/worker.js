'use strict';

// Locks with redis-exp-lock on behalf of a test, which writes commands to stdin, one a line, and reads replies on stdout:
//
//   take ID KEY LIFETIME RETRIES   replies "ID taken RETRIES" or "ID refused"; "ID busy" as soon as it has to wait
//   release ID                     replies "ID released" or "ID gone" when the lock was no longer its own
//   contend ID KEY GOAL            holds the lock again and again until the counter reaches GOAL; replies "ID busy" when it
//                                  first has to wait, then "ID contended HOLDS" or "ID violation WHAT"
//
// Anything unexpected ends the process with its reason on stderr.

const readline = require('readline');
const { promisify } = require('util');
const redis = require('redis');
const redisExpLock = require('redis-exp-lock');

const RETRY_MILLIS = 1;

const client = redis.createClient(process.argv[2]);
const releases = new Map();

function reply(...words) {
  process.stdout.write(words.join(' ') + '\n');
}

// The same client, with a callback when a script returns 0: the lock is taken, or was not ours.
function observed(onZero) {
  const watch = (callback) => (error, result) => {
    if (result === 0) onZero();
    callback(error, result);
  };
  const tap = (name) => (...args) => client[name](...args.slice(0, -1), watch(args[args.length - 1]));
  return { evalsha: tap('evalsha'), eval: tap('eval') };
}

// Reports once that ID has to wait.
function busyOnce(id) {
  let told = false;
  return () => {
    if (!told) reply(id, 'busy');
    told = true;
  };
}

// Resolves to { retries, release }, or to null when the retries are spent.
function take(key, lifetime, maxRetries, onBusy) {
  let waiting = true;
  const watched = observed(() => waiting && onBusy());
  const withLock = redisExpLock({ redis: watched, lifetime, maxRetries, retryTimeout: RETRY_MILLIS });
  return new Promise((resolve, reject) => {
    withLock(key, (error, retries, release) => {
      waiting = false;
      if (!error) resolve({ retries, release: promisify(release) });
      else if (error.message === 'Exceeded max retry count') resolve(null);
      else reject(error);
    });
  });
}

// One hold; returns whether there is more to do. The count is read and written in two steps: that needs the lock.
async function countOnce(call, key, goal, onBusy) {
  const hold = await take(key, 60000, Infinity, onBusy);
  if (!await call.setnx(key + ':inside', 'node')) {
    throw new Error('node came in while ' + await call.get(key + ':inside') + ' was inside');
  }
  const count = Number(await call.get(key + ':count'));
  if (count < goal) await call.set(key + ':count', count + 1);
  await call.del(key + ':inside');
  if (!await hold.release()) throw new Error('the lock of node was gone before its release');
  return count < goal;
}

async function contend(key, goal, onBusy) {
  const call = {};
  for (const name of ['setnx', 'get', 'set', 'del']) call[name] = promisify(client[name]).bind(client);
  let holds = 0;
  while (await countOnce(call, key, goal, onBusy)) holds++;
  return holds;
}

const orders = {
  async take(id, key, lifetime, retries) {
    const hold = await take(key, Number(lifetime), Number(retries), busyOnce(id));
    if (!hold) return reply(id, 'refused');
    releases.set(id, hold.release);
    reply(id, 'taken', hold.retries);
  },

  async release(id) {
    reply(id, await releases.get(id)() ? 'released' : 'gone');
  },

  async contend(id, key, goal) {
    try {
      reply(id, 'contended', await contend(key, Number(goal), busyOnce(id)));
    } catch (violation) {
      reply(id, 'violation', violation.message);
    }
  },
};

function fail(error) {
  console.error(error);
  process.exit(1);
}

client.on('error', fail);
const lines = readline.createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [order, ...args] = line.split(' ');
  orders[order](...args).catch(fail);
});
// The test is over, or has died.
lines.on('close', () => process.exit(0));
