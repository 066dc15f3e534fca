import { Fault, rowKeyProblem, tableNamePattern, type tables as tableOperations } from '@millrace/contract'
import * as z from 'zod'
import { lifeMsOf } from '#modules/files/index.ts'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, type RequestContext, respond, withPreparation } from '#platform/http/index.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { ColumnValue, DataRow } from './model.ts'
import { decodePosition, encodePosition, sortIn } from './row-sort.ts'
import type { Tables, Writer } from './table-service.ts'
import { rowView, tableView } from './views.ts'

const tableCursor = z.tuple([z.string().regex(tableNamePattern)])

/** Handlers of the group `tables`. Audit rows name tables and keys and never have columns. */
export function tableHandlers(service: Tables): HandlersFor<typeof tableOperations> {
  const writer = async (ctx: RequestContext): Promise<Writer> => ({
    by: actorOf(ctx.principal),
    isTest: false,
    assertStorage: await service.storageOf(ctx.accountId),
  })

  return {
    async list(ctx, { query: { name, limit, cursor } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, tableCursor)[0]
      const found = await service.list(ctx.tx, ctx.accountId, { name, after, limit: limit + 1 })
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.name]))
      return { data: data.map(tableView), nextCursor }
    },
    async create(ctx, { body: { name } }) {
      const created = await service.create(ctx.tx, ctx.accountId, name)
      ctx.audit({ target: name, details: { name } })
      return respond(tableView(created), { headers: { location: `/api/v1/tables/${name}/rows` } })
    },
    async delete(ctx, { params: { table } }) {
      const { rowCount } = await service.remove(ctx.tx, ctx.accountId, table)
      ctx.audit({ target: table, details: { name: table, rows: rowCount } })
      return { name: table, deleted: true as const, rows: rowCount }
    },
    async rows(ctx, { params: { table }, query: { limit, cursor, prefix = '', text, column, range, byTest, sort: by } }) {
      const sort = by === undefined ? undefined : sortIn(by)
      const after = cursor === undefined ? undefined : decodePosition(sort, cursor)
      const filter = {
        prefix,
        text,
        column: columnIn(column),
        ranges: range === undefined ? undefined : [range],
        byTest,
        sort,
        after,
        limit,
      }
      const { rows, next } = await service.rows(ctx.accountId, table, filter)
      return { data: rows.map(rowView), nextCursor: next === undefined ? null : encodePosition(sort, next) }
    },
    async row(ctx, { params }) {
      const row = rowView(present(await service.find(ctx.tx, ctx.accountId, params)))
      return respond(row, { headers: { etag: etag(row.revision) } })
    },
    putRow: withPreparation<typeof tableOperations.putRow, Writer>(
      writer,
      async (ctx, { params, body: { columns, expiresIn, isNew } }, by) => {
        const expiresInMs = lifeOf(expiresIn)
        const problem = rowKeyProblem(params.key)
        if (problem !== undefined) throw new Fault('request_invalid', { errors: [{ pointer: '/key', detail: problem }] })
        const { after } = await service.changeRow(
          ctx.tx,
          ctx.accountId,
          params,
          (before) => {
            assertRevision(ctx, before)
            if (isNew === true && before !== undefined) throw new Fault('revision_mismatch', { detail: 'A row with this key exists.' })
            return { kind: 'write', columns, expiresInMs }
          },
          by,
        )
        const row = rowView(present(after))
        ctx.audit({ target: params.table, details: { name: params.table, key: params.key, revision: row.revision } })
        return respond(row, { headers: { etag: etag(row.revision) } })
      },
    ),
    async deleteRow(ctx, { params }) {
      await service.removeRow(ctx.tx, ctx.accountId, params, (row) => assertRevision(ctx, row))
      ctx.audit({ target: params.table, details: { name: params.table, key: params.key } })
      return { key: params.key, deleted: true as const }
    },
    importRows: withPreparation<typeof tableOperations.importRows, Writer>(writer, async (ctx, { params: { table }, body }, by) => {
      const created = await service.importRows(ctx.tx, ctx.accountId, table, body, by)
      const rows = new Set(body.rows.map(({ key }) => key)).size
      ctx.audit({ target: table, details: { name: table, rows } })
      return { created, replaced: rows - created }
    }),
  }
}

/** The column and its value in a text such as `status:open`. */
function columnIn(text: string | undefined): ColumnValue | undefined {
  if (text === undefined) return undefined
  const colon = text.indexOf(':')
  return { name: text.slice(0, colon), value: text.slice(colon + 1) }
}

/** Fault `revision_mismatch` if the row is at another revision than the caller expects. */
function assertRevision({ ifMatch }: RequestContext, row: DataRow | undefined): void {
  if (ifMatch === undefined || (row !== undefined && ifMatch.includes(row.revision))) return
  const state = row === undefined ? 'There is no such row' : `The row is at revision ${row.revision}`
  throw new Fault('revision_mismatch', { detail: `${state}. Read it again and repeat the change.` })
}

function present(row: DataRow | undefined): DataRow {
  if (row !== undefined) return row
  throw new Fault('not_found', { detail: 'There is no such row.' })
}

function lifeOf(expiresIn: string | undefined): number | undefined {
  if (expiresIn === undefined) return undefined
  const life = lifeMsOf(expiresIn)
  if (life !== undefined) return life
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/expiresIn', detail: 'Must be a duration of up to 100 years, such as P30D.' }],
  })
}
