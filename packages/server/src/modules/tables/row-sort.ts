import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import { rowKeyProblem } from '@millrace/contract'
import { decodeCursor, encodeCursor } from '#platform/paging/cursor.ts'

/** By which column rows are sorted. */
export interface RowSort {
  readonly column: string
  readonly descending: boolean
}

/** What sorts a value: numbers, then texts, then false and true, then lists and objects, which are equal, then no value. */
export interface SortValue {
  readonly rank: number
  /** Of a number; of false 0, and of true 1. */
  readonly number: number
  /** The first characters of a text. */
  readonly text: string
}

/** Where a row is in a list: its key, and in a sorted list its value. */
export interface RowPosition {
  readonly key: string
  readonly value?: SortValue | undefined
}

/** The columns of a row by which it is sorted. */
export interface SortedRow {
  readonly sort_rank: number
  readonly sort_number: number
  readonly sort_text: string
}

/** More characters of a text do not count, so that a cursor and the memory of a sort are bounded. */
const textMax = 128
const rankOfNothing = 5

/** The sort in a text such as `total:desc`; without a direction it ascends. */
export function sortIn(text: string): RowSort {
  const [, column = '', direction] = /^(.*?)(?::(asc|desc))?$/s.exec(text) ?? []
  return { column, descending: direction === 'desc' }
}

/** The same as a join that adds the columns of `SortedRow` to a row `r`. The value is read once: each reading parses the row. */
export function sortedRow({ column }: RowSort): RawBuilder<unknown> {
  return sql`
    cross join lateral (select r.content -> ${column} as value offset 0) c
    cross join lateral (select json_typeof(c.value) as kind, c.value #>> '{}' as value offset 0) v
    cross join lateral (select
      case v.kind when 'number' then 1 when 'string' then 2 when 'boolean' then 3 when 'array' then 4 when 'object' then 4
        else ${sql.lit(rankOfNothing)} end as sort_rank,
      case v.kind when 'number' then v.value::float8 when 'boolean' then (v.value = 'true')::int4::float8 else 0 end as sort_number,
      case v.kind when 'string' then left(v.value, ${sql.lit(textMax)}) else '' end as sort_text
      offset 0) s`
}

const valueColumns = sql`sort_rank, sort_number, lower(sort_text) collate "C", sort_text collate "C"`

/** Rows without a value are last in both directions, and equal values are in the order of their keys. */
export function orderOf(sort: RowSort | undefined): RawBuilder<unknown> {
  if (sort === undefined) return sql`key`
  if (!sort.descending) return sql`${valueColumns}, key`
  return sql`(sort_rank = ${sql.lit(rankOfNothing)}), sort_rank desc, sort_number desc, lower(sort_text) collate "C" desc, sort_text collate "C" desc, key`
}

/** The condition of the rows behind a position. */
export function isBehind(sort: RowSort | undefined, { key, value }: RowPosition): RawBuilder<unknown> {
  if (sort === undefined || value === undefined) return sql`key > ${key}`
  const { rank, number, text } = value
  const given = sql`${rank}::int4, ${number}::float8, lower(${text}::text) collate "C", ${text}::text collate "C"`
  if (!sort.descending) return sql`(${valueColumns}, key) > (${given}, ${key})`
  const isNothing = sql`sort_rank = ${sql.lit(rankOfNothing)}`
  if (rank === rankOfNothing) return sql`(${isNothing} and key > ${key})`
  return sql`(${isNothing} or (${valueColumns}) < (${given}) or ((${valueColumns}) = (${given}) and key > ${key}))`
}

export function valueOf({ sort_rank: rank, sort_number: number, sort_text: text }: SortedRow): SortValue {
  return { rank, number, text }
}

const key = z.string().refine((text) => rowKeyProblem(text) === undefined)
const keyOnly = z.tuple([key])
const text = z.string().max(2 * textMax)
const sorted = z.tuple([key, z.string(), z.literal([0, 1]), z.int().min(1).max(rankOfNothing), z.number(), text.regex(/^[^\0]*$/)])

export function encodePosition(sort: RowSort | undefined, position: RowPosition): string {
  const { value } = position
  if (sort === undefined || value === undefined) return encodeCursor([position.key])
  return encodeCursor([position.key, sort.column, sort.descending ? 1 : 0, value.rank, value.number, value.text])
}

/** Fault `request_invalid` for a cursor of a list in another order. */
export function decodePosition(sort: RowSort | undefined, cursor: string): RowPosition {
  if (sort === undefined) return { key: decodeCursor(cursor, keyOnly)[0] }
  const ofSort = sorted.refine(([, column, direction]) => column === sort.column && (direction === 1) === sort.descending)
  const [last, , , rank, number, start] = decodeCursor(cursor, ofSort)
  return { key: last, value: { rank, number, text: start } }
}
