import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Fault } from '@millrace/contract'
import { shortened } from '#modules/livecapture/read/shortened.ts'
import type { Frame } from './take-frames.ts'

/** The text of one picture. */
export interface ReadFrame {
  readonly atMs: number
  readonly confidence: number
  readonly lines: readonly string[]
}

const timeMsMax = 120_000
const wordConfidenceMin = 40

/** Reads the text of pictures in a thread of its own, one request at a time. Fault `overloaded` when it takes too long. */
export async function readTexts(frames: readonly Frame[], signal: AbortSignal): Promise<readonly ReadFrame[]> {
  const { createWorker, OEM } = await import('tesseract.js')
  const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json'))
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    cacheMethod: 'none',
    gzip: true,
    errorHandler: () => undefined,
  })
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeMsMax)])
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.addEventListener('abort', () => {
      const detail = 'Reading the pictures takes too long. Send fewer of them, or try again later.'
      reject(signal.aborted ? signal.reason : new Fault('overloaded', { detail, retryAfterSeconds: 30 }))
    })
  })
  try {
    const read: ReadFrame[] = []
    for (const { atMs, image } of frames) {
      const { data: page } = await Promise.race([worker.recognize(Buffer.from(image)).catch(unreadable), stopped])
      const lines =
        page.confidence < wordConfidenceMin
          ? []
          : page.text
              .split('\n')
              .map((line) => line.trim())
              .filter((line) => line.length > 1)
      read.push({ atMs, confidence: Math.round(page.confidence), lines: lines.slice(0, 100).map((line) => shortened(line, 300)) })
    }
    return read
  } finally {
    await worker.terminate()
  }
}

function unreadable(cause: unknown): never {
  throw new Fault('request_invalid', { errors: [{ pointer: '', detail: 'A picture is damaged and cannot be read.' }], cause })
}
