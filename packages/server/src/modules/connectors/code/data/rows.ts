import { isObject, itemsOf, type Json, textOf } from '@millrace/engine'
import { DataError } from './data-error.ts'
import { columnsMax } from './limits.ts'

/** Lists of cells as objects by the names in the first of them. Throws DataError for a name that stands twice. */
export function withHeader(lists: readonly (readonly Json[])[]): Json[] {
  const [first = [], ...rest] = lists
  const names = first.map((cell, index) => (cell === null || cell === '' ? `column${index + 1}` : textOfCell(cell)))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new DataError(`The column ${JSON.stringify(twice)} stands twice. Give header: false.`)
  return rest.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])))
}

/** Rows to write as lists of cells: lists stay, objects become one with a header of the given or of all their names. Throws DataError. */
export function asLists(rows: readonly Json[], columns: Json | undefined): Json[][] {
  const given = columns === undefined ? undefined : itemsOf(columns).map((name) => textOf(name) ?? '')
  if (rows.every((row) => Array.isArray(row))) {
    const lists = rows.map((row) => [...itemsOf(row)])
    return given === undefined ? lists : [given, ...lists]
  }
  const names = given ?? namesOf(rows)
  if (names.length > columnsMax) throw new DataError(`There are more than ${columnsMax} columns.`)
  const lists = rows.map((row, index) => {
    if (!isObject(row)) throw new DataError(`/rows/${index} is not an object, as other rows are.`)
    return names.map((name) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null))
  })
  return [names, ...lists]
}

function textOfCell(cell: Json): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}

function namesOf(rows: readonly Json[]): string[] {
  return [...new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])))]
}
