import { Fault } from '@millrace/contract'
import type { StoredEvent } from '#modules/livecapture/model.ts'
import type { Models } from '#modules/models/index.ts'
import { readPictures, type VisionReading } from './read-pictures.ts'
import { type ReadFrame, readTexts } from './read-texts.ts'
import { eventsOfFrames } from './screens.ts'
import { type Frame, takeFrames } from './take-frames.ts'

/** A recording as it was sent: the file, or pictures of it, in base64. */
interface GivenVideo {
  readonly accountId: string
  readonly video: string | undefined
  readonly frames: readonly { readonly atMs: number; readonly image: string }[] | undefined
}

interface AnalyzedVideo {
  readonly events: readonly StoredEvent[]
  readonly frames: readonly ReadFrame[]
  /** Undefined without a model of the role `vision`. */
  readonly vision: VisionReading | undefined
}

export type AnalyzeVideo = (given: GivenVideo, at: string, signal: AbortSignal) => Promise<AnalyzedVideo>

const videoBytesMax = 24 * 1024 * 1024
const pixelsMax = 16_000_000
const pngSignature = '89504e470d0a1a0a'

/** Makes the analysis of recordings; one at a time in this process, because recognition uses a whole processor. Further ones get `overloaded`. */
export function createAnalyzeVideo(models: Pick<Models, 'of' | 'complete'>): AnalyzeVideo {
  let busy = false
  return async ({ accountId, video, frames }, at, signal) => {
    const given = framesOf(video, frames)
    if (busy)
      throw new Fault('overloaded', { detail: 'Another recording is being analyzed. Try again in a minute.', retryAfterSeconds: 60 })
    busy = true
    const { pictures, read } = await recognized().finally(() => {
      busy = false
    })
    const vision = await readPictures(models, { accountId, frames: pictures, read }, signal)
    const events = eventsOfFrames(
      read.map((frame, index) => ({ ...frame, ...vision?.screens.get(index) })),
      at,
    )
    if (events.length === 0)
      throw new Fault('capture_empty', { detail: 'No text can be read in the recording. Record at full size and without compression.' })
    return { events, frames: read, vision }

    async function recognized() {
      const taken = given ?? (await takeFrames(videoOf(video ?? ''), signal))
      return { pictures: taken, read: await readTexts(taken, signal) }
    }
  }
}

function framesOf(video: string | undefined, frames: GivenVideo['frames']): readonly Frame[] | undefined {
  if (video !== undefined && frames !== undefined) throw invalid('/frames', 'Cannot be sent together with video.')
  if (video === undefined && frames === undefined) throw invalid('', 'Needs video or frames.')
  return frames
    ?.map(({ atMs, image }, index) => ({ atMs, image: pngOf(image, `/frames/${index}/image`) }))
    .toSorted((one, other) => one.atMs - other.atMs)
}

/** Refuses what is no PNG, and one that would need too much memory. */
function pngOf(text: string, pointer: string): Uint8Array {
  const image = Buffer.from(text, 'base64')
  if (image.length < 33 || image.toString('hex', 0, 8) !== pngSignature) throw invalid(pointer, 'Is not a PNG.')
  if (image.readUInt32BE(16) * image.readUInt32BE(20) > pixelsMax) throw invalid(pointer, `Has more than ${pixelsMax} pixels.`)
  return image
}

function videoOf(text: string): Uint8Array {
  const video = Buffer.from(text, 'base64')
  if (video.length > videoBytesMax) throw invalid('/video', `Is larger than ${videoBytesMax / 1024 / 1024} MiB.`)
  return video
}

const invalid = (pointer: string, detail: string) => new Fault('request_invalid', { errors: [{ pointer, detail }] })
