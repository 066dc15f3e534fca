import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
/** One home for all tests, outside the user's own. */
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'millrace-test-compile-cache') }

export interface CliOptions {
  readonly stdin?: string
  /** Leaves standard input open after that, for `write`. */
  readonly keepStdin?: boolean
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
  /** Writes to standard input; on a terminal it is what is typed. */
  write(text: string): void
  kill(signal: NodeJS.Signals): void
}

/** Starts `millrace` with these arguments, by the Node.js of the tests and with none of their environment but the path. */
export function startCli(args: readonly string[], options: CliOptions = {}): RunningCli {
  const env = { PATH: process.env.PATH ?? '', ...compileCache, ...options.env }
  const cli = watch(spawn(process.execPath, [main, ...args], { env, cwd: options.cwd, stdio: 'pipe' }), options.stdin ?? '')
  if (options.keepStdin !== true) cli.endInput()
  return cli
}

/**
 * Starts a shell on a terminal of its own, 100 columns wide, where `millrace` is the command line: what a person sees and types.
 * What it writes comes all as `stdout`, with carriage returns and escape sequences.
 */
export function startOnTerminal(commands: string, { cwd }: Pick<CliOptions, 'cwd'> = {}): RunningCli {
  const shell = `stty cols 100; millrace() { '${process.execPath}' '${main}' "$@"; }; ${commands}`
  // That of BSD takes its arguments in another way.
  const args = process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', shell] : ['-qec', shell, '/dev/null']
  const env = { PATH: process.env.PATH ?? '', ...compileCache, TERM: 'xterm', SHELL: '/bin/sh' }
  return watch(spawn('/usr/bin/script', args, { env, cwd, stdio: 'pipe' }), '')
}

function watch(child: ChildProcessWithoutNullStreams, stdin: string): RunningCli & { endInput(): void } {
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  const notice = (): void => {
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => ((stdout += text), notice()))
  child.stderr.setEncoding('utf8').on('data', (text: string) => ((stderr += text), notice()))
  child.stdin.on('error', () => undefined).write(stdin)
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
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
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
