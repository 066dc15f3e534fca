import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAlive } from './postmaster-file.ts'

/** Who holds an installation's directory, as it stands in the lock file. */
export interface Holder {
  /** Made up anew for each holder. */
  readonly token: string
  readonly pid: number
  readonly host: string
  readonly since: string
  /** When the process started, in the system's own terms; tells it from a later one with the same number. Empty where unknown. */
  readonly processStart: string
  /** Where the process id counts: boot of the machine and namespace (container). Empty where unknown. */
  readonly namespace: string
}

/** Describes this process as a holder. */
export async function describeSelf(token: string, now: Date): Promise<Holder> {
  return {
    token,
    pid: process.pid,
    host: hostname(),
    since: now.toISOString(),
    processStart: await readProcessStart(process.pid),
    namespace: await readNamespace(),
  }
}

/** Whether a holder lives: `unknown` when it may run where we cannot look, in another container or on another machine. */
export async function judge(holder: Holder): Promise<'alive' | 'dead' | 'unknown'> {
  const namespace = await readNamespace()
  const here = namespace === '' ? holder.host === hostname() : holder.namespace === namespace
  if (!here) return 'unknown'
  if (!isAlive(holder.pid)) return 'dead'
  return holder.processStart === (await readProcessStart(holder.pid)) ? 'alive' : 'dead'
}

/** Field 22 of /proc/PID/stat; the name before it is in brackets and may hold anything. */
async function readProcessStart(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function readNamespace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return boot === '' || namespace === '' ? '' : `${boot.trim()} ${namespace}`
}
