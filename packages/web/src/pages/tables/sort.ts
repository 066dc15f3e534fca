import { t } from '#src/pages/tables/texts.ts'

/** The column and the direction of the member `sort` of the address, which the API takes as it is. */
export function sortIn(sort: string): { readonly column: string; readonly isDescending: boolean } {
  const direction = /:(?:asc|desc)$/.exec(sort)?.[0] ?? ''
  return { column: sort.slice(0, sort.length - direction.length), isDescending: direction === ':desc' }
}

/** The sort by a column, written so that no name is taken for a direction. */
export function sortText(column: string, isDescending: boolean): string {
  if (isDescending) return `${column}:desc`
  return sortIn(column).column === column ? column : `${column}:asc`
}

/** The order of the rows by a column, as `aria-sort` says it. */
export function orderOf(column: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === undefined || sortIn(sort).column !== column) return 'none'
  return sortIn(sort).isDescending ? 'descending' : 'ascending'
}

/** Both directions of each column, for where no heads are shown. */
export function sortOptions(columns: readonly string[]): readonly (readonly [string, string])[] {
  return columns.flatMap((column) => [
    [sortText(column, false), t.ascending(column)] as const,
    [sortText(column, true), t.descending(column)] as const,
  ])
}
