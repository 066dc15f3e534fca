import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '#platform/error-code.ts'
import { isProcessAlive, pidNamespace, processStart } from '#platform/process-liveness.ts'

/** The exclusive right of one process to use a directory. */
export interface InstanceLock {
  readonly file: string
  readonly token: string
  release(): Promise<void>
}

const heartbeatMs = 2_000
/** An owner that runs where we cannot see it counts as dead after this time without a heartbeat. */
const silenceMsMax = 10_000
const attemptsMax = 20

/**
 * Locks a directory for this process. Throws, naming the owner, when another process has locked it. The lock of a process that was killed
 * is taken over at once; that of a process in another container or on another machine after 10 s without a heartbeat.
 */
export async function acquireInstanceLock(directory: string): Promise<InstanceLock> {
  const file = join(directory, 'instance.json')
  const token = randomUUID()
  const draft = `${file}.${token}`
  await writeFile(draft, `${JSON.stringify(await describeSelf(token, new Date()))}\n`, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (await tryLink(draft, file)) return startHeartbeat(file, token)
      const owner = await readOwner(file)
      if (owner === undefined) continue
      const state = await livenessOf(owner)
      if (state === 'alive') throw alreadyLocked(owner, directory)
      const isDead = state === 'dead' || (await silenceMs(draft, file)) > silenceMsMax
      if (isDead && (await tryTakeOver(draft, file, owner))) return startHeartbeat(file, token)
      await delay(isDead ? 20 : 1_000)
    }
  } finally {
    await rm(draft, { force: true })
  }
  const owner = await readOwner(file)
  throw owner === undefined
    ? new Error(`The lock file ${file} could not be created. Check that its directory is writable.`)
    : alreadyLocked(owner, directory)
}

/** Throws, naming the owner, when a process that is alive has locked a directory. Takes no lock. */
export async function assertNotRunning(directory: string): Promise<void> {
  const owner = await readOwner(join(directory, 'instance.json'))
  if (owner !== undefined && (await livenessOf(owner)) === 'alive') throw alreadyLocked(owner, directory)
}

function startHeartbeat(file: string, token: string): InstanceLock {
  const timer = setInterval(() => {
    const now = new Date()
    // A failure here shows at the next write to the same disk; where processes are visible the lock does not depend on the heartbeat.
    void utimes(file, now, now).catch(() => undefined)
  }, heartbeatMs)
  timer.unref()
  return {
    file,
    token,
    async release() {
      clearInterval(timer)
      if ((await readOwner(file))?.token === token) await rm(file, { force: true })
    },
  }
}

function alreadyLocked(owner: LockOwner, directory: string): Error {
  return new Error(
    `Millrace already runs on ${directory}: process ${owner.pid} on ${owner.host}, since ${owner.since}. ` +
      `Stop it (kill ${owner.pid}), or set MILLRACE_HOME to another directory.`,
  )
}

/** Creates the lock file by a hard link, which is atomic: no reader sees it half written. */
async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function readOwner(file: string): Promise<LockOwner | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by describeSelf, and linked when it was complete.
    return JSON.parse(text) as LockOwner
  } catch (cause) {
    throw new Error(`The lock file ${file} is damaged. If no other Millrace uses the directory, delete the file.`, { cause })
  }
}

/**
 * Milliseconds since the last heartbeat of a lock; 0 when it does not exist. Measured by the clock of the file system, which may be another
 * machine's: the draft gets a new modification time, and that of the lock is compared with it.
 */
async function silenceMs(draft: string, file: string): Promise<number> {
  await writeFile(draft, await readFile(draft))
  const [own, lock] = await Promise.all([stat(draft), stat(file).catch(() => undefined)])
  return lock === undefined ? 0 : own.mtimeMs - lock.mtimeMs
}

/**
 * Replaces the lock of a dead owner by ours, under a second lock. Without the second lock, a process that read the dead owner early and
 * renames late would replace the lock of a living successor.
 */
async function tryTakeOver(draft: string, file: string, dead: LockOwner): Promise<boolean> {
  const takeover = `${file}.takeover`
  if (!(await tryLink(draft, takeover))) {
    // It exists for microseconds. One that remains was left by a process that was killed meanwhile.
    if ((await silenceMs(draft, takeover)) > silenceMsMax) await rm(takeover, { force: true })
    return false
  }
  try {
    if ((await readOwner(file))?.token !== dead.token) return false
    await rename(draft, file)
    return true
  } finally {
    await rm(takeover, { force: true })
  }
}

/** The owner of a lock, as the lock file describes it. */
export interface LockOwner {
  /** Random, new for each lock. */
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly since: string
  /** Distinguishes the process from a later one with the same id. Empty where unknown. */
  readonly processStart: string
  /** Where the process id is unique: the boot of the machine and the namespace (container). Empty where unknown. */
  readonly namespace: string
}

/** Describes this process as the owner of a lock. */
export async function describeSelf(token: string, now: Date): Promise<LockOwner> {
  return {
    token,
    pid: process.pid,
    host: hostname(),
    since: now.toISOString(),
    processStart: processStart(process.pid),
    namespace: await readNamespace(),
  }
}

/** Whether the owner of a lock lives: `unknown` when it may run in another container or on another machine. */
async function livenessOf(owner: LockOwner): Promise<'alive' | 'dead' | 'unknown'> {
  const namespace = await readNamespace()
  const isVisible = namespace === '' ? owner.host === hostname() : owner.namespace === namespace
  if (!isVisible) return 'unknown'
  if (!isProcessAlive(owner.pid)) return 'dead'
  return owner.processStart === processStart(owner.pid) ? 'alive' : 'dead'
}

async function readNamespace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = pidNamespace()
  return boot === '' || namespace === '' ? '' : `${boot.trim()} ${namespace}`
}
