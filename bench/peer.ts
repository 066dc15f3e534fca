import type { LoadResult } from './load.ts'

/** Something that runs three steps, each journalled before the next, and can be measured beside ours. */
export interface Peer {
  readonly name: string
  measure(concurrency: number, durationMs: number): Promise<LoadResult>
  close(): Promise<void>
}
