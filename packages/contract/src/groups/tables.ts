import * as z from 'zod'
import { JsonObject } from '#src/json.ts'
import { cursorOf, listPage, listQuery, pageSizeDefault, searchText } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { rangeIn } from '#src/table-ranges.ts'
import { rowKeyMax, rowKeyProblem, rowSortMax, tableNamePattern, tableNameWords } from '#src/table-names.ts'

/** Rows that one request imports. */
export const importedRowsMax = 1_000

const rowPageMax = 1_000

const TableName = z
  .string()
  .regex(tableNamePattern, { error: `Must ${tableNameWords}.` })
  .meta({ description: 'Name of a table.', examples: ['orders'] })

const RowKey = z
  .string()
  .normalize('NFC')
  .superRefine((key, ctx) => {
    const problem = rowKeyProblem(key)
    if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
  })
  .meta({ description: 'Key of a row: up to 256 characters, kept in the Unicode form NFC.', examples: ['A-1042'] })

const Table = z
  .object({
    name: z.string(),
    rows: z.int().describe('How many rows it has.'),
    size: z.int().describe('Of its rows, in bytes.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When a row was added or deleted, or changed its size.'),
  })
  .meta({ id: 'Table' })

const Columns = JsonObject.meta({
  description: 'The columns of the row and their values: any JSON, up to 64 KiB together.',
  examples: [{ customer: 'Meridian Tea', total: 1236 }],
})

const Row = z
  .object({
    key: z.string(),
    columns: Columns,
    revision: z.int().describe('Incremented by every change; also in `ETag`.'),
    writtenBy: z.string().describe('Who wrote it last: `user:usr_…`, `key:key_…` or `execution:exec_…`.'),
    byTest: z.boolean().describe('Whether that was a test of a draft, or an execution that one started.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable().describe('When the row is deleted; null: it is kept.'),
  })
  .meta({ id: 'TableRow' })

const expiresIn = z.iso
  .duration({ error: 'Must be an ISO 8601 duration, such as P30D.' })
  .max(40)
  .optional()
  .describe('After which time the row is deleted, such as `P30D`; it is kept unless given.')

const base = { stability: 'beta', rateLimit: 'default', idempotency: 'natural', errors: [] } as const
const reads = { ...base, auth: { scope: 'tables:read' }, audit: 'none' } as const
const writes = { ...base, auth: { scope: 'tables:write' }, role: 'member' } as const
const path = '/api/v1/tables'
const byTable = z.object({ table: TableName })
// What is not a key is the key of no row; only a new row has to have a valid one.
const byKey = z.object({
  table: TableName,
  key: z
    .string()
    .normalize('NFC')
    .meta({ description: 'Key of a row.', examples: ['A-1042'] }),
})

const list = operation({
  ...reads,
  id: 'tables.list',
  method: 'GET',
  path,
  summary: 'List tables',
  description: 'In the order of their names.',
  query: z.strictObject({
    ...listQuery,
    name: z.string().max(64).optional().describe('Only those whose name contains this text, in any case.'),
  }),
  reply: listPage(Table, 'in the order of their names'),
})

const create = operation({
  ...writes,
  id: 'tables.create',
  method: 'POST',
  path,
  summary: 'Create a table',
  description: 'The first row that a workflow writes to a table creates it too.',
  audit: 'table.created',
  idempotency: 'keyed',
  replyHeaders: ['Location'],
  body: z.strictObject({ name: TableName }),
  reply: Table,
  errors: ['conflict'],
})

const remove = operation({
  ...writes,
  id: 'tables.delete',
  method: 'DELETE',
  path: `${path}/{table}`,
  summary: 'Delete a table with its rows',
  audit: 'table.deleted',
  params: byTable,
  reply: z.object({ name: z.string(), deleted: z.literal(true), rows: z.int().describe('How many rows it had.') }),
})

const rows = operation({
  ...reads,
  id: 'tables.rows',
  method: 'GET',
  path: `${path}/{table}/rows`,
  summary: 'List the rows of a table',
  transaction: 'own',
  description:
    'In the order of their keys, or sorted by a column: numbers, then texts, then false and true, then lists and objects, and last rows without a value, in both directions. Equal values are in the order of their keys.',
  params: byTable,
  query: z.strictObject({
    limit: z.coerce
      .number<number>({ error: 'Must be a whole number from 1 to 1000.' })
      .int()
      .min(1)
      .max(rowPageMax)
      .default(pageSizeDefault)
      .describe('The largest number of rows to return. Large rows make a page shorter.'),
    // It has the key of the last row, and in a sorted list the column and the beginning of its value.
    cursor: cursorOf(4_096),
    sort: z
      .string()
      .max(rowSortMax)
      .regex(/^(?!:(?:asc|desc)$)./s, { error: 'Must be the name of a column, such as total, or with a direction, such as total:desc.' })
      .optional()
      .meta({
        description:
          'The column by which the rows are sorted; `:desc` behind its name reverses the order. Texts count in any case, and with their first 128 characters. Each page reads the rows of the table.',
        examples: ['total:desc'],
      }),
    prefix: z.string().normalize('NFC').max(rowKeyMax).optional().describe('Only keys that begin with this text.'),
    column: z
      .string()
      .max(500)
      .regex(/^[^:]+:/, { error: 'Must be the name of a column, a colon and a value, such as status:open.' })
      .optional()
      .meta({
        description: 'Only rows that have this value in this column, as `name:value`. A number, true or false is written as it is in JSON.',
        examples: ['status:open'],
      }),
    range: z
      .string()
      .max(500)
      .transform((text, ctx) => {
        const range = rangeIn(text)
        if (range !== undefined) return range
        ctx.addIssue({
          code: 'custom',
          message:
            'Must be the name of a column, a colon, and two numbers or two texts with .. between them: total:100..500, total:100.. or due:..2026-12-31.',
        })
        return z.NEVER
      })
      .optional()
      .meta({
        description:
          'Only rows whose value in this column is within two bounds, as `name:from..to`, with both of them; one may be empty. Numbers are compared with numbers, and texts with texts by their characters, which fits dates. A number in quotation marks is a text.',
        examples: ['total:100..500', 'due:..2026-12-31'],
      }),
    byTest: z.stringbool().optional().describe('True: only rows that a test of a draft wrote last. False: only all others.'),
    text: searchText.describe('Only rows whose key, or the value of a column, contains this text, in any case.'),
  }),
  reply: listPage(Row, 'in the order of their keys, or as `sort` says'),
})

const row = operation({
  ...reads,
  id: 'tables.row',
  method: 'GET',
  path: `${path}/{table}/rows/{key}`,
  summary: 'Get a row',
  replyHeaders: ['ETag'],
  params: byKey,
  reply: Row,
})

const put = operation({
  ...writes,
  id: 'tables.putRow',
  method: 'PUT',
  path: `${path}/{table}/rows/{key}`,
  summary: 'Write a row',
  description: 'A row with this key is replaced as a whole; with `If-Match` only if it is at one of these revisions.',
  audit: 'table.row_written',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byKey,
  body: z.strictObject({
    columns: Columns,
    expiresIn,
    isNew: z.literal(true).optional().describe('Refuses the row with `revision_mismatch` if one with this key exists.'),
  }),
  reply: Row,
  errors: ['conflict', 'revision_mismatch', 'quota_exceeded'],
})

const deleteRow = operation({
  ...writes,
  id: 'tables.deleteRow',
  method: 'DELETE',
  path: `${path}/{table}/rows/{key}`,
  summary: 'Delete a row',
  audit: 'table.row_deleted',
  requestHeaders: ['If-Match'],
  params: byKey,
  reply: z.object({ key: z.string(), deleted: z.literal(true) }),
  errors: ['revision_mismatch'],
})

const importRows = operation({
  ...writes,
  id: 'tables.importRows',
  method: 'PUT',
  path: `${path}/{table}/rows`,
  summary: 'Write many rows',
  description: 'All or none. Rows with the same keys are replaced; all others stay.',
  audit: 'table.rows_imported',
  bodyLimit: 8 * 1024 * 1024,
  params: byTable,
  body: z.strictObject({
    rows: z
      .array(z.strictObject({ key: RowKey, columns: Columns }))
      .min(1)
      .max(importedRowsMax),
    keepsOthers: z
      .boolean()
      .default(false)
      .describe(
        'Whether columns of existing rows that are not given stay, and the time at which the row is deleted, instead of being removed.',
      ),
  }),
  reply: z.object({ created: z.int(), replaced: z.int() }),
  errors: ['conflict', 'quota_exceeded'],
})

/** Rows that workflows and people keep. */
export const tables = { list, create, delete: remove, rows, row, putRow: put, deleteRow, importRows } as const
