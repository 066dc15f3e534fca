import { readFileSync, readlinkSync } from 'node:fs'
import { errorCode } from './error-code.ts'

/** Whether a process with this id runs, of any user. A zombie, which has ended but was not reaped by its parent, does not run. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    return errorCode(error) === 'EPERM'
  }
  return process.platform !== 'linux' || !isZombie(pid)
}

function isZombie(pid: number): boolean {
  const [state] = statFields(pid)
  // Without a state the process ended between the two system calls.
  return state === undefined || state === 'Z'
}

/** When a process started, in clock ticks since boot; distinguishes it from a later process with the same id. Empty where unknown (not Linux). */
export function processStart(pid: number): string {
  return statFields(pid)[19] ?? ''
}

/** The fields of /proc/PID/stat from the third on, after the last `)`: the name of the program before it may contain anything. Empty where it is missing. */
function statFields(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** The namespace in which process ids of this process are unique: containers may share a host name but never this. Empty where unknown (not Linux). */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
