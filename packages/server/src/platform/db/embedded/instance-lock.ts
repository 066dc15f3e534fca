import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeSelf, type Holder, judge } from './holder.ts'

/** The right to use a directory, which one process has at a time. */
export interface InstanceLock {
  readonly file: string
  readonly token: string
  release(): Promise<void>
}

const heartbeatMs = 2_000
/** A holder that we cannot look at is dead when its heartbeat has been missing for so long. */
const silenceMsMax = 10_000
const attemptsMax = 20

/**
 * Takes a directory for this process. Throws, naming the holder, when another one has it. The lock of a process that was killed is
 * taken over at once; of one in another container or on another machine, after 10 s without a heartbeat.
 */
export async function acquireInstanceLock(directory: string): Promise<InstanceLock> {
  const file = join(directory, 'instance.json')
  const token = randomUUID()
  const draft = `${file}.${token}`
  await writeFile(draft, `${JSON.stringify(await describeSelf(token, new Date()))}\n`, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if (await linked(draft, file)) return hold(file, token)
      const holder = await readHolder(file)
      if (holder === undefined) continue
      const state = await judge(holder)
      if (state === 'alive') throw heldBy(holder, directory)
      const gone = state === 'dead' || (await silenceMs(draft, file)) > silenceMsMax
      if (gone && (await tookOver(draft, file, holder))) return hold(file, token)
      await delay(gone ? 20 : 1_000)
    }
  } finally {
    await rm(draft, { force: true })
  }
  const holder = await readHolder(file)
  throw holder === undefined ? new Error(`${file} could not be made; is the directory writable?`) : heldBy(holder, directory)
}

function hold(file: string, token: string): InstanceLock {
  const timer = setInterval(() => {
    const now = new Date()
    // A failure here shows at the next write to the same disk; the lock itself does not depend on it where processes can be seen.
    void utimes(file, now, now).catch(() => undefined)
  }, heartbeatMs)
  timer.unref()
  return {
    file,
    token,
    async release() {
      clearInterval(timer)
      if ((await readHolder(file))?.token === token) await rm(file, { force: true })
    },
  }
}

function heldBy(holder: Holder, directory: string): Error {
  return new Error(
    `Millrace already runs on ${directory}: process ${holder.pid} on ${holder.host}, since ${holder.since}. ` +
      `Stop that one (kill ${holder.pid}), or give this one a MILLRACE_HOME of its own.`,
  )
}

/** A link is made or not made; unlike a new file, it is never seen half written. */
async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by describeSelf, and never half.
    return JSON.parse(text) as Holder
  } catch (cause) {
    throw new Error(`${file} is damaged. If no other Millrace uses the directory, delete the file.`, { cause })
  }
}

/**
 * How long a lock has had no heartbeat; 0 where it is gone. By the clock of the file system, which may be another machine's: the draft
 * gets a new time, and the lock's is compared with that.
 */
async function silenceMs(draft: string, file: string): Promise<number> {
  await writeFile(draft, await readFile(draft))
  const [own, other] = await Promise.all([stat(draft), stat(file).catch(() => undefined)])
  return other === undefined ? 0 : own.mtimeMs - other.mtimeMs
}

/**
 * Replaces the lock of a dead holder by ours. Whoever does it holds a second lock meanwhile, and looks again under it: without, the
 * one who looked first and acts last would replace the lock of a living successor.
 */
async function tookOver(draft: string, file: string, dead: Holder): Promise<boolean> {
  const turn = `${file}.takeover`
  if (!(await linked(draft, turn))) {
    // Held for a few microseconds; one that stays was left by a process that was killed in them.
    if ((await silenceMs(draft, turn)) > silenceMsMax) await rm(turn, { force: true })
    return false
  }
  try {
    if ((await readHolder(file))?.token !== dead.token) return false
    await rename(draft, file)
    return true
  } finally {
    await rm(turn, { force: true })
  }
}
