import type { Findings } from './rule.ts'
import type { SourceTree } from './source-tree.ts'

/** No file leads back to itself, imports of types included. */
export function checkCycles(tree: SourceTree): Findings {
  const edges = new Map(
    tree.files.map((file) => [file.path, file.imports.flatMap(({ target }) => (target.kind === 'file' ? [target.path] : []))]),
  )
  const done = new Set<string>()
  const violations: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path)
    if (start !== -1) {
      violations.push([...trail.slice(start), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return { seen: [...edges.values()].reduce((sum, targets) => sum + targets.length, 0), violations }
}
