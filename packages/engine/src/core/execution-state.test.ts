import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  executionStates,
  executionTransitions,
  initialStates,
  isParked,
  isTerminal,
  mayFollow,
  parkedStatesSql,
  terminalStatesSql,
  unfinishedStatesSql,
} from './execution-state.ts'

test('the list of execution states names each state of the transition table once', () => {
  expect(executionStates.toSorted()).toEqual(Object.keys(executionTransitions).toSorted())
})

test('each execution state is parked, running or terminal', () => {
  const kindOf = (state: (typeof executionStates)[number]) => (isTerminal(state) ? 'terminal' : isParked(state) ? 'parked' : 'running')
  expect(Object.fromEntries(executionStates.map((state) => [state, kindOf(state)]))).toEqual({
    pending: 'parked',
    running: 'running',
    waiting: 'parked',
    suspended: 'parked',
    completed: 'terminal',
    faulted: 'terminal',
    cancelled: 'terminal',
  })
})

test('every execution state is reachable from an initial state', () => {
  const reached = new Set(initialStates)
  for (const state of reached) for (const next of executionTransitions[state]) reached.add(next)
  expect([...reached].toSorted()).toEqual(executionStates.toSorted())
})

test('a terminal execution state is reached by a transition, and left by none', () => {
  for (const state of executionStates.filter(isTerminal)) {
    expect(executionStates.some((from) => mayFollow(from, state))).toBe(true)
    expect(executionStates.some((to) => mayFollow(state, to))).toBe(false)
  }
})

test('the SQL lists of execution states are those of the predicates', () => {
  expect(terminalStatesSql).toBe("('completed', 'faulted', 'cancelled')")
  expect(unfinishedStatesSql).toBe("('pending', 'running', 'waiting', 'suspended')")
  expect(parkedStatesSql).toBe("('pending', 'waiting', 'suspended')")
})

test('the diagram of execution states in docs/ARCHITECTURE.md shows the transition table', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../../docs/ARCHITECTURE.md'), 'utf8')
  const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} ${to}`)
  const allowed = Object.entries(executionTransitions).flatMap(([from, following]) => following.map((to) => `${from} ${to}`))
  expect(drawn.toSorted()).toEqual(allowed.toSorted())
})
