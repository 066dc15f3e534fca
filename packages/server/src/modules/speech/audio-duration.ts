import { createJobThreads } from '@millrace/engine/threads'
import type { AudioContent } from './duration-of.ts'

/** Reads the seconds of an audio for an account; undefined where the container does not say it in time. */
export type AudioDuration = (accountId: string, content: AudioContent) => Promise<number | undefined>

/** Reading in a thread of its own: a container that is made to be slow does not stop the process. */
export function createAudioDuration(): AudioDuration {
  const pool = createJobThreads<AudioContent, number | undefined>({
    module: new URL('./duration-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 256,
    stackSizeMb: 4,
    idleMs: 10_000,
    queuedMax: 5,
    processorMsMax: 3_000,
    stopped: () => undefined,
  })
  return (accountId, content) => pool.run(content, { accountId })
}
