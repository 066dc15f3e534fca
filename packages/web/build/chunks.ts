import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { webRoot } from './paths.ts'

/**
 * What every page loads first, in this order. Each stage is one file, with everything that it imports and no stage before it does: by itself the bundler makes a
 * file for each set of pages that share a module, and a page would load seventy of them.
 */
const stages: Readonly<Record<string, string>> = {
  main: 'src/main.tsx',
  start: 'src/app/start.tsx',
  routed: 'src/app/routed.tsx',
  framed: 'src/app/framed.tsx',
}
/** Pages that load the first two stages alone: what they share with the others stays apart. */
const firstPages = ['sign-in', 'register', 'ask-link', 'ask-reset'].map((name) => `src/pages/session/${name}.tsx`)

type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** The groups of modules that share a file. */
export function chunkGroups(root: string = webRoot): Rolldown.CodeSplittingGroup[] {
  let stageOf: ReadonlyMap<string, string> | undefined
  return Object.keys(stages).map((stage, index, all) => ({
    debugName: stage,
    priority: all.length - index,
    name: (id, graph) => ((stageOf ??= stagesOf(root, graph)).get(id) === stage ? stage : null),
  }))
}

/** The first stage that loads each module. The entries stay files of their own, which `import()` and the manifest name. */
function stagesOf(root: string, graph: Graph): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (entry: string, stage: string) => {
    const left = [join(root, entry)]
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (found.has(id)) continue
      found.set(id, stage)
      left.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
    }
  }
  for (const [stage, entry] of Object.entries(stages)) {
    if (stage === 'routed') for (const page of firstPages) visit(page, 'first pages')
    visit(entry, stage)
  }
  for (const entry of Object.values(stages)) found.delete(join(root, entry))
  return found
}
