import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireInstanceLock, describeSelf, type LockOwner } from './instance-lock.ts'

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-lock-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true })
})

async function leaveLock(owner: Partial<LockOwner>): Promise<void> {
  const self = await describeSelf('left behind', new Date('2026-01-02T03:04:05Z'))
  await writeFile(join(directory, 'instance.json'), JSON.stringify({ ...self, ...owner }))
}

async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

test('a locked directory is refused to a second process with the name of the first', async () => {
  const lock = await acquireInstanceLock(directory)
  await expect(acquireInstanceLock(directory)).rejects.toThrow(`process ${process.pid} on ${hostname()}, since `)
  await lock.release()
})

test('a released directory can be locked again and contains nothing but the lock', async () => {
  await (await acquireInstanceLock(directory)).release()
  const lock = await acquireInstanceLock(directory)
  expect(await readdir(directory)).toEqual(['instance.json'])
  await lock.release()
  expect(await readdir(directory)).toEqual([])
})

test('the lock of a process that has ended is taken over at once', async () => {
  await leaveLock({ pid: await endedProcess() })
  const lock = await acquireInstanceLock(directory)
  expect(JSON.parse(await readFile(lock.file, 'utf8'))).toMatchObject({ token: lock.token, pid: process.pid })
  expect(await readdir(directory)).toEqual(['instance.json'])
})

test('a process that got the id of a dead owner does not count as the owner', async () => {
  await leaveLock({ processStart: '1' })
  await expect(acquireInstanceLock(directory)).resolves.toMatchObject({ file: join(directory, 'instance.json') })
})

test('an owner in another container counts as dead once its heartbeat has stopped', async () => {
  await leaveLock({ namespace: 'another', host: 'another' })
  const old = new Date(Date.now() - 60_000)
  await utimes(join(directory, 'instance.json'), old, old)
  await expect(acquireInstanceLock(directory)).resolves.toMatchObject({ file: join(directory, 'instance.json') })
})

test('exactly one of many processes takes over the lock of a dead owner', async () => {
  await leaveLock({ pid: await endedProcess() })
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => acquireInstanceLock(directory)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('release leaves the lock of a successor in place', async () => {
  const lock = await acquireInstanceLock(directory)
  await leaveLock({ token: 'successor' })
  await lock.release()
  expect(await readdir(directory)).toEqual(['instance.json'])
})

test('a damaged lock file is refused', async () => {
  await writeFile(join(directory, 'instance.json'), '{')
  await expect(acquireInstanceLock(directory)).rejects.toThrow('is damaged')
})
