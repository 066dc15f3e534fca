import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { createErasures, type Erasures, type ErasuresDeps } from '#modules/erasures/erasure-service.ts'

export interface GivenErasures extends Partial<ErasuresDeps> {
  readonly value: string
}

/** Erasures that look for one value, as another process of the installation. */
export function erasuresOver(database: Database, { value, ...given }: GivenErasures): Erasures {
  return createErasures({
    database,
    sealing: { seal: () => Promise.resolve(Buffer.alloc(1)), open: () => Promise.resolve(Buffer.from(JSON.stringify([value]))) },
    files: filesOf(async () => ({ matching: [], unreadable: [], unsearched: [] })),
    eraseEvents: () => Promise.resolve(0),
    attest: () => Promise.resolve(undefined),
    send: () => Promise.resolve(),
    now: Date.now,
    newId: randomUUID,
    ...given,
  })
}

/** Without files of start forms. */
export const filesOf = (search: ErasuresDeps['files']['search']): ErasuresDeps['files'] => ({
  search,
  ofForm: () => Promise.resolve([]),
  removeForm: () => Promise.resolve(0),
})
