import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@millrace/contract'
import type { Audio } from '#modules/speech/read-audio.ts'
import { secondsMax } from '#modules/speech/read-audio.ts'
import { makeWorkFolder } from '#platform/files/work-folder.ts'
import { runFfmpeg } from '#platform/media/run-ffmpeg.ts'
import { waveOf } from '#platform/media/wave.ts'
import { cutsOf, type Span } from './cuts-of.ts'

/** An audio that is cut at its silences. */
export interface AudioPieces {
  readonly seconds: number
  readonly spans: readonly Span[]
  /** The sound of a piece as WAV. */
  read(span: Span, signal: AbortSignal): Promise<Audio>
  close(): Promise<void>
}

/** The reader of each format in ffmpeg. No other is used: some would open further files. */
const readers: Readonly<Record<string, string>> = { wav: 'wav', mp3: 'mp3', m4a: 'mov', ogg: 'ogg', webm: 'matroska' }

const rate = 16_000
const bytesPerSecond = rate * 2
const samples = ['-vn', '-sn', '-dn', '-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1']
const readMsMax = 120_000
const cutMsMax = 30_000
const oneThread = ['-threads', '1']
const refusal = {
  pointer: '',
  late: 'Takes too long to read. Send a shorter one.',
  damaged: 'The audio is damaged, or in a codec that ffmpeg cannot read.',
}
const silenceFilter = `aformat=sample_rates=${rate}:channel_layouts=mono,silencedetect=noise=-40dB:d=0.35`

/** Finds the pieces of an audio with ffmpeg; close them in the end. Faults: `ffmpeg_missing`, `request_invalid`. */
export async function openPieces({ bytes, extension }: Audio, signal: AbortSignal): Promise<AudioPieces> {
  const folder = await makeWorkFolder()
  const close = () => rm(folder, { recursive: true, force: true })
  const input = ['-protocol_whitelist', 'file,pipe', '-f', readers[extension] ?? extension]
  try {
    await writeFile(join(folder, 'audio'), bytes)
    const { seconds, silences } = await measure(folder, input, signal)
    return {
      seconds,
      spans: cutsOf(silences, seconds),
      async read({ start, end }, whileRead) {
        const chunks: Buffer[] = []
        const args = [...oneThread, '-v', 'error', ...input, '-ss', String(start), '-t', String(end - start), '-i', 'audio', ...samples]
        await runFfmpeg({ args, folder, timeoutMs: cutMsMax, onOutput: (chunk) => chunks.push(chunk), refusal }, whileRead)
        return { bytes: waveOf(Buffer.concat(chunks), rate), mediaType: 'audio/wav', extension: 'wav', seconds: end - start }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function measure(folder: string, input: readonly string[], signal: AbortSignal) {
  const tooLong = new AbortController()
  let size = 0
  const onOutput = (chunk: Buffer) => {
    size += chunk.length
    if (size > secondsMax * bytesPerSecond) tooLong.abort()
  }
  const args = [...oneThread, '-v', 'info', '-nostats', ...input, '-i', 'audio', '-af', silenceFilter, ...samples]
  const messages = await runFfmpeg(
    { args, folder, timeoutMs: readMsMax, onOutput, refusal },
    AbortSignal.any([signal, tooLong.signal]),
  ).catch((error: unknown) => {
    if (tooLong.signal.aborted) throw invalid('The audio is longer than 120 minutes.')
    throw error
  })
  const seconds = size / bytesPerSecond
  if (seconds === 0) throw invalid('The request contains no sound.')
  return { seconds, silences: silencesIn(messages, seconds) }
}

/** A line of the filter. Texts of the audio itself, such as a title, are in other lines. */
const silenceLine = /(?<=^|\n)\[\S*silencedetect\S* @ \S+\] silence_(start|end): (-?[\d.]+)/g

/** The silences that ffmpeg names. One that lasts to the end of the audio may have no end. */
function silencesIn(messages: string, seconds: number): readonly Span[] {
  const silences: Span[] = []
  let start: number | undefined
  for (const [, edge, time] of messages.matchAll(silenceLine)) {
    if (edge === 'start') start = Math.max(0, Number(time))
    else if (start !== undefined) {
      silences.push({ start, end: Number(time) })
      start = undefined
    }
  }
  return start === undefined ? silences : [...silences, { start, end: seconds }]
}

function invalid(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '', detail }] })
}
