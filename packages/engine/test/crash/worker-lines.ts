import type { BoundaryName } from '#durable/ports/boundary.ts'

/** What the runner of a ledger run says to its workers, a line of JSON each. */
export type WorkerCommand =
  /** Starts an execution; answered by `acknowledged` or `refused` with the same token. */
  | {
      readonly do: 'start'
      readonly token: number
      readonly accountId: string
      readonly versionId: string
      readonly input: { readonly ledger: string; readonly n: number; readonly ref: string }
    }
  /** Lets a dead letter go on as a new execution. */
  | { readonly do: 'retry'; readonly accountId: string; readonly id: string }
  /** Dies by its own hand the next time that it comes to this boundary. */
  | { readonly do: 'die'; readonly at: BoundaryName }

/** What a worker says, a line of JSON each. */
export type WorkerLine =
  | { readonly say: 'ready' }
  | { readonly say: 'acknowledged'; readonly token: number; readonly id: string; readonly replayed: boolean }
  | { readonly say: 'refused'; readonly token: number; readonly reason: string }
  | { readonly say: 'dying'; readonly at: BoundaryName }
  | { readonly say: 'warning'; readonly message: string; readonly details: string }
