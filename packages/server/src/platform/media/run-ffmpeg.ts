import { spawn } from 'node:child_process'
import { Fault } from '@millrace/contract'

export interface FfmpegRun {
  readonly args: readonly string[]
  /** The folder with the input; ffmpeg reads nothing else. */
  readonly folder: string
  readonly timeoutMs: number
  /** Gets what ffmpeg writes to `pipe:1`. */
  readonly onOutput?: (chunk: Buffer) => void
  /** What a caller reads about an input that cannot be used. */
  readonly refusal: {
    /** Of the input in the request. */
    readonly pointer: string
    readonly late: string
    readonly damaged: string
  }
}

const messageBytesMax = 8 * 1024 * 1024

/**
 * Runs ffmpeg. Faults: `ffmpeg_missing`, `request_invalid`. When the signal aborts, ffmpeg is killed, and the promise rejects with an AbortError
 * whose cause is the reason of the signal.
 *
 * @returns the messages of ffmpeg.
 */
export function runFfmpeg({ args, folder, timeoutMs, onOutput, refusal }: FfmpegRun, signal: AbortSignal): Promise<string> {
  const late = AbortSignal.timeout(timeoutMs)
  const stop = AbortSignal.any([signal, late])
  const refused = (detail: string) => new Fault('request_invalid', { errors: [{ pointer: refusal.pointer, detail }] })
  return new Promise((resolve, reject) => {
    const messages: Buffer[] = []
    let bytes = 0
    const child = spawn('ffmpeg', ['-hide_banner', '-nostdin', ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: stop,
      killSignal: 'SIGKILL',
    })
    child.stdout.on('data', (chunk: Buffer) => onOutput?.(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= messageBytesMax) messages.push(chunk)
    })
    child.on('error', (error) => {
      if ('code' in error && error.code === 'ENOENT') reject(new Fault('ffmpeg_missing', { cause: error }))
      else reject(late.aborted && !signal.aborted ? refused(refusal.late) : error)
    })
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(messages).toString())
      else reject(refused(refusal.damaged))
    })
  })
}
