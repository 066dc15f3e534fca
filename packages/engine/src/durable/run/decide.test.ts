import { expect, test } from 'vitest'
import { decide, type RunAction, type RunFacts } from './decide.ts'

const idle: RunFacts = {
  phase: 'running',
  shutdown: 'none',
  isForced: false,
  isAtEnd: false,
  hasCommand: false,
  hasMove: false,
  waitsForTurn: false,
  stall: 'none',
  pause: 'none',
  hasGated: false,
  hasOpenGate: false,
  hasUnwritten: false,
  isWriting: false,
  isPerforming: false,
  isParkable: false,
}
/** A run with several things to do. */
const busy: Partial<RunFacts> = { hasCommand: true, hasMove: true, hasGated: true, hasOpenGate: true, hasUnwritten: true }
const suspending: Partial<RunFacts> = { shutdown: 'suspend' }
const releasing: Partial<RunFacts> = { shutdown: 'release' }

test.each<[action: RunAction, when: string, facts: Partial<RunFacts>]>([
  ['wait', 'nothing has happened', {}],
  ['wait', 'it is over, with inputs left', { ...busy, phase: 'over' }],
  ['finish', 'its machine has ended, before commands and writes', { ...busy, isAtEnd: true }],
  ['finish', 'it must fault while its machine is stalled', { isAtEnd: true, stall: 'arranged' }],
  ['write', 'its end is in the outbox', { phase: 'ending', isAtEnd: true, hasUnwritten: true }],
  ['wait', 'its end is being written', { phase: 'ending', isAtEnd: true, isWriting: true, hasUnwritten: true }],
  ['apply', 'a command arrived, before moves and writes', busy],
  ['apply', 'a command arrived while its end is being written', { phase: 'ending', isWriting: true, hasCommand: true }],
  ['move', 'an outcome arrived, before the next write', { ...busy, hasCommand: false }],
  ['move', 'an outcome arrived while it shuts down', { ...suspending, hasMove: true }],
  ['write', 'an outcome waits for the turn of its account', { hasMove: true, waitsForTurn: true, hasUnwritten: true }],
  ['wait', 'an outcome waits for the turn, and nothing else is to be done', { hasMove: true, waitsForTurn: true, isParkable: true }],
  ['resume', 'its machine has stalled', { stall: 'new', hasMove: true, hasUnwritten: true }],
  ['write', 'its machine is to be resumed, and an outcome waits for that', { stall: 'arranged', hasMove: true, hasUnwritten: true }],
  ['proceed', 'its machine has paused', { pause: 'new', hasUnwritten: true }],
  ['move', 'its machine has paused, and an outcome arrived', { pause: 'new', hasMove: true }],
  ['write', 'its machine is to proceed', { pause: 'arranged', hasUnwritten: true }],
  ['wait', 'its machine is to proceed, and nothing else is under way', { pause: 'arranged', isParkable: true }],
  ['perform', 'everything before an effect is committed, before the next write', { hasGated: true, hasOpenGate: true, hasUnwritten: true }],
  ['perform', 'everything before an effect is committed while the next write is under way', { hasOpenGate: true, isWriting: true }],
  ['wait', 'an effect waits for a commit', { hasGated: true, isWriting: true }],
  ['hand-over', 'an effect could begin but for a suspension', { ...suspending, hasGated: true, hasOpenGate: true }],
  ['write', 'something is unwritten', { hasUnwritten: true }],
  ['wait', 'something is unwritten and a write is under way', { hasUnwritten: true, isWriting: true }],
  ['park', 'all that is under way can wait elsewhere', { isParkable: true }],
  ['wait', 'all that is under way could wait elsewhere once a write is committed', { isParkable: true, isWriting: true }],
  ['wait', 'an effect is gated beside a long wait', { isParkable: true, hasGated: true }],
  ['wait', 'a computation is under way beside a long wait', { isParkable: true, stall: 'arranged' }],
  ['park', 'it is released while it waits for long', { ...releasing, isParkable: true }],
  ['hand-over', 'it is suspended while it waits for long', { ...suspending, isParkable: true }],
  ['hand-over', 'it is released and performs nothing', releasing],
  ['wait', 'it is released and performs an effect', { ...releasing, isPerforming: true }],
  ['hand-over', 'it is released in the middle of a computation', { ...releasing, stall: 'arranged' }],
  ['wait', 'it is released and an outcome waits to be recorded', { ...releasing, stall: 'arranged', hasMove: true }],
  [
    'hand-over',
    'it is released by force and an outcome waits to be recorded',
    { ...releasing, isForced: true, stall: 'arranged', hasMove: true },
  ],
  ['write', 'it is released and something is unwritten', { ...releasing, hasUnwritten: true }],
])('a run decides to %s when %s', (action, _when, facts) => {
  expect(decide({ ...idle, ...facts })).toBe(action)
})
