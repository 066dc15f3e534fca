import type { LoadResult } from './load.ts'

/** An engine that runs three steps, each journalled before the next, to be compared with ours. */
export interface Peer {
  readonly name: string
  measure(concurrency: number, durationMs: number): Promise<LoadResult>
  close(): Promise<void>
}
