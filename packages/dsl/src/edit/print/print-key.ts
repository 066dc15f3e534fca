import type { Layout } from './layout.ts'
import { doubleQuoted, printScalar, singleQuoted } from './print-scalar.ts'

/** A key in the quotes of the key that it replaces. */
export function printKey({ syntax }: Layout, written: string, key: string, inFlow: boolean): string {
  if (syntax === 'json' || written.startsWith('"')) return doubleQuoted(key)
  return written.startsWith("'") ? singleQuoted(key) : printScalar(key, inFlow)
}
