import { expect, test } from 'vitest'
import { lossesOf, recoveriesOf } from './history.ts'

const kill = { pid: 1, spawnedAtMs: 0, atMs: 100, place: 'anywhere' }
const killOf = new Map([['dead', kill]])
const claim = (by: string | null, at: number, more: { readonly state?: string; readonly recovered?: boolean } = {}) => ({
  execution_id: 'one',
  claimed_by: by,
  state: more.state ?? (by === null ? 'pending' : 'running'),
  recovered: more.recovered ?? false,
  at,
})

test('a recovery has the times of the next claim and of the next progress', () => {
  const claims = [claim('dead', 50), claim(null, 200, { recovered: true }), claim('other', 300), claim(null, 400, { state: 'completed' })]
  expect(recoveriesOf('one', claims, killOf)).toEqual([
    { executionId: 'one', pid: 1, killedAtMs: 100, takenUpAtMs: 300, progressAtMs: 400 },
  ])
})

test('an execution that was released or ended before the kill has no recovery', () => {
  expect(recoveriesOf('one', [claim('dead', 50), claim(null, 60, { state: 'waiting' }), claim('other', 300)], killOf)).toEqual([])
})

test('an execution without a new claim has no progress, and returning to the queue is not progress', () => {
  const [recovery] = recoveriesOf('one', [claim('dead', 50), claim(null, 200, { recovered: true })], killOf)
  expect(recovery).toMatchObject({ takenUpAtMs: undefined, progressAtMs: undefined })
})

test('a late write of the dead process is progress, and so is becoming a dead letter', () => {
  expect(recoveriesOf('one', [claim('dead', 50), claim(null, 101, { state: 'completed' })], killOf)[0]?.progressAtMs).toBe(101)
  const letter = [claim('dead', 50), claim(null, 150, { recovered: true }), claim(null, 150, { state: 'faulted' })]
  expect(recoveriesOf('one', letter, killOf)[0]?.progressAtMs).toBe(150)
})

test('an execution that its process released has no owner until another process claims it', () => {
  const noProcess = '00000000-0000-0000-0000-000000000000'
  const claims = [claim('alive', 50), claim(noProcess, 100), claim(null, 200, { recovered: true }), claim('other', 300)]
  const loss = { executionId: 'one', pid: undefined, takenUpAtMs: 300, progressAtMs: 300 }
  expect(lossesOf('one', claims)).toEqual([
    { ...loss, killedAtMs: 100 },
    { ...loss, killedAtMs: 200 },
  ])
  expect(lossesOf('one', [claim('alive', 50), claim(null, 60, { state: 'waiting' }), claim('alive', 70)])).toEqual([])
  expect(lossesOf('one', [claim('alive', 50), claim(noProcess, 100)])).toMatchObject([{ progressAtMs: undefined }])
})
