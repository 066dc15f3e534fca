import { isUtf8 } from 'node:buffer'
import { Fault } from '@millrace/contract'
import type { Json } from '@millrace/engine'

/** Text that the database can store; undefined for anything else. */
export function textOf(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  return text.includes('\0') ? undefined : text
}

/** An object of named values; a name that occurs more than once has a list. */
export function collect(pairs: readonly (readonly [string, Json])[]): Json {
  const values = new Map<string, Json[]>()
  for (const [name, value] of pairs) {
    const list = values.get(name)
    if (list === undefined) values.set(name, [value])
    else list.push(value)
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? null) : list]))
}

export function malformed(detail: string, cause?: unknown): Fault {
  return new Fault('malformed_request', cause === undefined ? { detail } : { detail, cause })
}
