import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { NetError } from '#platform/net/net-error.ts'
import { type FromPiece, outputCharactersMax, type PieceTask, type ToPiece } from './messages.ts'
import { createRelay, type PieceRequester } from './relay-requests.ts'

/** How a piece ended. */
export type PieceOutcome =
  | Exclude<FromPiece, { kind: 'ready' | 'request' }>
  /** `because` is what a request met. */
  | { readonly kind: 'denied'; readonly because: NetError }

const heapMb = 256
const totalMs = 120_000
const priority = 10
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
  lowerPriority(child.pid)
  const answer = (message: ToPiece) => child.connected && child.send(message, () => undefined)
  try {
    return await new Promise<PieceOutcome>((resolve, reject) => {
      const fail = (message: string) => resolve({ kind: 'failed', message })
      const deny = (because: NetError) => resolve({ kind: 'denied', because })
      const relay = createRelay({ request, signal: stop, answer, deny, fail })

      child.on('message', (value) => {
        const { data: message } = Message.safeParse(value)
        if (message === undefined) fail('The process of the piece sent something else than a result.')
        else if (message.kind === 'ready') answer({ kind: 'task', task })
        else if (message.kind === 'request') relay(message.id, message.request)
        else resolve(message)
      })
      child.on('error', (error) => {
        if (signal.aborted) reject(signal.reason)
        else if (deadline.aborted) fail(`The action took longer than ${totalMs / 1000} s.`)
        else if (!ended.signal.aborted) reject(error)
      })
      child.on('exit', () => fail('The process of the piece ended before it had a result.'))
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

/** Several processes that start at once must not delay the requests of this one. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // It has ended.
  }
}

const text = z.string().max(100_000)
const Property = z.object({
  type: text,
  displayName: text,
  description: text,
  required: z.boolean(),
  hasDefault: z.boolean(),
  values: z.array(z.unknown()).optional(),
})
const Action = z.object({ name: text, displayName: text, description: text, properties: z.record(text, Property) })

/** What a process may send: the code of a piece could send anything. */
const Message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('described'), piece: z.object({ title: text, hasAuth: z.boolean(), actions: z.array(Action).max(1_000) }) }),
  z.object({ kind: z.literal('done'), output: z.string().max(outputCharactersMax) }),
  z.object({ kind: z.literal('failed'), message: text, status: z.number().optional() }),
  z.object({
    kind: z.literal('request'),
    id: z.number(),
    request: z.object({ method: text, url: text, headers: z.record(text, text), body: z.instanceof(Uint8Array) }),
  }),
])
