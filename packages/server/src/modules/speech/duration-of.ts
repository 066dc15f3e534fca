import { parseBuffer } from 'music-metadata'

/** The content of an audio file and its media type. */
export interface AudioContent {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** Seconds of an audio, as far as its container says. It takes quadratic time for a hostile container. */
export async function durationOf({ bytes, mediaType }: AudioContent): Promise<number | undefined> {
  return parseBuffer(bytes, { mimeType: mediaType }, { duration: true }).then(
    ({ format }) => format.duration,
    () => undefined,
  )
}
