import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@millrace/contract'
import { makeWorkFolder } from '#platform/files/work-folder.ts'
import { runFfmpeg } from '#platform/media/run-ffmpeg.ts'

/** One picture of a recording, a PNG. */
export interface Frame {
  readonly atMs: number
  readonly image: Uint8Array
}

/** The container of a video by its media type, as ffmpeg names its reader. No other reader is used: some would open further files. */
const readers: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/x-m4v': 'mov',
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
  'video/x-matroska': 'matroska',
}

export const framesMax = 60
const perSecond = 2
const timeMsMax = 60_000
/** Of one picture: decoding needs several bytes for each, in several pictures at a time. */
const pixelsMax = 16_000_000
const refusal = {
  pointer: '/video',
  late: 'Takes longer than a minute to read. Send a shorter one.',
  damaged: 'Is damaged, or in a codec that ffmpeg cannot read.',
}

/** Takes the different pictures of a video, two a second at most. Faults: `request_invalid`, `ffmpeg_missing`. */
export async function takeFrames(video: Uint8Array, signal: AbortSignal): Promise<readonly Frame[]> {
  const { fileTypeFromBuffer } = await import('file-type')
  const mime = (await fileTypeFromBuffer(video))?.mime
  const reader = mime === undefined ? undefined : readers[mime]
  if (reader === undefined) throw invalid(`Is not a video in mp4, mov, webm or mkv${mime === undefined ? '' : ` but ${mime}`}.`)
  const folder = await makeWorkFolder()
  try {
    await writeFile(join(folder, 'video'), video)
    const filter = `fps=${perSecond},mpdecimate,scale='min(1600,iw)':-2`
    const input = ['-protocol_whitelist', 'file', '-max_pixels', String(pixelsMax), '-f', reader, '-i', 'video', '-an', '-sn', '-dn']
    const output = ['-vf', filter, '-vsync', 'passthrough', '-frame_pts', '1', '-frames:v', String(framesMax), '%08d.png']
    await runFfmpeg({ args: ['-v', 'error', '-threads', '2', ...input, ...output], folder, timeoutMs: timeMsMax, refusal }, signal)
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).toSorted()
    if (names.length === 0) throw invalid('Has no picture that can be read.')
    return await Promise.all(
      names.map(async (name) => ({
        atMs: Math.round((Number.parseInt(name, 10) * 1000) / perSecond),
        image: await readFile(join(folder, name)),
      })),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const invalid = (detail: string) => new Fault('request_invalid', { errors: [{ pointer: '/video', detail }] })
