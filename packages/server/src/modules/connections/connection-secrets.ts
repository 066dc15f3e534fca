import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { ConnectionSecrets } from './model.ts'

/** Tokens of OAuth. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Milliseconds since the epoch; undefined if the server does not say. */
  readonly expiresAtMs: number | undefined
}

type Column = 'sealed' | 'tokens'

const placeOf = (id: string, column: Column) => ({ table: 'connections', column, row: id })

/** Seals and opens what is secret about connections. */
export function createConnectionSecrets(sealing: Pick<Sealing, 'seal' | 'open'>) {
  async function open(executor: Kysely<Rows>, accountId: string, id: string, column: Column, sealed: Buffer): Promise<unknown> {
    const plain = await sealing.open(executor, accountId, placeOf(id, column), sealed)
    if (plain !== undefined) return JSON.parse(plain.toString('utf8'))
    throw new Fault('conflict', { detail: 'The secrets of the connection were sealed under another key. Set them again.' })
  }
  return {
    seal: (executor: Kysely<Rows>, accountId: string, id: string, column: Column, value: ConnectionSecrets | Tokens): Promise<Buffer> =>
      sealing.seal(executor, accountId, placeOf(id, column), Buffer.from(JSON.stringify(value))),

    /** Fault `conflict` if they were sealed under another key. */
    openSecrets: async (executor: Kysely<Rows>, accountId: string, id: string, sealed: Buffer): Promise<ConnectionSecrets> =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `seal` wrote it.
      (await open(executor, accountId, id, 'sealed', sealed)) as ConnectionSecrets,

    openTokens: async (executor: Kysely<Rows>, accountId: string, id: string, sealed: Buffer): Promise<Tokens> =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `seal` wrote it.
      (await open(executor, accountId, id, 'tokens', sealed)) as Tokens,
  }
}

export type ConnectionSecretsBox = ReturnType<typeof createConnectionSecrets>
