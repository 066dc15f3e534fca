import type { CatalogFunction } from '#src/validate/options.ts'

/** Functions of a default catalog out of `name:version`. */
export function catalog(...entries: readonly string[]): CatalogFunction[] {
  return entries.map((entry) => {
    const [name = '', version = ''] = entry.split(':')
    return { name, version }
  })
}
