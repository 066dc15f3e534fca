import { spawn } from 'node:child_process'

/** Why Git failed, in words for the owner of the repository. Has no credentials. */
export class GitError extends Error {
  override readonly name = 'GitError'
}

export interface GitRun {
  /** A folder of its own, whose content Git may change. */
  readonly folder: string
  /** Settings of Git for this run; they are in its environment, where other users do not see them. */
  readonly settings: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly input?: string
  readonly outputBytesMax?: number
  /** Of a file that Git writes, such as all that it fetches; 64 unless given. */
  readonly fileMibMax?: number
  /** Further variables, such as the author of a commit. */
  readonly variables?: Readonly<Record<string, string>>
}

const outputDefault = 4 * 1024 * 1024
const timeoutMs = 60_000
const errorTextMax = 4_000
/** Where programs are on the systems that the server runs on; not the path of this process. */
const programs = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'
const fileMibDefault = 64
/** Kilobytes of memory, 512-byte blocks of a file, seconds of the processor: a hostile repository ends its process and not the machine. */
const limitsOf = (fileMib: number) => `ulimit -v 2097152; ulimit -f ${fileMib * 2048}; ulimit -t 60; ulimit -c 0; exec git "$@"`

/** What every run has, whatever the machine is configured to. */
const always: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.symlinks': 'false',
  'core.fsmonitor': 'false',
  'credential.helper': '',
  'fetch.recurseSubmodules': 'false',
  'gc.auto': '0',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '20',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'transfer.fsckObjects': 'true',
}

/**
 * Runs the program `git` without the environment of this process, without configuration of the machine, hooks, prompts or any transport but HTTP, and
 * within limits of time, memory and disk. Throws GitError, or the signal's reason.
 */
export async function runGit(args: readonly string[], run: GitRun): Promise<Buffer> {
  run.signal.throwIfAborted()
  const late = AbortSignal.timeout(timeoutMs)
  const child = spawn('sh', ['-c', limitsOf(run.fileMibMax ?? fileMibDefault), 'git', ...args], {
    cwd: run.folder,
    env: environmentOf(run),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Git starts programs for its transports, which end with it.
    detached: true,
  })
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const stop = AbortSignal.any([run.signal, late])
  stop.addEventListener('abort', kill)
  try {
    const { code, output, errors, isTooLarge } = await ended(child, run.outputBytesMax ?? outputDefault, kill, run.input)
    run.signal.throwIfAborted()
    if (late.aborted) throw new GitError(`Git took longer than ${timeoutMs / 1000} seconds.`)
    if (isTooLarge) throw new GitError('The repository has too many files, or too large ones, in this folder.')
    if (code !== 0) throw new GitError(reasonOf(errors, code, run.fileMibMax ?? fileMibDefault))
    return output
  } finally {
    stop.removeEventListener('abort', kill)
  }
}

function environmentOf({ folder, settings, variables = {} }: GitRun): NodeJS.ProcessEnv {
  const all = Object.entries({ ...always, ...settings })
  return {
    PATH: programs,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_CEILING_DIRECTORIES: folder,
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(
      all.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...variables,
  }
}

interface Ended {
  readonly code: number | null
  readonly output: Buffer
  readonly errors: string
  readonly isTooLarge: boolean
}

function ended(child: ReturnType<typeof spawn>, bytesMax: number, kill: () => void, input: string | undefined): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let [bytes, errors] = [0, '']
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > bytesMax) kill()
      else chunks.push(chunk)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(-errorTextMax)
    })
    child.on('error', (error) => reject(new GitError('The program git cannot be started on the server.', { cause: error })))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks), errors, isTooLarge: bytes > bytesMax }))
    // Git may end before it has read everything.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input ?? '')
  })
}

/** The lines of Git that say what is wrong. */
function reasonOf(errors: string, code: number | null, fileMibMax: number): string {
  const lines = errors.split('\n').map((line) => line.trim())
  if (
    /file too large|signal 25|unable to write file|out of memory|mmap failed|memory exhausted|index-pack died/i.test(errors) ||
    code === 153
  )
    return `The repository is too large: one commit of it must fit in ${fileMibMax} MiB.`
  if (/not found/i.test(errors) && /command|git:/.test(errors) && code === 127) return 'The program git is not installed on the server.'
  const fatal = lines.filter((line) => /^(?:fatal|error|remote|!|warning: remote)/i.test(line))
  return (
    (fatal.length > 0 ? fatal : lines)
      .filter((line) => line !== '')
      .join(' ')
      .slice(0, 500) || `Git ended with ${code ?? 'a signal'}.`
  )
}
