import type { AnyOperation, OperationGroup } from '@millrace/contract'

/** The methods that a path has, for the header `Allow`; empty for an unknown path. */
export type AllowedMethods = (path: string) => readonly string[]

/** Finds the methods of a path among the operations whose flag is on: one that is off is like an unknown path. */
export function createAllowedMethods(groups: readonly OperationGroup[], flagEnabled: (flag: string) => boolean): AllowedMethods {
  const operations: readonly AnyOperation[] = groups.flatMap((group) => Object.values(group))
  const byPath = new Map<string, { readonly pattern: RegExp; readonly operations: AnyOperation[] }>()
  for (const op of operations) {
    const entry = byPath.get(op.path) ?? { pattern: patternOf(op.path), operations: [] }
    entry.operations.push(op)
    byPath.set(op.path, entry)
  }
  return (path) => {
    const methods = new Set<string>()
    for (const { pattern, operations: candidates } of byPath.values()) {
      if (!pattern.test(path)) continue
      for (const { method, flag } of candidates) if (flag === undefined || flagEnabled(flag)) methods.add(method)
    }
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods].toSorted()
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${escaped}$`)
}
