import type { BoundaryName } from '#durable/ports/boundary.ts'

/** Commands of the runner to its workers, one line of JSON each. */
export type WorkerCommand =
  /** Starts an execution. The worker replies with `acknowledged` or `refused` and the same token. */
  | {
      readonly do: 'start'
      readonly token: number
      readonly accountId: string
      readonly versionId: string
      readonly input: { readonly ledger: string; readonly n: number; readonly ref: string }
    }
  /** Continues a dead letter as a new execution. */
  | { readonly do: 'retry'; readonly accountId: string; readonly id: string }
  /** The worker kills itself the next time that it reaches this boundary. */
  | { readonly do: 'die'; readonly at: BoundaryName }

/** Messages of a worker, one line of JSON each. */
export type WorkerLine =
  | { readonly say: 'ready' }
  | { readonly say: 'acknowledged'; readonly token: number; readonly id: string; readonly replayed: boolean }
  | { readonly say: 'refused'; readonly token: number; readonly reason: string }
  | { readonly say: 'dying'; readonly at: BoundaryName }
  | { readonly say: 'warning'; readonly message: string; readonly details: string }
