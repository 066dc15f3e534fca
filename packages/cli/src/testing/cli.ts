import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface CliOptions {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface CliEnd {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** The command line as a process of its own, while it runs. */
export interface RunningCli extends AsyncDisposable {
  readonly end: Promise<CliEnd>
  /** Resolves with the match as soon as what was written so far, on both streams, has one. Rejects when the process ends without. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
}

/** Starts `millrace` with these arguments, by the Node.js of the tests and with none of their environment but the path. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const env = { PATH: process.env.PATH ?? '', ...options.env }
  const child = spawn(process.execPath, [main, ...args], { env, cwd: options.cwd, stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  const notice = (): void => {
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((stdout += text), notice()))
  child.stderr.setEncoding('utf8').on('data', (text: string) => ((stderr += text), notice()))
  child.stdin.on('error', () => undefined).end(options.stdin ?? '')
  const end = new Promise<CliEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ exitCode: code ?? undefined, stdout, stderr }))
  })
  return {
    end,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const match = pattern.exec(`${stdout}\n${stderr}`)
          if (match === null) return
          waiting.delete(check)
          resolve(match)
        }
        waiting.add(check)
        check()
        void end.then((ended) => reject(new Error(`ended without ${String(pattern)}: ${JSON.stringify(ended)}`)))
      }),
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await end
    },
  }
}

/** Runs `millrace` to its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliEnd> {
  return startCli(args, options).end
}

/** A folder with these files that is deleted at the end. */
export interface Folder extends AsyncDisposable {
  readonly path: string
  file(name: string): string
}

export async function createFolder(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-cli-'))
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(path, name), text)))
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
