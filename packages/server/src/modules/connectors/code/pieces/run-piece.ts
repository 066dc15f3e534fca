import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NetError } from '#platform/net/net-error.ts'
import type { FromPiece, PieceRequest, PieceTask, ToPiece } from './messages.ts'

/** Sends a request of a piece. */
export type PieceRequester = (
  request: PieceRequest,
  signal: AbortSignal,
) => Promise<Omit<Extract<ToPiece, { kind: 'response' }>, 'kind' | 'id'>>

/** How a piece ended. */
export type PieceOutcome =
  | Exclude<FromPiece, { kind: 'ready' | 'request' }>
  /** `because` is what the first refused request met. */
  | { readonly kind: 'denied'; readonly because: NetError }

const heapMb = 256
const totalMs = 120_000
const outputCharactersMax = 8_000_000
const programFile = new URL('./piece-process.ts', import.meta.url)

/**
 * Performs a task in a process of its own, which ends with it. The process may read the folders of its task, and nothing else: no environment, no other
 * files, processes, threads, addons or sockets. Its requests are made here by `request`.
 */
export async function runPiece(task: PieceTask, request: PieceRequester, signal: AbortSignal): Promise<PieceOutcome> {
  signal.throwIfAborted()
  const program = fileURLToPath(import.meta.url.endsWith('.ts') ? programFile : new URL(programFile.href.replace(/\.ts$/, '.js')))
  const readable = [dirname(realpathSync(program)), ...task.folders]
  const ended = new AbortController()
  const deadline = AbortSignal.timeout(totalMs)
  const stop = AbortSignal.any([signal, ended.signal, deadline])
  const nodeArguments = [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMb}`,
    '--no-warnings',
  ]
  const [command, ...commandArguments] = limited([process.execPath, ...nodeArguments, program])
  const child = spawn(command, commandArguments, {
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal: stop,
    killSignal: 'SIGKILL',
  })
  const answer = (message: ToPiece) => child.connected && child.send(message, () => undefined)
  let denied: NetError | undefined
  async function relay(id: number, asked: PieceRequest): Promise<void> {
    try {
      answer({ kind: 'response', id, ...(await request(asked, stop)) })
    } catch (error) {
      if (error instanceof NetError) denied ??= error
      answer({ kind: 'refused', id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  try {
    return await new Promise<PieceOutcome>((resolve, reject) => {
      child.on('message', (message: FromPiece) => {
        if (message.kind === 'ready') answer({ kind: 'task', task })
        else if (message.kind === 'request') void relay(message.id, message.request)
        else if (message.kind === 'failed' && denied !== undefined) resolve({ kind: 'denied', because: denied })
        else if (message.kind === 'done' && message.output.length > outputCharactersMax)
          resolve({ kind: 'failed', message: 'The result of the action is too large.', status: undefined })
        else resolve(message)
      })
      child.on('error', (error) => {
        if (signal.aborted) reject(signal.reason)
        else if (deadline.aborted)
          resolve({ kind: 'failed', message: `The action took longer than ${totalMs / 1000} s.`, status: undefined })
        else if (!ended.signal.aborted) reject(error)
      })
      child.on('exit', () =>
        resolve({ kind: 'failed', message: 'The process of the piece ended before it had a result.', status: undefined }),
      )
    })
  } finally {
    ended.abort()
  }
}

/** The system ends the process after so much processor time, also when this process has died. */
function limited(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  if (process.platform === 'win32') return command
  return ['/bin/sh', '-c', `ulimit -t ${totalMs / 1000} && exec "$0" "$@"`, ...command]
}
