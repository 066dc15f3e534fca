import { createThreadPool, startThread } from '@millrace/engine/threads'
import type { AudioContent } from './duration-of.ts'

/** Reads the seconds of an audio for an account; undefined where the container does not say it in time. */
export type AudioDuration = (accountId: string, content: AudioContent) => Promise<number | undefined>

const deadlineMs = 3_000
const resourceLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: 4 }

/** Reading in a thread of its own: a container that is made to be slow does not stop the process. */
export function createAudioDuration(): AudioDuration {
  const pool = createThreadPool<AudioContent, number | undefined>({
    start: (signal) => startThread(new URL('./duration-thread.ts', import.meta.url), undefined, resourceLimits, signal),
    threadsMax: 1,
    threadsMaxContended: 3,
    idleMs: 10_000,
    queuedMax: 5,
    deadlineMs,
    late: () => undefined,
    crashed: () => undefined,
    isSpent: () => false,
  })
  return (accountId, content) => pool.run(content, { accountId })
}
