import { useRef } from 'react'

/** A key for each named row, which stays with the row when it is moved, and when it alone is renamed: a value that is being typed keeps its field. */
export function useRowKeys(names: readonly string[]): readonly number[] {
  const known = useRef<RowKeys>({ names, keys: names.map((_, index) => index), next: names.length })
  known.current = keysAfter(known.current, names)
  return known.current.keys
}

interface RowKeys {
  readonly names: readonly string[]
  readonly keys: readonly number[]
  readonly next: number
}

function keysAfter(before: RowKeys, names: readonly string[]): RowKeys {
  const changed = names.filter((name, index) => name !== before.names[index])
  const isRename = names.length === before.names.length && changed.length <= 1
  if (isRename) return { ...before, names }
  let { next } = before
  const keys = names.map((name) => before.keys[before.names.indexOf(name)] ?? next++)
  return { names, keys, next }
}
