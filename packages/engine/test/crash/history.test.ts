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

test('what a killed process held is told, with when another took it up and when it got further', () => {
  const claims = [claim('dead', 50), claim(null, 200, { recovered: true }), claim('other', 300), claim(null, 400, { state: 'completed' })]
  expect(recoveriesOf('one', claims, killOf)).toEqual([
    { executionId: 'one', pid: 1, killedAtMs: 100, takenUpAtMs: 300, progressAtMs: 400 },
  ])
})

test('what a process had given away or ended before it was killed is not told', () => {
  expect(recoveriesOf('one', [claim('dead', 50), claim(null, 60, { state: 'waiting' }), claim('other', 300)], killOf)).toEqual([])
})

test('what nobody takes up has no progress, and being put on the queue is none', () => {
  const [recovery] = recoveriesOf('one', [claim('dead', 50), claim(null, 200, { recovered: true })], killOf)
  expect(recovery).toMatchObject({ takenUpAtMs: undefined, progressAtMs: undefined })
})

test('a write of the dead process that arrives after it is progress, and so is being given up', () => {
  expect(recoveriesOf('one', [claim('dead', 50), claim(null, 101, { state: 'completed' })], killOf)[0]?.progressAtMs).toBe(101)
  const letter = [claim('dead', 50), claim(null, 150, { recovered: true }), claim(null, 150, { state: 'faulted' })]
  expect(recoveriesOf('one', letter, killOf)[0]?.progressAtMs).toBe(150)
})

test("what a process has lost with its connection is nobody's until another process has it", () => {
  const nobody = '00000000-0000-0000-0000-000000000000'
  const claims = [claim('alive', 50), claim(nobody, 100), claim(null, 200, { recovered: true }), claim('other', 300)]
  const loss = { executionId: 'one', pid: undefined, takenUpAtMs: 300, progressAtMs: 300 }
  expect(lossesOf('one', claims)).toEqual([
    { ...loss, killedAtMs: 100 },
    { ...loss, killedAtMs: 200 },
  ])
  expect(lossesOf('one', [claim('alive', 50), claim(null, 60, { state: 'waiting' }), claim('alive', 70)])).toEqual([])
  expect(lossesOf('one', [claim('alive', 50), claim(nobody, 100)])).toMatchObject([{ progressAtMs: undefined }])
})
