import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly pid: number
  readonly line: string
  stop(): Promise<void>
}

/** Starts a script of this folder in its own process and waits for the first line of its output that matches `ready`. */
export async function startChild(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Child> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const line = await firstMatch(child, ready)
  return {
    pid: child.pid ?? 0,
    line,
    async stop() {
      const closed = once(child, 'close')
      child.kill('SIGINT')
      await closed
    },
  }
}

function firstMatch(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const match = ready.exec(output)
      if (match !== null) resolve(match[1] ?? match[0])
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', () => reject(new Error(`a process of the bench ended before it was ready:\n${output}`)))
  })
}
